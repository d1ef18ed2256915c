//! Writes to standard output, to standard error and to files, and decides whether there are colours.

use std::cell::RefCell;
use std::io::Write as _;

use dodona_report::{Explained, Format, Report, Styles, WIDTH, fitted};
use dodona_sources::file::{Format as FileFormat, Records};

use crate::destination::Destination;
use crate::ending;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::visible::{is_coloured, visible, width};

/// What a command printed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The exit code.
    pub exit: u8,
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

thread_local! {
    /// Where output goes instead while it is captured. Verbs print from the thread that they are called on.
    static CAPTURED: RefCell<Option<Captured>> = const { RefCell::new(None) };
}

/// Runs a command and keeps what it prints.
pub(crate) fn captured(command: impl FnOnce() -> u8) -> Captured {
    // A command may be part of another one whose output is kept.
    let around = CAPTURED.replace(Some(Captured::default()));
    let exit = command();
    Captured { exit, ..CAPTURED.replace(around).unwrap_or_default() }
}

/// Whether output is kept for whoever called.
pub(crate) fn is_captured() -> bool {
    CAPTURED.with_borrow(Option::is_some)
}

/// Colours where a person looks at the standard output and has not asked for none, and lines as wide as there is room for.
pub(crate) fn styles() -> Styles {
    let colours = if is_coloured(&std::io::stdout()) { Styles::coloured() } else { Styles::plain() };
    colours.within(if is_captured() { WIDTH } else { width(&std::io::stdout()) })
}

/// The same for standard error.
pub(crate) fn error_styles() -> Styles {
    let colours = if is_coloured(&std::io::stderr()) { Styles::coloured() } else { Styles::plain() };
    colours.within(if is_captured() { WIDTH } else { width(&std::io::stderr()) })
}

/// Writes prose to standard output for people, in lines that fit.
pub(crate) fn screen(text: &str) -> Result<(), Failure> {
    write(&fitted(text, styles().width))
}

/// Writes to standard output for people: characters that nobody sees are written as escapes. A reader that has enough (`| head`) is no
/// error.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    document(&visible(text, is_coloured(&std::io::stdout())))
}

/// Prints a report on standard output.
pub(crate) fn report<R: Report + ?Sized>(record: &R, format: Format) -> Result<(), Failure> {
    let text = record.report(format, styles());
    if format == Format::Terminal { write(&text) } else { document(&text) }
}

/// Prints a report on standard output: where it is for people, the first screen, or all of it.
pub(crate) fn first_or_whole<R: Report + ?Sized>(
    record: &R,
    format: Format,
    all: bool,
) -> Result<(), Failure> {
    match format {
        Format::Terminal if all => write(&record.whole(styles())),
        other => report(record, other),
    }
}

/// Prints a report for people with how its result came about.
pub(crate) fn explanation(record: &impl Explained) -> Result<(), Failure> {
    screen(&record.explained(styles()))
}

/// Writes to standard output for programs: as it is.
pub(crate) fn document(text: &str) -> Result<(), Failure> {
    ending::answer();
    if keep(|captured| captured.stdout += text) {
        return Ok(());
    }
    let mut out = std::io::stdout();
    // A question ends without a line break, and would be held back until it is answered.
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write the report: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes to standard error for people, as [`write`] does. Nobody may be listening any more (`2>&1 | head`): the exit code says it all the
/// same.
pub(crate) fn complain(text: &str) {
    complain_document(&visible(text, is_coloured(&std::io::stderr())));
}

/// Writes prose to standard error for people, in lines that fit.
pub(crate) fn remark(text: &str) {
    complain(&fitted(text, error_styles().width));
}

/// Writes to standard error for programs: as it is.
pub(crate) fn complain_document(text: &str) {
    if !keep(|captured| captured.stderr += text) {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Prints what the parser of the command line has to say: help and the version, or what is wrong with the words; the exit code.
pub(crate) fn usage(told: &clap::Error) -> u8 {
    if told.use_stderr() {
        // It repeats words that were typed.
        match is_coloured(&std::io::stderr()) {
            true => complain(&told.render().ansi().to_string()),
            false => complain(&told.render().to_string()),
        }
        return u8::try_from(told.exit_code()).unwrap_or(Exit::Usage as u8);
    }
    let text = told.render().to_string();
    // A reader of the help that has enough (`| head`) is no error; a full disk is.
    let printed = if keep(|captured| captured.stdout += &text) { Ok(()) } else { told.print() };
    if printed.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe) {
        return Exit::Usage as u8;
    }
    u8::try_from(told.exit_code()).unwrap_or(Exit::Usage as u8)
}

/// Adds to what is captured; whether anything is.
fn keep(add: impl FnOnce(&mut Captured)) -> bool {
    CAPTURED.with_borrow_mut(|captured| captured.as_mut().map(add).is_some())
}

/// Writes inputs in an order: to a file, or to standard output.
pub(crate) fn write_records(
    file: Option<Destination<'_>>,
    records: &Records,
    order: &[usize],
    format: FileFormat,
) -> Result<(), Failure> {
    let Some(file) = file else {
        let mut bytes = Vec::new();
        records.write(order, format, &mut bytes).map_err(Failure::usage)?;
        return document(&String::from_utf8_lossy(&bytes));
    };
    file.write_with(|mut out| records.write(order, format, &mut out))
}
