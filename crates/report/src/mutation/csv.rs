//! Comma-separated values: a line a mutant.

use csv::WriterBuilder;
use dodona_records::{MutantRecord, MutationRecord, Place, SkippedSite, StopReason, VersionRecord};
use serde::Serialize;

use super::{because, how, killers, status, stopped, version};
use crate::text::plain_bindings;

/// A line; the fields' names are the columns'.
#[derive(Default, Serialize)]
struct Line<'a> {
    subject: &'a str,
    mutant: String,
    key: &'a str,
    operator: &'a str,
    function: &'a str,
    instruction: Option<u32>,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    places: usize,
    before: &'a str,
    after: &'a str,
    status: &'a str,
    because: String,
    fate: &'a str,
    reached: u64,
    infected: u64,
    revealing_inputs: u64,
    revealing_input: String,
    expected: &'a str,
    found: &'a str,
    kind: String,
    killed_by: String,
    survivor: String,
    failed_in: &'a str,
    failing_input: String,
}

/// Comma-separated values of all records: a line of column names, then a line a mutant.
///
/// Faulty versions follow the mutants of their subject: their operator is `version`, their number the name, their file the folder. Code that was skipped comes then, a line a site with the status `skipped` and no number. Then come lines of the
/// statuses `stale`, `warning`, `interrupted`, `failed` and `no-score` that say what else the report for people says. Input
/// values are literals of the relation language, separated by semicolons; relations are separated by blanks.
///
/// # Panics
/// Never: writing to memory does not fail.
pub(super) fn csv_mutation(records: &[MutationRecord]) -> String {
    let mut out = header();
    for record in records {
        let mutants = record.mutants.iter().map(|mutant| mutant_line(&record.subject, mutant));
        let versions = record.versions.iter().map(|version| version_line(record, version));
        let skipped = record.skipped.iter().map(|site| skipped_line(&record.subject, site));
        out += &written(mutants.chain(versions).chain(skipped).chain(remarks(record)));
    }
    out
}

fn written<'a>(lines: impl Iterator<Item = Line<'a>>) -> String {
    let mut out = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    lines.for_each(|line| out.serialize(line).expect("a line is flat"));
    let bytes = out.into_inner().expect("memory is always flushed");
    String::from_utf8(bytes).expect("cells are text")
}

/// The names of the columns stand there even when there is no mutant, where serialising lines alone would leave them out.
fn header() -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.serialize(Line::default()).expect("a line is flat");
    let bytes = out.into_inner().expect("memory is always flushed");
    bytes.into_iter().take_while(|b| *b != b'\n').map(char::from).chain(['\n']).collect()
}

fn place_line<'a>(subject: &'a str, place: Option<&'a Place>) -> Line<'a> {
    let Some(place) = place else { return Line { subject, ..Line::default() } };
    Line {
        subject,
        function: &place.function,
        instruction: Some(place.instruction),
        file: place.file.as_deref(),
        line: place.line,
        column: place.column,
        ..Line::default()
    }
}

fn mutant_line<'a>(subject: &'a str, mutant: &'a MutantRecord) -> Line<'a> {
    let (revealed, failed) = (mutant.revealed_by.as_ref(), mutant.failed.as_ref());
    Line {
        mutant: mutant.id.to_string(),
        key: &mutant.key,
        operator: &mutant.operator,
        places: mutant.places.len(),
        before: &mutant.before,
        after: &mutant.after,
        status: status(mutant),
        because: because(mutant),
        fate: mutant.fate.name(),
        reached: mutant.reached,
        infected: mutant.infected,
        revealing_inputs: revealed.map_or(0, |r| r.inputs),
        revealing_input: revealed.map(|r| plain_bindings(&r.first)).unwrap_or_default(),
        expected: revealed.map_or("", |r| &r.expected),
        found: revealed.map_or("", |r| &r.found),
        kind: how(mutant).map(ToString::to_string).unwrap_or_default(),
        killed_by: killers(mutant),
        survivor: mutant.survivor.as_deref().map(plain_bindings).unwrap_or_default(),
        failed_in: failed.map_or("", |failed| &failed.test),
        failing_input: failed.map(|failed| plain_bindings(&failed.input)).unwrap_or_default(),
        ..place_line(subject, mutant.places.first())
    }
}

fn version_line<'a>(record: &'a MutationRecord, version: &'a VersionRecord) -> Line<'a> {
    let VersionRecord { name, path, revealed_by, killed_by, failed, .. } = version;
    let revealed = revealed_by.as_ref();
    let how = revealed.map(|r| &r.how).or_else(|| killed_by.first().map(|kill| &kill.how));
    Line {
        subject: &record.subject,
        mutant: name.clone(),
        operator: "version",
        file: Some(path.as_str()),
        status: version::status(version),
        because: version::because(record, version),
        revealing_inputs: revealed.map_or(0, |r| r.inputs),
        revealing_input: revealed.map(|r| plain_bindings(&r.first)).unwrap_or_default(),
        expected: revealed.map_or("", |r| &r.expected),
        found: revealed.map_or("", |r| &r.found),
        kind: how.map(ToString::to_string).unwrap_or_default(),
        killed_by: killed_by.iter().map(|kill| kill.relation.as_str()).collect::<Vec<_>>().join(" "),
        failed_in: failed.as_ref().map_or("", |failed| &failed.test),
        failing_input: failed.as_ref().map(|failed| plain_bindings(&failed.input)).unwrap_or_default(),
        ..Line::default()
    }
}

fn skipped_line<'a>(subject: &'a str, site: &'a SkippedSite) -> Line<'a> {
    Line {
        operator: site.operator.as_deref().unwrap_or_default(),
        places: 1,
        status: "skipped",
        because: site.reason.clone(),
        ..place_line(subject, Some(&site.place))
    }
}

/// What is no mutant and no site: a line each.
fn remarks(record: &MutationRecord) -> impl Iterator<Item = Line<'_>> {
    let line = |status, because| Line { subject: &record.subject, status, because, ..Line::default() };
    let stale = record.stale.iter().map(|s| format!("{}:{}: {}: {}", s.file, s.line, s.entry, s.reason));
    let stale = stale.map(move |because| line("stale", because));
    let warnings = record.warnings.iter().map(move |warning| line("warning", warning.clone()));
    let status = if record.failure.is_some() { "failed" } else { "interrupted" };
    let stopped = stopped(record).map(|because| line(status, because));
    let is_listed = matches!(record.stop, StopReason::MutantsListed { .. });
    let no_score = record.no_score().filter(|_| !is_listed).map(|why| line("no-score", why.to_string()));
    stale.chain(warnings).chain(stopped).chain(no_score)
}
