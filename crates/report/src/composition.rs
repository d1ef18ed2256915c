//! Composite relations, for people, for programs, and as a file of relations.

mod composite_file;
mod composition_terminal;
mod composition_words;

use dodona_records::CompositionRecord;

pub use composite_file::{ComposedRelations, composed_file};
pub use composition_terminal::terminal_composition;

/// One JSON document, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json_composition(record: &CompositionRecord) -> String {
    serde_json::to_string_pretty(record).expect("records are maps with string keys") + "\n"
}
