//! Standard output: what is written there, and whether in colours.

use std::io::{IsTerminal as _, Write as _};

use dodona_report::Styles;

use crate::failure::Failure;

/// Colours where a person looks at the standard output and has not asked for none.
pub(crate) fn styles() -> Styles {
    let coloured = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
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
