//! The overview at the head of the page: the answer in a few sentences, figures, and what to do next.

use dodona_records::{RunRecord, Share, SubjectRun};
use maud::{Markup, html};

use crate::Page;
use crate::changes::changes;
use crate::relations::TABLE;
use crate::sum::{Names, Sum, judged, score};
use crate::words::{counted, find, function_link, functions, share};

pub(crate) fn overview(page: &Page<'_>) -> Markup {
    let run = page.run;
    let sum = Sum::of(run);
    let judged = judged(run);
    let caught = score(run, &judged);
    html! {
        (answer(&sum, caught, is_seeded(run), &unfinished(run, &judged)))
        ul.tiles {
            (tile("Functions", &sum.functions.to_string(), "", "#functions"))
            (tile("Accepted, hold", &sum.hold.to_string(), &format!("{} proved", sum.proved), &relations("is:holding")))
            (tile("Accepted, violated", &sum.violated.to_string(), if sum.violated > 0 { "bad" } else { "" }, &relations("is:violated")))
            (tile("Accepted, never tested", &sum.never_tested.to_string(), "", &relations("is:untested")))
            (tile("Faults caught", &share(caught), "of those that inputs reveal", "#faults"))
            (tile("Found, to be judged", &sum.found.to_string(), if sum.found > 0 { "dodona accept" } else { "" }, &relations("is:to-judge")))
        }
        (next(page.next))
        (changes(page))
        @for subject in &run.subjects { (notes(subject)) }
    }
}

/// The answer in a few sentences.
fn answer(sum: &Sum, caught: Share, is_seeded: bool, unfinished: &Markup) -> Markup {
    let caught = match caught.total {
        0 if !is_seeded => "No faults were seeded, so nothing is known of what they catch.".to_owned(),
        0 => "No input reveals a fault that was seeded, so nothing is known of what they catch.".to_owned(),
        _ => format!("Accepted relations catch {} seeded faults that inputs reveal.", share(caught)),
    };
    let tested = sum.hold + sum.violated;
    html! {
        p.answer {
            @if tested == 0 {
                strong.weak { "No accepted relation was tested." }
                @if sum.found > 0 { " " (counted(sum.found, "relation")) " found by the run wait to be judged." }
            } @else if sum.violated > 0 {
                strong.bad { (sum.violated) " of " (counted(tested, "tested relation")) " violated." } " " (caught)
            } @else {
                strong.good { @if tested == 1 { "The accepted relation holds" } @else { "All " (tested) " accepted relations hold" } } " on the inputs that were tried. " (caught)
            }
            (unfinished)
        }
    }
}

/// Whether faults were seeded, or are to be: there are none of functions outside of WebAssembly.
fn is_seeded(run: &RunRecord) -> bool {
    functions(run).any(|(subject, function)| function.faults.is_some() || !subject.left.is_empty())
}

/// What is not known because the run ended before.
fn unfinished(run: &RunRecord, judged: &Names<'_>) -> Markup {
    let open: Vec<(&SubjectRun, &str)> = functions(run)
        .filter(|(subject, function)| function.faults.is_some() || !subject.left.is_empty())
        .map(|(subject, function)| (subject, function.function.as_str()))
        .filter(|(subject, function)| !judged.contains(&(subject.manifest.as_str(), function)))
        .collect();
    let left: usize = run.subjects.iter().map(|subject| subject.left.len()).sum();
    html! {
        @if left > 0 {
            " " strong.weak { "The run ended before everything was done: " (counted(left, "piece")) " of work " (if left == 1 { "is" } else { "are" }) " left for the next." }
        }
        @if let [first, rest @ ..] = open.as_slice() {
            " The faults of " (function_link(first.0, first.1))
            @if !rest.is_empty() { " and of " (counted(rest.len(), "other function")) }
            " were not all judged, and are not counted."
        }
    }
}

/// Where a link leads that leaves the relations with these words.
fn relations(words: &str) -> String {
    find(TABLE, words)
}

/// A figure that leads to what it counts.
fn tile(what: &str, figure: &str, more: &str, link: &str) -> Markup {
    let is_bad = more == "bad";
    html! {
        li class=[is_bad.then_some("bad")] {
            span.figure { (figure) }
            @if figure == "0" { span.what { (what) } } @else { a.what href=(link) { (what) } }
            @if !more.is_empty() && !is_bad { span.more { (more) } }
        }
    }
}

/// What to do next: commands, each with the reason.
fn next(steps: &[(String, String)]) -> Markup {
    html! {
        @if !steps.is_empty() {
            h3 { "Next" }
            ul { @for (command, why) in steps { li { code { (command) } " " (why) } } }
        }
    }
}

/// What went wrong beside the results, and what was left.
fn notes(subject: &SubjectRun) -> Markup {
    let failure = subject.failure.iter().map(|why| format!("could not be run: {why}"));
    let contradictions = subject.contradictions.iter().map(|why| format!("Dodona contradicts itself: {why}"));
    let left = (!subject.left.is_empty()).then(|| {
        let mut left = subject.left.clone();
        left.dedup();
        format!("left for the next run: {}", left.join(", "))
    });
    let notes: Vec<String> =
        failure.chain(contradictions).chain(left).chain(subject.warnings.iter().cloned()).collect();
    html! {
        @if !notes.is_empty() {
            h3 { "Warnings of " (subject.subject) }
            ul.notes { @for note in &notes { li { (note) } } }
        }
    }
}
