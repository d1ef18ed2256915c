//! What is written: to the standard output, and whether in colours; and to files.

use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::Path;

use dodona_report::Styles;
use dodona_sources::file::{Format, Records};

use crate::failure::Failure;

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
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::usage(format!("cannot write the report: {error}")))
        }
        _ => Ok(()),
    }
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
        _ if file.is_dir() => Err(Failure::usage(format!("cannot write {}: it is a folder", file.display()))),
        folder => {
            let probe = folder.unwrap_or(Path::new(".")).join(format!(".dodona-{}.tmp", std::process::id()));
            let written = std::fs::write(&probe, b"");
            let _ = std::fs::remove_file(&probe);
            written.map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))
        }
    }
}

/// Writes inputs in an order: to a file whole or not at all, or to standard output.
pub(crate) fn write_records(
    file: Option<&Path>,
    records: &Records,
    order: &[usize],
    format: Format,
) -> Result<(), Failure> {
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
