//! Relations that were found, for people, for programs, and as a file of relations.

mod file;
mod terminal;
pub(crate) mod words;

use dodona_evidence::DiscoveryRecord;

pub use file::discovered_file;
pub use terminal::terminal_discovery;

/// One JSON document, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json_discovery(record: &DiscoveryRecord) -> String {
    serde_json::to_string_pretty(record).expect("records are maps with string keys") + "\n"
}
