//! Annotations that GitHub Actions shows at the relation's line.

use dodona_evidence::{CheckRecord, RelationRecord, RelationVerdict};

use crate::{CounterexampleView, Styles};

/// One workflow command a relation that is violated or was never tested, and a closing line of counts.
pub fn github(records: &[CheckRecord]) -> String {
    let relations = || records.iter().flat_map(|r| &r.relations);
    let mut out: String = records.iter().filter_map(not_checked).collect();
    out.extend(relations().filter_map(annotation));
    let violated = relations().filter(|r| r.verdict() == RelationVerdict::Violated).count();
    out += &format!("{} relations, {violated} violated\n", relations().count());
    out
}

/// A subject that could not be checked is an error without a line.
fn not_checked(record: &CheckRecord) -> Option<String> {
    let why = record.failure.as_ref()?;
    let title = format!("{} could not be checked", record.subject);
    Some(format!("::error title={}::{}\n", property(&title), data(why.trim_end())))
}

fn annotation(relation: &RelationRecord) -> Option<String> {
    let (title, message) = match relation.verdict() {
        RelationVerdict::Violated => (format!("{} is violated", relation.name), violation(relation)),
        RelationVerdict::NeverEligible => (
            format!("{} was never tested", relation.name),
            "no source input was eligible, so nothing was tested".to_owned(),
        ),
        RelationVerdict::OnlyAbsolute => (
            format!("{} was never tested", relation.name),
            "in every group only the absolute tolerance decides, so nothing was tested".to_owned(),
        ),
        RelationVerdict::Holds | RelationVerdict::NotRun => return None,
    };
    let RelationRecord { file, line, .. } = relation;
    Some(format!(
        "::error file={},line={line},title={}::{}\n",
        property(file),
        property(&title),
        data(message.trim_end())
    ))
}

fn violation(relation: &RelationRecord) -> String {
    let view =
        |counterexample| CounterexampleView { relation, counterexample, styles: Styles::plain() }.to_string();
    relation.counterexample.as_ref().map(view).unwrap_or_default()
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
