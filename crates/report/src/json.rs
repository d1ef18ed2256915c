//! The records of checks as they are, as JSON.

use dodona_records::{CheckRecord, FORMAT_VERSION};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    subjects: &'a [CheckRecord],
}

/// One JSON document of all records, ending in a newline.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub fn json(records: &[CheckRecord]) -> String {
    let document = Document { format_version: FORMAT_VERSION, subjects: records };
    serde_json::to_string_pretty(&document).expect("records are maps with string keys") + "\n"
}
