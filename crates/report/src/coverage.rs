//! Reports of coverage.

mod coverage_terminal;
mod lcov;

use dodona_records::{CoverageRecord, FORMAT_VERSION};
use serde::Serialize;

pub use coverage_terminal::terminal_coverage;
pub use lcov::lcov;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    functions: &'a [CoverageRecord],
}

/// One JSON document of all records, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json_coverage(records: &[CoverageRecord]) -> String {
    let document = Document { format_version: FORMAT_VERSION, functions: records };
    serde_json::to_string_pretty(&document).expect("records are maps with string keys") + "\n"
}
