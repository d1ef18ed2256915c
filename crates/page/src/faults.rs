//! Faults that inputs reveal and no accepted relation catches, as diffs at their lines.

use dodona_records::{Binding, FunctionRun, RunRecord, SubjectRun, SurvivingLine};
use maud::{Markup, html};

use crate::words::{counted, function_link, functions, inert};

/// Lines that are shown before the others are folded away.
const SHOWN: usize = 10;

pub(crate) fn faults(run: &RunRecord) -> Option<Markup> {
    let mut lines: Vec<(&SubjectRun, &FunctionRun, &SurvivingLine)> = functions(run)
        .flat_map(|(subject, function)| {
            let lines = function.faults.iter().flat_map(|faults| &faults.surviving);
            lines.map(move |line| (subject, function, line))
        })
        .collect();
    if lines.is_empty() {
        return None;
    }
    lines.sort_by_key(|(_, _, line)| std::cmp::Reverse(line.mutants.len()));
    let all: usize = lines.iter().map(|(_, _, line)| line.mutants.len()).sum();
    let (first, rest) = lines.split_at(lines.len().min(SHOWN));
    Some(html! {
        p { (counted(all, "fault")) " at " (counted(lines.len(), "place")) ". Each would be a change of the code that inputs can tell, and no accepted relation notices. At each place stands one of them." }
        @for (subject, function, line) in first { (fault(subject, function, line)) }
        @if !rest.is_empty() {
            details {
                summary { (counted(rest.len(), "more place")) }
                (inert(&html! { @for (subject, function, line) in rest { (fault(subject, function, line)) } }))
            }
        }
    })
}

fn fault(subject: &SubjectRun, function: &FunctionRun, line: &SurvivingLine) -> Markup {
    html! {
        article.fault {
            h3 { (line.place) " " span.aside { (counted(line.mutants.len(), "fault")) " in " (function_link(subject, &function.function)) } }
            (diff(line))
            p {
                "With " code { (Binding::list(&line.input)) } " the function gives " code { (line.expected) } ", the changed one " code { (line.found) } "."
                @if let Some(relation) = &line.would_catch { " The relation " code { (relation) } ", which was found, would catch it." }
            }
        }
    }
}

/// [`changed`] of faults in a line.
pub(crate) fn diff(line: &SurvivingLine) -> Markup {
    changed(line.source_line.as_deref(), &line.before, &line.after)
}

/// A line as it is, and as a fault has it. Where the changed code does not stand in the line as it is written, it was read from the compiled code, and the line stands above it.
pub(crate) fn changed(source: Option<&str>, before: &str, after: &str) -> Markup {
    let whole = source.filter(|source| source.matches(before).count() == 1);
    let (old, new) = match whole {
        Some(source) => (source.trim().to_owned(), source.replacen(before, after, 1).trim().to_owned()),
        None => (before.to_owned(), after.to_owned()),
    };
    html! {
        pre.diff {
            code {
                @if let (None, Some(source)) = (whole, source) { span.aside { "  " (source.trim()) "   (compiled:)" } "\n" }
                del { span.sign { "- " } (old) } ins { span.sign { "+ " } (new) }
            }
        }
    }
}
