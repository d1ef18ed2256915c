use std::path::PathBuf;

/// Why a session cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A newer Dodona wrote it.
    #[error(
        "{path} was written by a newer Dodona: its format is {found}, and this one reads up to {known}; use that version, or move the file away",
        path = .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: i64,
        /// The version of this Dodona's format.
        known: i64,
    },
    /// There is none.
    #[error("there is no session at {path}; `dodona run SUBJECT` makes one", path = .0.display())]
    Missing(PathBuf),
    /// Another run holds it, and did not end while this one waited.
    #[error("{path} is held by {holder}; it may be used when that ends", path = .path.display())]
    Held {
        /// The file.
        path: PathBuf,
        /// Who holds it, in words.
        holder: String,
    },
    /// A file of another program stands where the session would.
    #[error("{path} is a database of another program; move it away", path = .0.display())]
    Foreign(PathBuf),
    /// A file or folder cannot be made, read or renamed.
    #[error("cannot {action} {path}: {error}", path = .path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The database refuses.
    #[error("{path}: {error}", path = .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        error: rusqlite::Error,
    },
    /// A question of a person cannot be answered.
    #[error("{0}")]
    Question(String),
    /// What is kept cannot be understood.
    #[error("what is kept of {what} cannot be read: {error}; `dodona clean --all` begins anew")]
    Record {
        /// Of what.
        what: String,
        /// Why not.
        error: serde_json::Error,
    },
}

impl SessionError {
    /// Whether only writing fails: the disk is full, or the file or its folder may not be written.
    pub fn is_about_writing(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure};
        match self {
            SessionError::File { .. } => true,
            SessionError::Database { error, .. } => matches!(
                error.sqlite_error_code(),
                Some(CannotOpen | DiskFull | PermissionDenied | ReadOnly | SystemIoFailure)
            ),
            _ => false,
        }
    }

    /// Whether the database itself is damaged, and not what was asked of it.
    pub(crate) fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        let SessionError::Database { error, .. } = self else { return false };
        matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
    }
}

/// The error that a record which is kept cannot be read, or one cannot be written.
pub(crate) fn unreadable(what: &str) -> impl FnOnce(serde_json::Error) -> SessionError {
    let what = what.to_owned();
    move |error| SessionError::Record { what, error }
}
