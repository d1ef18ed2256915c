//! What stopped a command, shown with the source line and a caret where there is one.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use dodona_subject::Diagnostic;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource};

use crate::exit::Exit;

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
        match &self.what {
            What::Message(message) => format!("error: {message}\n"),
            What::Problems { path, text, problems } => {
                problems.iter().map(|problem| render_problem(path, text, problem)).collect()
            }
        }
    }
}

fn render_problem(path: &Path, text: &str, problem: &Diagnostic) -> String {
    let label = if problem.label.is_empty() { "here" } else { &problem.label };
    let end = problem.span.end.min(text.len());
    let start = problem.span.start.min(end);
    let mut report = MietteDiagnostic::new(problem.message.clone())
        .with_label(LabeledSpan::at(start..end.max(start), label));
    if let Some(hint) = &problem.hint {
        report = report.with_help(hint.clone());
    }
    let source = NamedSource::new(path.display().to_string(), text.to_owned());
    let report = miette::Report::from(report).with_source_code(source);
    let theme = match colours() {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::unicode_nocolor(),
    };
    let mut out = String::from("error: ");
    // Writing to a `String` cannot fail; should the renderer refuse, the plain sentence is left.
    if GraphicalReportHandler::new_themed(theme)
        .with_width(100)
        .render_report(&mut out, report.as_ref())
        .is_err()
    {
        let (line, column) = problem.line_column(text);
        let _ = write!(out, "{}:{line}:{column}: {}", path.display(), problem.message);
    }
    // The sentence comes on the first line, as every other error has it.
    out.replacen("error:   × ", "error: ", 1)
}

fn colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
