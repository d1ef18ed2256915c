//! Annotations that GitHub Actions shows at the relation's line, and below them the lines of the report for people.

use dodona_records::{CheckRecord, RelationRecord, RelationVerdict};

use crate::check_words::{counts, never_tested, not_checked, stopped, sum, unread, word};
use crate::text::one_line;
use crate::{CounterexampleView, Styles};

/// A workflow command for everything that is no success: relations that are violated or were not tested, an interruption, kept counterexamples that were not judged,
/// degrees of adequacy that were not reached, warnings. Then a line for each relation with its counts, and a closing line.
pub(crate) fn github(records: &[CheckRecord]) -> String {
    let annotations: String = records.iter().map(annotations).collect();
    let lines: String = records.iter().flat_map(|record| &record.relations).map(line).collect();
    format!("{annotations}{lines}{}\n", sum(records))
}

/// What a relation was tested on. It begins with a verdict, so that it is no workflow command.
fn line(relation: &RelationRecord) -> String {
    let words = format!("{}  {}  {}", word(relation.verdict()), relation.name, counts(relation));
    // `##[` begins a command wherever it stands in a line.
    one_line(&words).replace("##[", "## [") + "\n"
}

fn annotations(record: &CheckRecord) -> String {
    let failed = no_subject(record);
    let relations = record.relations.iter().filter_map(|relation| annotation(record, relation));
    let what = if record.failure.is_some() { "failed" } else { "was interrupted" };
    let stopped = stopped(record).map(|words| of_subject("error", record, what, &words));
    let unread = unread(record)
        .map(|words| of_subject("error", record, "has counterexamples that were not checked", &words));
    let short = record.adequacy.iter().filter(|adequacy| !adequacy.is_reached()).map(|adequacy| {
        let words = format!("{} of {} are reached", adequacy.reached, adequacy.whole);
        of_subject("error", record, &format!("{} is not tested adequately", adequacy.function), &words)
    });
    let warnings =
        record.warnings.iter().map(|warning| of_subject("warning", record, "has a warning", warning));
    failed.into_iter().chain(relations).chain(stopped).chain(unread).chain(short).chain(warnings).collect()
}

/// One that is about a subject and no line of its own.
fn of_subject(level: &str, record: &CheckRecord, what: &str, message: &str) -> String {
    let file = property(&record.manifest);
    let title = property(&format!("{} {what}", record.subject));
    format!("::{level} file={file},title={title}::{}\n", data(message))
}

/// A subject that could not be checked is an error without a line.
fn no_subject(record: &CheckRecord) -> Option<String> {
    let why = not_checked(record)?;
    Some(of_subject("error", record, "could not be checked", why.trim_end()))
}

fn annotation(record: &CheckRecord, relation: &RelationRecord) -> Option<String> {
    let (what, message) = match relation.verdict() {
        RelationVerdict::Violated => ("is violated", violation(relation)),
        RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed => {
            ("was never tested", untested(relation))
        }
        RelationVerdict::NotRun => ("was not run", "no source input was run".to_owned()),
        RelationVerdict::Holds => ("was hardly tested", record.too_few_eligible(relation)?),
    };
    let RelationRecord { file, line, name, .. } = relation;
    let title = property(&format!("{name} {what}"));
    Some(format!("::error file={},line={line},title={title}::{}\n", property(file), data(message.trim_end())))
}

fn untested(relation: &RelationRecord) -> String {
    let outside = relation.outside.iter().map(|outside| format!("; the first of them: {outside}"));
    never_tested(relation) + &outside.collect::<String>()
}

fn violation(relation: &RelationRecord) -> String {
    let view =
        |counterexample| CounterexampleView { relation, counterexample, styles: Styles::plain() }.to_string();
    relation.counterexample.as_ref().map_or_else(|| counts(relation), view)
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
