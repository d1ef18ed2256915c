//! The file of a session: opened, brought to the present format, or set aside.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::SessionError;

/// The version of the format that this code writes: how many migrations there are.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// What makes each version of the format out of the one before it. A released one is never changed.
const MIGRATIONS: &[&str] = &[include_str!("../schema/1.sql")];

/// What SQLite knows a session by: `Ddna`.
const APPLICATION: i64 = 0x4464_6e61;

/// How long a statement waits for another process. A reader never waits for long: in write-ahead mode it does not wait for a writer.
const BUSY: Duration = Duration::from_secs(10);

/// A file up to this size is looked through before it is written to, which takes some tens of milliseconds; of a larger one damage is noticed where it is met.
const LOOKED_THROUGH: u64 = 32 << 20;

/// Opens a session for writing and brings it to the present format. A damaged file is set aside, and the second result says so.
///
/// # Errors
/// When it is of a newer format or of another program, and when the file cannot be made.
pub(crate) fn writable(path: &Path) -> Result<(Connection, Option<String>), SessionError> {
    match attempt(path) {
        Ok(connection) => Ok((connection, None)),
        Err(error) if error.is_damage() => {
            let aside = set_aside(path)?;
            let warning = format!(
                "{} is damaged ({error}); it was moved to {}, and a new session is begun",
                path.display(),
                aside.display()
            );
            Ok((attempt(path)?, Some(warning)))
        }
        Err(error) => Err(error),
    }
}

fn attempt(path: &Path) -> Result<Connection, SessionError> {
    let failed = |error| SessionError::Database { path: path.to_owned(), error };
    let size = path.metadata().map_or(0, |about| about.len());
    let mut connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    let version = version(&connection, path)?;
    if 0 < size && size <= LOOKED_THROUGH {
        look_through(&connection).map_err(failed)?;
    }
    // A process that is killed leaves a whole database in this mode; only a machine that loses power may lose the last second.
    connection.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
    connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
    migrate(&mut connection, version).map_err(failed)?;
    Ok(connection)
}

/// Opens a session to be read.
///
/// # Errors
/// When there is none, or none that can be read.
pub(crate) fn readable(path: &Path) -> Result<Connection, SessionError> {
    if !path.exists() {
        return Err(SessionError::Missing(path.to_owned()));
    }
    let failed = |error| SessionError::Database { path: path.to_owned(), error };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    let connection = match connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())) {
        Ok(()) => connection,
        // In a folder that cannot be written there is nobody who writes.
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen) => {
            let address = format!("file:{}?immutable=1", escaped(path));
            Connection::open_with_flags(address, flags).map_err(failed)?
        }
        Err(error) => return Err(failed(error)),
    };
    let found = version(&connection, path)?;
    match found {
        SCHEMA_VERSION => Ok(connection),
        // An older format is brought to the present one by whoever may write.
        _ => Err(SessionError::Question(format!(
            "{} has the format {found} of an older Dodona; `dodona run` brings it to {SCHEMA_VERSION}",
            path.display()
        ))),
    }
}

/// A path as a part of the address of a file.
fn escaped(path: &Path) -> String {
    let text = path.display().to_string();
    text.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// The version of a file's format; 0 of an empty one.
fn version(connection: &Connection, path: &Path) -> Result<i64, SessionError> {
    let failed = |error| SessionError::Database { path: path.to_owned(), error };
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) =
        (pragma("application_id").map_err(failed)?, pragma("user_version").map_err(failed)?);
    let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
    if application != APPLICATION && tables.map_err(failed)? > 0 {
        return Err(SessionError::Foreign(path.to_owned()));
    }
    if version > SCHEMA_VERSION {
        return Err(SessionError::Newer { path: path.to_owned(), found: version, known: SCHEMA_VERSION });
    }
    Ok(version)
}

fn look_through(connection: &Connection) -> rusqlite::Result<()> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match found.as_str() {
        "ok" => Ok(()),
        _ => Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT),
            Some(found),
        )),
    }
}

fn migrate(connection: &mut Connection, from: i64) -> rusqlite::Result<()> {
    if from == SCHEMA_VERSION {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for migration in &MIGRATIONS[from as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()
}

/// Moves a damaged file, with its journal, to a name that is free.
fn set_aside(path: &Path) -> Result<PathBuf, SessionError> {
    let named = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let free = (1..).map(|number| named(&format!(".damaged-{number}"))).find(|path| !path.exists());
    let aside = free.unwrap_or_else(|| named(".damaged"));
    std::fs::rename(path, &aside).map_err(|error| SessionError::File {
        action: "move aside",
        path: path.to_owned(),
        error,
    })?;
    for suffix in ["-wal", "-shm"] {
        // What belongs to the damaged file goes with it; there may be none.
        let mut beside = aside.clone().into_os_string();
        beside.push(suffix);
        _ = std::fs::rename(named(suffix), beside);
    }
    Ok(aside)
}
