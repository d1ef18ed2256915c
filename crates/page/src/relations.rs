//! The relations with their evidence, and those that are violated before all others.

use std::collections::HashMap;

use dodona_records::{
    MutantId, ProofVerdict, RelationState, RelationVerdict, RunRecord, RunRelation, Share, SubjectRun,
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
                    h3 { a href={ "#" (anchor("relation", &subject.subject, relation.name())) } { (relation.name()) } " of " (subject.subject) }
                    pre { code { (relation.check.text.trim()) } }
                    p { (evidence(relation)) }
                    @if let Some(found) = &relation.check.counterexample { (counterexample(found)) }
                }
            }
        }
    })
}

/// How many relations catch each fault of a subject.
fn catchers(run: &RunRecord) -> HashMap<(&str, MutantId), usize> {
    let mut catchers = HashMap::new();
    for (subject, function) in functions(run) {
        for relation in &function.relations {
            for mutant in relation.caught.iter().flatten() {
                *catchers.entry((subject.subject.as_str(), *mutant)).or_default() += 1;
            }
        }
    }
    catchers
}

/// All relations.
pub(crate) fn relations(run: &RunRecord) -> Option<Markup> {
    let catchers = catchers(run);
    let mut all: Vec<_> = functions(run)
        .flat_map(|(subject, function)| {
            function.relations.iter().map(move |relation| (subject, function, relation))
        })
        .collect();
    if all.is_empty() {
        return None;
    }
    let order = |relation: &RunRelation| match (relation.state, relation.verdict()) {
        (RelationState::Accepted, RelationVerdict::Violated) => 0,
        (RelationState::Accepted, RelationVerdict::Holds) => 2,
        (RelationState::Accepted, _) => 1,
        (RelationState::Found, _) => 3,
    };
    all.sort_by_key(|(_, _, relation)| order(relation));
    Some(html! {
        (filter("table-relations", "a relation, a function or a verdict"))
        div.scroll tabindex="0" role="region" aria-label="Relations" {
            table #table-relations {
                (sortable(&["Relation", "Function", "Verdict", "State", "Held", "Not eligible", "Catches", "Only it"]))
                tbody {
                    @for (subject, function, relation) in all {
                        @let caught = relation.caught.as_ref();
                        @let only = caught.map(|all| all.iter().filter(|id| catchers[&(subject.subject.as_str(), **id)] == 1).count());
                        tr id=(anchor("relation", &subject.subject, relation.name())) {
                            th scope="row" { (details(relation)) }
                            td { (function_link(subject, &function.function)) }
                            td data-sort=(verdict(relation).0) { (badge(relation)) }
                            td { (relation.state.name()) }
                            (share_cell(Some(eligible(relation))))
                            td.number { (relation.check.tally.groups() - eligible(relation).total) }
                            td.number { @match caught { Some(all) => (all.len()), None => "–" } }
                            td.number { @match only { Some(only) => (only), None => "–" } }
                        }
                    }
                }
            }
        }
    })
}

/// The name of a relation, which opens what is known of it.
fn details(relation: &RunRelation) -> Markup {
    html! {
        details {
            summary { code { (relation.name()) } }
            div.inside {
                pre { code { (relation.check.text.trim()) } }
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
    let mut said = format!("It holds for {covered} of {total} inputs that it speaks of");
    if groups > total {
        said += &format!("; {} more fulfil no condition, or are outside of a domain", groups - total);
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
