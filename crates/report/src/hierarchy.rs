//! The hierarchy of mutants: for people, for programs, and as drawings.

mod dot;
mod hierarchy_terminal;
mod node_words;
mod svg;

use dodona_records::HierarchyRecord;

pub use dot::dot_hierarchy;
pub use hierarchy_terminal::terminal_hierarchy;
pub use svg::svg_hierarchy;

/// One JSON document, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json_hierarchy(record: &HierarchyRecord) -> String {
    serde_json::to_string_pretty(record).expect("records are maps with string keys") + "\n"
}
