//! Writes to standard output, to standard error and to files, and decides whether there are colours.

use std::cell::RefCell;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::Path;

use dodona_report::Styles;
use dodona_sources::file::{Format, Records};

use crate::ending;
use crate::exit::Exit;
use crate::failure::Failure;

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
    CAPTURED.set(Some(Captured::default()));
    let exit = command();
    Captured { exit, ..CAPTURED.take().unwrap_or_default() }
}

/// Whether output is kept for whoever called.
pub(crate) fn is_captured() -> bool {
    CAPTURED.with_borrow(Option::is_some)
}

/// Colours where a person looks at the standard output and has not asked for none.
pub(crate) fn styles() -> Styles {
    let coloured = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if coloured { Styles::coloured() } else { Styles::plain() }
}

/// The same for standard error.
pub(crate) fn error_styles() -> Styles {
    let coloured = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if coloured { Styles::coloured() } else { Styles::plain() }
}

/// Writes to standard output. A reader that has enough (`| head`) is no error.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
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

/// Writes to standard error. Nobody may be listening any more (`2>&1 | head`): the exit code says it all the same.
pub(crate) fn complain(text: &str) {
    if !keep(|captured| captured.stderr += text) {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// Prints what the parser of the command line has to say: help and the version, or what is wrong with the words; the exit code.
pub(crate) fn usage(told: &clap::Error) -> u8 {
    let text = told.render().to_string();
    let kept = match told.use_stderr() {
        true => keep(|captured| captured.stderr += &text),
        false => keep(|captured| captured.stdout += &text),
    };
    // A reader of the help that has enough (`| head`) is no error; a full disk is.
    let printed = if kept { Ok(()) } else { told.print() };
    if printed.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe) {
        return Exit::Usage as u8;
    }
    u8::try_from(told.exit_code()).unwrap_or(Exit::Usage as u8)
}

/// Adds to what is captured; whether anything is.
fn keep(add: impl FnOnce(&mut Captured)) -> bool {
    CAPTURED.with_borrow_mut(|captured| captured.as_mut().map(add).is_some())
}

/// What can be wrong with a file that is to be written is said before the long run, not after it.
pub(crate) fn check_writable(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::usage(format!(
            "cannot write {}: there is no folder {}",
            file.display(),
            folder.display()
        ))),
        _ => dodona_sources::check_writable(file)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display()))),
    }
}

/// Writes inputs in an order: to a file whole or not at all, or to standard output.
pub(crate) fn write_records(
    file: Option<&Path>,
    records: &Records,
    order: &[usize],
    format: Format,
) -> Result<(), Failure> {
    ending::answer();
    let Some(file) = file else {
        let mut bytes = Vec::new();
        records.write(order, format, &mut bytes).map_err(Failure::usage)?;
        return write(&String::from_utf8_lossy(&bytes));
    };
    let written = dodona_sources::write_atomically_with(file, |out| {
        let mut out = BufWriter::new(out);
        records.write(order, format, &mut out)?;
        out.flush()
    });
    written.map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))
}
