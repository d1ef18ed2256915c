//! Composite relations, for people, for programs, and as a file of relations.

mod file;
mod terminal;
mod words;

use dodona_evidence::CompositionRecord;

pub use file::{ComposedRelations, composed_file};
pub use terminal::terminal_composition;

/// One JSON document, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json_composition(record: &CompositionRecord) -> String {
    serde_json::to_string_pretty(record).expect("records are maps with string keys") + "\n"
}
