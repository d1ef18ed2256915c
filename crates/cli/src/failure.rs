//! What stopped a command, shown with the source line and a caret where there is one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dodona_target::{Diagnostic, seen, with_escapes};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource};

use crate::exit::Exit;
use crate::visible::{is_coloured, width};

/// Why a command ends without a result.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    what: What,
}

#[derive(Debug)]
enum What {
    Message(String),
    Problems { path: PathBuf, text: String, problems: Vec<Diagnostic> },
}

impl Failure {
    /// A failure in one sentence.
    pub(crate) fn new(exit: Exit, message: impl std::fmt::Display) -> Self {
        Failure { exit, what: What::Message(message.to_string()) }
    }

    /// Bad usage or input in one sentence.
    pub(crate) fn usage(message: impl std::fmt::Display) -> Self {
        Failure::new(Exit::Usage, message)
    }

    /// Problems in a text that a person wrote.
    pub(crate) fn problems(path: &Path, text: &str, problems: Vec<Diagnostic>) -> Self {
        let what = What::Problems { path: path.to_owned(), text: text.to_owned(), problems };
        Failure { exit: Exit::Usage, what }
    }

    /// The words for standard error.
    pub(crate) fn render(&self) -> String {
        self.rendered(colours())
    }

    /// The words for a report, without colours.
    pub(crate) fn words(&self) -> String {
        let words = self.rendered(false);
        words.strip_prefix("error: ").unwrap_or(&words).trim_end().to_owned()
    }

    fn rendered(&self, coloured: bool) -> String {
        match &self.what {
            What::Message(message) => format!("error: {message}\n"),
            What::Problems { path, text, problems } => {
                let shown = problems.iter().take(MOST_PROBLEMS);
                let mut out: String =
                    shown.map(|problem| render_problem(path, text, problem, coloured)).collect();
                if let Some(more @ 1..) = problems.len().checked_sub(MOST_PROBLEMS) {
                    out += &format!("error: {} has {more} more problems like these\n", path.display());
                }
                out
            }
        }
    }
}

/// So many problems of one file are shown. Nobody mends more in one go, and each takes time that grows with the file.
const MOST_PROBLEMS: usize = 20;

/// A line of more bytes is not shown whole: a caret under it would stand many screens away from its text.
const LONGEST_LINE: usize = 300;

/// So many characters are shown on either side of the place in a line that is too long.
const AROUND: usize = 60;

