//! The functions, each on a line: those with violations first, then those whose faults are caught least.

use dodona_records::{FunctionRun, RelationState, RelationVerdict, RunRecord, SubjectRun};
use maud::{Markup, html};

use crate::words::{anchor, filter, functions as all, share_cell, sortable};

pub(crate) fn functions(run: &RunRecord) -> Option<Markup> {
    let mut rows: Vec<(&SubjectRun, &FunctionRun)> = all(run).collect();
    if rows.is_empty() {
        return None;
    }
    rows.sort_by_key(|(_, function)| {
        let uncaught =
            function.faults.as_ref().map_or(0, |faults| faults.revealed.len() as u64 - faults.caught);
        (
            std::cmp::Reverse(count(function, RelationState::Accepted, RelationVerdict::Violated)),
            std::cmp::Reverse(uncaught),
        )
    });
    Some(html! {
        @if rows.len() > 10 { (filter("table-functions", "a function")) }
        div.scroll tabindex="0" role="region" aria-label="Functions" {
            table #table-functions {
                (sortable(&["Function", "Of", "#Hold", "#Violated", "#Never tested", "#Found", "#Faults caught", "#Lines run", "#Directions of branches run"]))
                tbody { @for (subject, function) in rows { (row(subject, function)) } }
            }
        }
    })
}

fn row(subject: &SubjectRun, function: &FunctionRun) -> Markup {
    let accepted = |verdict| count(function, RelationState::Accepted, verdict);
    let never = accepted(RelationVerdict::NeverEligible)
        + accepted(RelationVerdict::OnlyAllowed)
        + accepted(RelationVerdict::NotRun);
    let violated = accepted(RelationVerdict::Violated);
    let coverage = function.coverage.as_ref();
    html! {
        tr id=(anchor("function", subject, &function.function)) {
            th scope="row" { code { (function.function) } }
            td title=(subject.manifest) { (subject.subject) }
            td.number { (accepted(RelationVerdict::Holds)) }
            td.number.bad[violated > 0] { (violated) }
            td.number { (never) }
            td.number { (count(function, RelationState::Found, RelationVerdict::Holds)) }
            (share_cell(function.faults.as_ref().map(|faults| faults.score())))
            (share_cell(coverage.map(|coverage| coverage.statements)))
            (share_cell(coverage.map(|coverage| coverage.branches)))
        }
    }
}

fn count(function: &FunctionRun, state: RelationState, verdict: RelationVerdict) -> usize {
    function.relations.iter().filter(|r| r.state == state && r.verdict() == verdict).count()
}
