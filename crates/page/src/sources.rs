//! Sources with the lines that inputs run, and the faults that no accepted relation catches at their lines.

use std::collections::{BTreeMap, BTreeSet};

use dodona_records::{Share, SubjectRun, SurvivingLine};
use maud::{Markup, html};

use crate::Page;
use crate::code;
use crate::faults::diff;
use crate::words::{anchor, counted, inert};

/// Files with fewer lines than this, all together, stand in the page as they are; others are inert until they are opened. A browser takes some 0.3 s for so many.
const SHOWN: usize = 5000;

/// What is known of a file.
#[derive(Default)]
struct File<'r> {
    run: BTreeSet<u32>,
    never_run: BTreeSet<u32>,
    faults: BTreeMap<u32, Vec<&'r SurvivingLine>>,
    /// Directions of branches, by line.
    branches: BTreeMap<u32, Share>,
}

pub(crate) fn sources(page: &Page<'_>) -> Option<Markup> {
    let mut shown: Vec<(&SubjectRun, &str, File<'_>, String)> = Vec::new();
    let mut missing: Vec<&str> = Vec::new();
    for subject in &page.run.subjects {
        for (name, file) in files(subject) {
            match (page.source)(subject, name) {
                Some(text) => shown.push((subject, name, file, text)),
                None => missing.push(name),
            }
        }
    }
    if shown.is_empty() && missing.is_empty() {
        return None;
    }
    let lines: usize = shown.iter().map(|(_, _, _, text)| text.lines().count()).sum();
    Some(html! {
        p { span.mark.run { "run" } " by some input, " span.mark.never { "never run" } ", " span.half { "1/2" } " directions of branches taken, " span.mark.fault { "with faults" } " that no accepted relation catches. Lines without a mark have no code of their own in the compiled function." }
        @for (subject, name, file, text) in &shown {
            details.source id=(anchor("source", subject, name)) {
                summary {
                    code { (name) } " " span.aside {
                        (file.run.len()) " of " (counted(file.run.len() + file.never_run.len(), "line")) " run"
                        @let faults: usize = file.faults.values().flatten().map(|line| line.mutants.len()).sum();
                        @if faults > 0 { ", " (counted(faults, "fault")) " not caught" }
                    }
                }
                @if lines <= SHOWN { (table(name, text, file)) } @else { (inert(&table(name, text, file))) }
            }
        }
        @if !missing.is_empty() {
            p { "Not at hand: " @for (index, name) in missing.iter().enumerate() { @if index > 0 { ", " } code { (name) } } "." }
        }
    })
}

/// The files of a subject.
fn files(subject: &SubjectRun) -> BTreeMap<&str, File<'_>> {
    let mut files: BTreeMap<&str, File<'_>> = BTreeMap::new();
    for function in &subject.functions {
        for lines in function.coverage.iter().flat_map(|coverage| &coverage.files) {
            let file = files.entry(lines.file.as_str()).or_default();
            file.run.extend(&lines.run);
            file.never_run.extend(&lines.never_run);
            for (line, share) in &lines.branches {
                // Which directions they are is not known here: together, functions take at least what one of them does.
                let known = file.branches.entry(*line).or_insert(*share);
                known.covered = known.covered.max(share.covered);
            }
        }
        for line in function.faults.iter().flat_map(|faults| &faults.surviving) {
            if let (Some(name), Some(number)) = (&line.place.file, line.place.line) {
                files.entry(name.as_str()).or_default().faults.entry(number).or_default().push(line);
            }
        }
    }
    for file in files.values_mut() {
        // What one function does not run, another one may.
        let File { run, never_run, .. } = file;
        never_run.retain(|line| !run.contains(line));
    }
    files
}

fn table(name: &str, text: &str, file: &File<'_>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label={ "Source of " (name) } {
            table.code { tbody {
                @for (number, line) in (1_u32..).zip(code::lines(name, text)) {
                    @let faults = file.faults.get(&number);
                    @let class = if file.run.contains(&number) { "run" } else if file.never_run.contains(&number) { "never" } else { "" };
                    tr class=(class) {
                        td.number { (number) }
                        td.state { @match class { "run" => "✓", "never" => span title="never run" { "✗" }, _ => "" } (directions(file.branches.get(&number))) }
                        td { code { (line) } @if let Some(faults) = faults { (notes(faults)) } }
                    }
                }
            } }
        }
    }
}

/// How many directions of the branches of a line were taken, where some were not.
fn directions(branches: Option<&Share>) -> Markup {
    html! {
        @if let Some(Share { covered, total }) = branches.filter(|share| share.covered < share.total) {
            " " span.half title={ (covered) " of " (total) " directions of branches" } { (covered) "/" (total) }
        }
    }
}

/// The faults of a line.
fn notes(faults: &[&SurvivingLine]) -> Markup {
    let count: usize = faults.iter().map(|line| line.mutants.len()).sum();
    html! {
        details.note {
            summary { (counted(count, "fault")) " not caught" }
            @for line in faults { (diff(line)) }
        }
    }
}