fn render_problem(path: &Path, text: &str, problem: &Diagnostic, coloured: bool) -> String {
    let label = if problem.label.is_empty() { "here" } else { &problem.label };
    let end = problem.span.end.min(text.len());
    let start = problem.span.start.min(end);
    if longest_line(text, start, end) > LONGEST_LINE {
        return render_part_of_line(path, text, problem, label);
    }
    // The place in the text as it is shown.
    let shown = |place: usize| with_escapes(&text[..text.floor_char_boundary(place)]).len();
    let mut report = MietteDiagnostic::new(problem.message.clone())
        .with_label(LabeledSpan::at(shown(start)..shown(end), label));
    if let Some(hint) = &problem.hint {
        report = report.with_help(hint.clone());
    }
    let source = NamedSource::new(with_escapes(&path.display().to_string()), with_escapes(text).into_owned());
    let report = miette::Report::from(report).with_source_code(source);
    let theme = match coloured {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    let mut out = String::from("error: ");
    // Writing to a `String` cannot fail; should the renderer refuse, the plain sentence is left.
    if GraphicalReportHandler::new_themed(theme)
        .with_width(width(&std::io::stderr()))
        .render_report(&mut out, report.as_ref())
        .is_err()
    {
        let (line, column) = problem.line_column(text);
        let _ = write!(out, "{}:{line}:{column}: {}", path.display(), problem.message);
    }
    // The sentence comes on the first line, as every other error has it.
    out.replacen("error:   × ", "error: ", 1)
}

/// The length of the longest line that is shown for a place: those that it stands on, and the neighbours on both sides.
fn longest_line(text: &str, start: usize, end: usize) -> usize {
    let before = text.as_bytes()[..start].iter().rev().enumerate().filter(|(_, b)| **b == b'\n').nth(1);
    let first = before.map_or(0, |(back, _)| start - back);
    let after = text.as_bytes()[end..].iter().enumerate().filter(|(_, b)| **b == b'\n').nth(1);
    let last = after.map_or(text.len(), |(forward, _)| end + forward);
    text.as_bytes()[first..last].split(|b| *b == b'\n').map(<[u8]>::len).max().unwrap_or(0)
}

/// A problem on a line that is too long to be shown: the part of the line around it.
fn render_part_of_line(path: &Path, text: &str, problem: &Diagnostic, label: &str) -> String {
    let (line, column) = problem.line_column(text);
    let shown: Vec<char> = text.lines().nth(line - 1).unwrap_or("").chars().collect();
    let at = (column - 1).min(shown.len());
    let (from, to) = (at.saturating_sub(AROUND), (at + AROUND).min(shown.len()));
    let end = problem.span.end.min(text.len());
    let marked = text
        .get(problem.span.start..end)
        .map_or(1, |marked| marked.lines().next().unwrap_or("").chars().count());
    let left = if from > 0 { "…" } else { "" };
    let right = if to < shown.len() { "…" } else { "" };
    // What nobody sees takes one column, so that the carets stand below their characters.
    let excerpt: String = shown[from..to].iter().collect();
    let excerpt: String =
        seen(&excerpt).map(|(c, is_seen)| if is_seen { c } else { char::REPLACEMENT_CHARACTER }).collect();
    let pad = " ".repeat(left.chars().count() + at - from);
    let carets = "^".repeat(marked.clamp(1, (to - at).max(1)));
    let hint = problem.hint.as_ref().map_or(String::new(), |hint| format!("  help: {hint}\n"));
    let place = format!("{}:{line}:{column}", path.display());
    format!(
        "error: {}\n  {place}\n    {left}{excerpt}{right}\n    {pad}{carets} {label}\n{hint}",
        problem.message
    )
}

fn colours() -> bool {
    is_coloured(&std::io::stderr())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, problems: Vec<Diagnostic>) -> String {
        Failure::problems(Path::new("a.mr"), text, problems).render()
    }

    #[test]
    fn of_a_long_line_the_part_around_the_place_is_shown() {
        let text =
            format!("relation a: true\nrelation b: {}ö(x) == 1 and true\n", "x == x and ".repeat(50_000));
        let at = text.find('ö').expect("it stands there");
        let out =
            told(&text, vec![Diagnostic::new(at..at + 2, "unknown function `ö`").hint("did you mean `o`?")]);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "error: unknown function `ö`");
        assert_eq!(lines[1], "  a.mr:2:550013");
        let caret = lines[3].chars().position(|c| c == '^').expect("a caret");
        assert_eq!(lines[2].chars().nth(caret), Some('ö'), "{out}");
        assert!(lines[2].starts_with("    …") && out.len() < 500, "{out}");
        assert_eq!(lines[4], "  help: did you mean `o`?");
    }

    #[test]
    fn a_place_at_the_end_of_a_long_text_is_shown() {
        let text = format!("relation a: {}", "(".repeat(1000));
        let out = told(
            &text,
            vec![Diagnostic::new(text.len()..text.len(), "expected an expression, found the end")],
        );
        assert!(out.contains("a.mr:1:1013") && out.contains("^ here"), "{out}");
    }

    #[test]
    fn of_many_problems_the_first_are_shown_and_the_others_counted() {
        let text = "x\n".repeat(50_000);
        let problems = (0..50_000).map(|i| Diagnostic::new(2 * i..2 * i + 1, "unknown")).collect();
        let out = told(&text, problems);
        assert_eq!(out.matches("error: unknown\n").count(), MOST_PROBLEMS);
        assert!(out.ends_with("error: a.mr has 49980 more problems like these\n"), "{out}");
    }

    #[test]
    fn a_place_beyond_the_text_is_no_reason_to_panic() {
        for text in ["", "a\n", &"b".repeat(9000)] {
            let out = told(text, vec![Diagnostic::new(99_999..99_999, "ends too soon")]);
            assert!(out.contains("ends too soon"), "{out}");
        }
    }
}
