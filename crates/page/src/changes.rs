//! How a run differs from the one before: relations, proofs and the score.

use dodona_records::{Change, RelationVerdict, RunRelation, SubjectRun};
use maud::{Markup, html};

use crate::Page;
use crate::sum::{Names, Sum, judged, score};
use crate::words::{counted, share};

pub(crate) fn changes(page: &Page<'_>) -> Markup {
    let Some(last) = page.past.last() else { return html! {} };
    let (Some(old), Some(new)) = (Sum::about(&last.record, page.run), Sum::about(page.run, &last.record))
    else {
        return html! {};
    };
    let mut told: Vec<Markup> = Vec::new();
    for subject in &page.run.subjects {
        if let Some(before) = last.record.subjects.iter().find(|other| other.subject == subject.subject) {
            relations(before, subject, &mut told);
        }
    }
    if old.proved != new.proved {
        told.push(html! { "proved: " (old.proved) " before, " (new.proved) " now" });
    }
    // A function whose faults one of the runs did not judge would change the score of the whole.
    let (before, now) = (judged(&last.record), judged(page.run));
    let both: Names<'_> = before.intersection(&now).copied().collect();
    let (before, now) = (score(&last.record, &both), score(page.run, &both));
    if before != now {
        let functions = counted(both.len(), "function");
        told.push(html! { "faults caught: " (share(before)) " before, " (share(now)) " now, of " (functions) " that both runs judged" });
    }
    html! {
        h3 { "Since the run before" }
        @if told.is_empty() {
            p { "Every accepted relation says the same as before, and they catch as many faults." }
        } @else {
            ul { @for one in &told { li { (one) } } }
        }
    }
}

/// Accepted relations that are new, gone, or judged otherwise.
fn relations(before: &SubjectRun, now: &SubjectRun, told: &mut Vec<Markup>) {
    let named = |relation: &RunRelation| html! { code { (relation.name()) } " of " (now.subject) };
    let mut new = 0;
    for relation in now.accepted() {
        let old = before.accepted().find(|old| old.name() == relation.name());
        match old.map(|old| Change::between(old.verdict(), relation.verdict())) {
            Some(Some(change)) => told.push(html! { strong { (change.words()) } ": " (named(relation)) }),
            Some(None) => {}
            None if relation.verdict() == RelationVerdict::Violated => {
                told.push(html! { strong { "new, and violated" } ": " (named(relation)) });
            }
            None => new += 1,
        }
    }
    if new > 0 {
        told.push(html! { (counted(new, "new relation")) " of " (now.subject) });
    }
    for old in before.accepted().filter(|old| now.accepted().all(|one| one.name() != old.name())) {
        told.push(html! { "no longer there: " code { (old.name()) } " of " (now.subject) });
    }
}
