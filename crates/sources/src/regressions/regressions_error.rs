//! Errors of saving and loading regressions.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::FORMAT_VERSION;

/// A regression could not be saved. No partly written file is left.
#[derive(Debug, thiserror::Error)]
#[error("cannot keep the regression in {}: {}", path.display(), reason(source))]
pub struct SaveError {
    /// The file, or the folder if the folder could not be made.
    pub path: PathBuf,
    /// The error of the file system.
    pub source: io::Error,
}

/// The error of the file system in words, with a hint on what to do.
fn reason(error: &io::Error) -> String {
    let hint = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space and run again",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "; make the folder writable",
        _ => "",
    };
    format!("{error}{hint}")
}

/// A regression could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct RegressionError {
    /// The file, or the folder if the folder could not be listed.
    pub path: PathBuf,
    pub(super) kind: Kind,
}

/// Why a regression could not be read.
#[derive(Debug)]
pub(super) enum Kind {
    Read(io::Error),
    Json(serde_json::Error),
    NoVersion,
    Version(String),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Read(e) => write!(f, "cannot read the regression: {e}"),
            Kind::Json(e) => write!(f, "not a counterexample that `dodona check` kept: {e}; mend the file or move it away"),
            Kind::NoVersion => {
                f.write_str("not a counterexample that `dodona check` kept: missing field `format_version`; mend the file or move it away")
            }
            Kind::Version(found) => write!(
                f,
                "regression of format {found}, this dodona reads format {FORMAT_VERSION}; use the dodona that wrote it, or delete the file"
            ),
        }
    }
}
