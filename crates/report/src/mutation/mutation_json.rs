//! The records of mutation analyses as they are, each with its sums, as JSON.

use dodona_records::{FORMAT_VERSION, MutationRecord, OperatorRow, Share};
use serde::Serialize;

use crate::format::pretty;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    subjects: Vec<Subject<'a>>,
}

#[derive(Serialize)]
struct Subject<'a> {
    #[serde(flatten)]
    record: &'a MutationRecord,
    score: Option<f64>,
    no_score: Option<String>,
    suite_score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions_detected: Option<Share>,
    totals: OperatorRow,
    by_operator: Vec<OperatorRow>,
}

/// One JSON document of all records, ending in a newline: the fields of [`MutationRecord`], then `score`, `no_score` (why
/// there is none), `suite_score` (scores are from 0 to 1, or null), `versions_detected` (where there are faulty versions), `totals` and `by_operator` (each an [`OperatorRow`]).
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub(super) fn json_mutation(records: &[MutationRecord]) -> String {
    let subject = |record| Subject {
        record,
        score: MutationRecord::score(record),
        no_score: record.no_score().map(|why| why.to_string()),
        suite_score: record.suite_score(),
        versions_detected: (!record.versions.is_empty()).then(|| record.versions_detected()),
        totals: record.totals(),
        by_operator: record.by_operator(),
    };
    let document =
        Document { format_version: FORMAT_VERSION, subjects: records.iter().map(subject).collect() };
    pretty(&document)
}
