//! Relations that were found, for people, for programs, and as a file of relations.

mod discovery_terminal;
pub(crate) mod discovery_words;
mod relation_file;

use dodona_records::DiscoveryRecord;

pub use discovery_terminal::terminal_discovery;
pub use relation_file::discovered_file;

/// One JSON document, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json_discovery(record: &DiscoveryRecord) -> String {
    serde_json::to_string_pretty(record).expect("records are maps with string keys") + "\n"
}
