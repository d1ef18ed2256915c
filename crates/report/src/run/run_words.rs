//! How a run is told: violations, scores, lines and lists, each short enough for a line.

use std::fmt::Write as _;

use dodona_records::{CallRecord, Counterexample, Share, statement};

use crate::text::{bindings, counted, one_line, short};

/// `gcd 2 of 14, sin 3 of 255, and of 4 more functions`, where there are so many functions in all.
pub(super) fn of_functions(told: &[String], all: usize) -> String {
    let others = match all - told.len() {
        0 => String::new(),
        others => format!(", and of {}", counted(others as u64, "more function")),
    };
    told.join(", ") + &others
}

/// `1 function gives`
pub(super) fn gives(functions: u64) -> String {
    let verb = if functions == 1 { "gives" } else { "give" };
    format!("{} {verb}", counted(functions, "function"))
}

/// `1 relation holds`
pub(super) fn counted_hold(count: u64) -> String {
    let verb = if count == 1 { "holds" } else { "hold" };
    format!("{} {verb}", counted(count, "relation"))
}

/// `catches 250 of 255 mutants (0.98), 254 with what was found`. Of a part of the mutants there is no ratio.
pub(super) fn caught(score: Share, with_found: Share, not_run: u64) -> String {
    if score.total == 0 && not_run == 0 {
        return "inputs reveal no mutant".to_owned();
    }
    let of = |share: Share| {
        let said = format!("{} of {} mutants", share.covered, share.total);
        match (share.covered * 100).checked_div(share.total) {
            // Two digits, rounded down: 1.00 means all.
            Some(hundredths) if not_run == 0 => {
                format!("{said} ({}.{:02})", hundredths / 100, hundredths % 100)
            }
            _ => format!("{said} so far"),
        }
    };
    let left = match not_run {
        0 => String::new(),
        left => format!(", {left} not run yet"),
    };
    let caught = match with_found.covered > score.covered {
        true if score.covered == 0 => format!("what was found catches {}", of(with_found)),
        true => format!("catches {}, {} with what was found", of(score), with_found.covered),
        false => format!("catches {}", of(score)),
    };
    caught + &left
}

/// Code in a report: on one line, between accents.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", short(&one_line(text)))
}

pub(super) fn value(text: &str) -> String {
    cut(&one_line(text))
}

/// So much of an input that a line stays readable; the record has all of it.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 72;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `  and 3 more lines`, where `what` is `more line`.
pub(super) fn more(out: &mut String, all: usize, shown: usize, what: &str) {
    if all > shown {
        _ = writeln!(out, "  and {} (--format json has all)", counted((all - shown) as u64, what));
    }
}

/// `p = 2, q = 1: gcd(p, q) gives 1, gcd(q, p) gives 2`
pub(super) fn violation(counterexample: &Counterexample) -> String {
    match counterexample.source.is_empty() {
        true => calls(counterexample),
        false => format!("{}: {}", cut(&bindings(&counterexample.source)), calls(counterexample)),
    }
}

/// What the calls of a violation give: `gcd(p, q) gives 1, gcd(q, p) gives 2`.
fn calls(counterexample: &Counterexample) -> String {
    const MOST: usize = 3;
    let call = |call: &CallRecord| {
        let given = match call.outputs.as_slice() {
            [] => call.outcome.clone(),
            outputs => bindings(outputs),
        };
        let verb = if call.outputs.is_empty() { "is" } else { "gives" };
        format!("{} {verb} {}", cut(&one_line(&call.text)), value(&given))
    };
    let told: Vec<String> = counterexample.calls.iter().take(MOST).map(call).collect();
    match told.is_empty() {
        true => short(&one_line(&counterexample.why)),
        false => told.join(", "),
    }
}

/// Lines as ranges: `lines 3, 7-9`.
pub(super) fn ranges(lines: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => parts.push((line, line)),
        }
    }
    let part = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}", parts.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// What a relation says, on one line and without its name.
pub(super) fn on_a_line(text: &str, name: &str) -> String {
    one_line(statement(text, name)).trim_start_matches(':').trim_start().to_owned()
}
