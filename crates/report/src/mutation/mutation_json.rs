//! The records of mutation analyses as they are, each with its sums, as JSON.

use dodona_records::{FORMAT_VERSION, MutationRecord, OperatorRow, Share};
use schemars::JsonSchema;
use serde::Serialize;

use crate::format::pretty;

/// What the mutation analysis of one or more subjects found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Document<'a> {
    /// [`FORMAT_VERSION`].
    format_version: u32,
    /// One record a subject, in the order given.
    subjects: Vec<Subject<'a>>,
}

/// What the mutation analysis of one subject found, with its sums.
#[derive(Serialize, JsonSchema)]
struct Subject<'a> {
    #[serde(flatten)]
    record: &'a MutationRecord,
    /// The mutation score, from 0 to 1: detected of all mutants but the equivalent, the duplicates and the accepted ones.
    score: Option<f64>,
    /// Why there is no mutation score, in words.
    no_score: Option<String>,
    /// The score of the inputs with the original as oracle, from 0 to 1.
    suite_score: Option<f64>,
    /// How many of the faulty versions the tests detect, where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    versions_detected: Option<Share>,
    /// The counts of all mutants together; its operator is empty.
    totals: OperatorRow,
    /// A row an operator that has mutants.
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
