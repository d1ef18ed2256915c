//! The overview: what a reader needs to know who reads nothing else.

use dodona_records::{Change, FunctionRun, RelationState, RelationVerdict, RunRecord, Share, SubjectRun};
use maud::{Markup, html};

use crate::Page;
use crate::words::{counted, share};

/// What all functions add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) functions: usize,
    /// Accepted relations that hold, are violated, and were never tested.
    pub(crate) hold: usize,
    pub(crate) violated: usize,
    pub(crate) never_tested: usize,
    pub(crate) proved: usize,
    /// Relations that were found and hold, and that nobody accepted yet.
    pub(crate) found: usize,
    /// Faults that inputs reveal, and those of them that accepted relations catch.
    pub(crate) score: Share,
    /// The degree of adequacy.
    pub(crate) adequacy: Share,
}

impl Sum {
    /// Of a whole run.
    pub(crate) fn of(run: &RunRecord) -> Sum {
        Sum::about(run, run).unwrap_or_default()
    }

    /// Of what a run found of subjects that another run is about too; `None` where it is about none of them. Figures of different subjects say nothing of each other.
    pub(crate) fn about(run: &RunRecord, other: &RunRecord) -> Option<Sum> {
        let is_in_both =
            |subject: &&SubjectRun| other.subjects.iter().any(|one| one.subject == subject.subject);
        let mut subjects = run.subjects.iter().filter(is_in_both).peekable();
        subjects.peek()?;
        Some(Sum::of_functions(subjects.flat_map(|subject| &subject.functions)))
    }

    fn of_functions<'r>(functions: impl Iterator<Item = &'r FunctionRun>) -> Sum {
        let mut sum = Sum {
            score: Share { covered: 0, total: 0 },
            adequacy: Share { covered: 0, total: 0 },
            ..Sum::default()
        };
        for function in functions {
            sum.functions += 1;
            for relation in &function.relations {
                match (relation.state, relation.verdict()) {
                    (RelationState::Accepted, RelationVerdict::Holds) => {
                        sum.hold += 1;
                        sum.proved += usize::from(relation.is_proved());
                    }
                    (RelationState::Accepted, RelationVerdict::Violated) => sum.violated += 1,
                    (RelationState::Accepted, _) => sum.never_tested += 1,
                    (RelationState::Found, RelationVerdict::Holds) => sum.found += 1,
                    (RelationState::Found, _) => {}
                }
            }
            if let Some(faults) = &function.faults {
                let Share { covered, total } = faults.score();
                sum.score = Share { covered: sum.score.covered + covered, total: sum.score.total + total };
            }
            if let Some(adequacy) = &function.adequacy {
                let Share { covered, total } = adequacy.degree;
                sum.adequacy =
                    Share { covered: sum.adequacy.covered + covered, total: sum.adequacy.total + total };
            }
        }
        sum
    }
}

pub(crate) fn overview(page: &Page<'_>) -> Markup {
    let run = page.run;
    let sum = Sum::of(run);
    html! {
        (answer(&sum))
        ul.tiles {
            (tile("Functions", &sum.functions.to_string(), ""))
            (tile("Relations that hold", &sum.hold.to_string(), &format!("{} proved", sum.proved)))
            (tile("Violated", &sum.violated.to_string(), if sum.violated > 0 { "bad" } else { "" }))
            (tile("Never tested", &sum.never_tested.to_string(), ""))
            (tile("Faults caught", &share(sum.score), "of those that inputs reveal"))
            (tile("Found, to be judged", &sum.found.to_string(), "dodona accept"))
        }
        (changes(page))
        @for subject in &run.subjects { (notes(subject)) }
    }
}

/// The answer in a sentence.
fn answer(sum: &Sum) -> Markup {
    let caught = match sum.score.total {
        0 => "No input reveals a fault that was seeded, so nothing is known of what they catch.".to_owned(),
        _ => format!("They catch {} seeded faults that inputs reveal.", share(sum.score)),
    };
    let tested = sum.hold + sum.violated;
    html! {
        p.answer {
            @if tested == 0 {
                strong.weak { "No accepted relation was tested." }
                @if sum.found > 0 { " " (counted(sum.found, "relation")) " found by the run wait to be judged." }
            } @else if sum.violated > 0 {
                strong.bad { (sum.violated) " of " (counted(tested, "relation")) " violated." } " " (caught)
            } @else {
                strong.good { "All " (counted(tested, "accepted relation")) " hold" } " on the inputs that were tried. " (caught)
            }
        }
    }
}

fn tile(what: &str, figure: &str, more: &str) -> Markup {
    let is_bad = more == "bad";
    html! {
        li class=[is_bad.then_some("bad")] {
            span.figure { (figure) }
            span.what { (what) }
            @if !more.is_empty() && !is_bad { span.more { (more) } }
        }
    }
}

/// What is otherwise than in the run before.
fn changes(page: &Page<'_>) -> Markup {
    let Some(last) = page.past.last() else { return html! {} };
    let before = |subject: &str, name: &str| {
        let subject = last.record.subjects.iter().find(|other| other.subject == subject)?;
        subject.accepted().find(|relation| relation.name() == name)
    };
    let mut changed: Vec<(Change, &SubjectRun, &str)> = Vec::new();
    for subject in &page.run.subjects {
        for relation in subject.accepted() {
            let change = before(&subject.subject, relation.name())
                .and_then(|old| Change::between(old.verdict(), relation.verdict()));
            changed.extend(change.map(|change| (change, subject, relation.name())));
        }
    }
    let (Some(old), Some(new)) = (Sum::about(&last.record, page.run), Sum::about(page.run, &last.record))
    else {
        return html! {};
    };
    html! {
        h3 { "Since the run before" }
        @if changed.is_empty() && old.score == new.score {
            p { "No verdict on an accepted relation is another one, and the score is the same." }
        } @else {
            ul {
                @for (change, subject, name) in &changed {
                    li { strong { (change.words()) } ": " code { (name) } " of " (subject.subject) }
                }
                @if old.score != new.score {
                    li { "faults caught, of subjects of both runs: " (share(old.score)) " before, " (share(new.score)) " now" }
                }
            }
        }
    }
}

/// What went wrong beside the results, and what was left.
fn notes(subject: &SubjectRun) -> Markup {
    let failure = subject.failure.iter().map(|why| format!("could not be run: {why}"));
    let contradictions = subject.contradictions.iter().map(|why| format!("Dodona contradicts itself: {why}"));
    let left =
        (!subject.left.is_empty()).then(|| format!("left for the next run: {}", subject.left.join(", ")));
    let unread = (subject.unread > 0).then(|| {
        format!("{} could be run on no relation", counted(subject.unread as usize, "kept counterexample"))
    });
    let notes: Vec<String> = failure
        .chain(contradictions)
        .chain(left)
        .chain(unread)
        .chain(subject.warnings.iter().cloned())
        .collect();
    html! {
        @if !notes.is_empty() {
            h3 { "To be known of " (subject.subject) }
            ul.notes { @for note in &notes { li { (note) } } }
        }
    }
}
