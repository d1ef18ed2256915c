//! The relations with their evidence, and those that are violated before all others.

use std::collections::HashMap;

use dodona_records::{
    FunctionRun, MutantId, ProofVerdict, RelationState, RelationVerdict, RunRecord, RunRelation, Share,
    SubjectRun,
};
use maud::{Markup, html};

use crate::counterexample::counterexample;
use crate::words::{anchor, badge, filter, function_link, functions, share_cell, sortable, verdict};

/// The accepted relations that are violated, with what shows it.
pub(crate) fn violations(run: &RunRecord) -> Option<Markup> {
    let violated: Vec<(&SubjectRun, &RunRelation)> = run
        .subjects
        .iter()
        .flat_map(|subject| subject.violated().map(move |relation| (subject, relation)))
        .collect();
    (!violated.is_empty()).then(|| {
        html! {
            @for (subject, relation) in violated {
                article {
                    h3 { a href={ "#" (anchor("relation", subject, relation.name())) } { (relation.name()) } " of " (subject.subject) " " span.aside { (subject.manifest) } }
                    pre { code { (relation.check.text.trim()) } }
                    p { (evidence(relation)) " Either the code is wrong, or the relation, which stands in " code { (relation.check.file) ":" (relation.check.line) } "." }
                    @if let Some(found) = &relation.check.counterexample { (counterexample(found)) }
                }
            }
        }
    })
}

/// How many relations catch each fault of a function. Numbers of faults count those of one function.
fn catchers(function: &FunctionRun) -> HashMap<MutantId, usize> {
    let mut catchers = HashMap::new();
    for mutant in function.relations.iter().flat_map(|relation| relation.caught.iter().flatten()) {
        *catchers.entry(*mutant).or_default() += 1;
    }
    catchers
}

/// How many faults a relation catches, and how many of them no other one does.
fn catches(relation: &RunRelation, catchers: &HashMap<MutantId, usize>) -> [Option<usize>; 2] {
    let caught = relation.caught.as_ref();
    let only = |all: &Vec<MutantId>| all.iter().filter(|id| catchers[id] == 1).count();
    [caught.map(Vec::len), caught.map(only)]
}

/// All relations, each with its text below its figures and the evidence behind it.
pub(crate) fn relations(run: &RunRecord) -> Option<Markup> {
    let mut all: Vec<(&SubjectRun, &FunctionRun, &RunRelation, [Option<usize>; 2])> = Vec::new();
    for (subject, function) in functions(run) {
        let catchers = catchers(function);
        let each = function.relations.iter();
        all.extend(each.map(|relation| (subject, function, relation, catches(relation, &catchers))));
    }
    if all.is_empty() {
        return None;
    }
    all.sort_by_key(|(_, _, relation, _)| order(relation));
    Some(html! {
        (filter(TABLE, "a relation, a function or a verdict"))
        div.scroll tabindex="0" role="region" aria-label="Relations" {
            table id=(TABLE) data-groups {
                (sortable(&["Relation", "Function", "Verdict", "State", "#Held", "#Not eligible", "#Catches", "#Nothing else does"]))
                @for (subject, function, relation, catches) in all {
                    tbody id=(anchor("relation", subject, relation.name())) data-words=(standing(relation)) {
                        (figures(subject, function, relation, catches))
                        tr.more { td colspan="8" { (details(relation)) } }
                    }
                }
            }
        }
    })
}

/// The table of relations.
pub(crate) const TABLE: &str = "table-relations";

/// Words that a search leaves relations by, as the figures of the overview count them.
fn standing(relation: &RunRelation) -> &'static str {
    match (relation.state, relation.verdict()) {
        (RelationState::Accepted, RelationVerdict::Violated) => "is:violated",
        (RelationState::Accepted, RelationVerdict::Holds) => "is:holding",
        (RelationState::Accepted, _) => "is:untested",
        (RelationState::Found, RelationVerdict::Holds) => "is:to-judge",
        (RelationState::Found, _) => "is:refuted",
    }
}

/// What needs a person comes first.
fn order(relation: &RunRelation) -> u8 {
    match (relation.state, relation.verdict()) {
        (RelationState::Accepted, RelationVerdict::Violated) => 0,
        (RelationState::Accepted, RelationVerdict::Holds) => 2,
        (RelationState::Accepted, _) => 1,
        (RelationState::Found, _) => 3,
    }
}

fn figures(
    subject: &SubjectRun,
    function: &FunctionRun,
    relation: &RunRelation,
    catches: [Option<usize>; 2],
) -> Markup {
    let held = eligible(relation);
    html! {
        tr {
            th scope="row" { code { (relation.name()) } }
            td { (function_link(subject, &function.function)) }
            td data-sort={ (order(relation)) " " (verdict(relation).0) } { (badge(relation)) }
            td { (relation.state.name()) }
            (share_cell(Some(held)))
            td.number { (relation.check.tally.groups() - held.total) }
            @for count in catches { td.number { @match count { Some(count) => (count), None => "–" } } }
        }
    }
}

/// The text of a relation, which opens what is known of it.
fn details(relation: &RunRelation) -> Markup {
    html! {
        details {
            summary { code { (relation.check.text.trim()) } }
            div.inside {
                @if let Some(words) = &relation.words { p { (words) } }
                p { (evidence(relation)) }
                @if let Some(proof) = &relation.proof { p { (proved(proof)) } }
                p.place { (relation.check.file) @if relation.state == RelationState::Accepted { ":" (relation.check.line) } }
                @if let Some(found) = &relation.check.counterexample { (counterexample(found)) }
            }
        }
    }
}

/// The groups in which a relation holds, of those that it speaks of.
fn eligible(relation: &RunRelation) -> Share {
    let tally = &relation.check.tally;
    Share { covered: tally.held, total: tally.held + tally.violated }
}

/// On what a relation was tested.
fn evidence(relation: &RunRelation) -> String {
    let tally = &relation.check.tally;
    let groups = tally.groups();
    let Share { covered, total } = eligible(relation);
    let mut said = format!("It holds for {covered} of {total} eligible inputs");
    let skipped: u64 = tally.skipped.values().sum();
    if groups - total > skipped {
        let left = groups - total - skipped;
        said += &format!(
            "; {left} more were left out, for they do not fulfil its condition or lie outside of a domain"
        );
    }
    for (ended, count) in relation.check.skipped() {
        said += &format!("; {count} more were left out, for a source call {ended}");
    }
    let allowed = tally.rounded + tally.absolute;
    if allowed > 0 {
        said += &format!("; {allowed} hold only by an allowance for rounding or by the tolerance");
    }
    if let Some(outside) = &relation.check.outside {
        said += &format!("; the first: {outside}");
    }
    said + "."
}

fn proved(proof: &ProofVerdict) -> String {
    match proof {
        ProofVerdict::Proved { longest: None } => "Proved for every eligible input.".to_owned(),
        ProofVerdict::Proved { longest: Some(longest) } => {
            format!(
                "Proved for every eligible input whose sequences and texts have at most {longest} elements."
            )
        }
        ProofVerdict::Vacuous => "No input is eligible: nothing was proved.".to_owned(),
        ProofVerdict::Refuted { .. } => "A proof found an input that violates it.".to_owned(),
        ProofVerdict::Unknown { .. } => "The proof was left open.".to_owned(),
    }
}
