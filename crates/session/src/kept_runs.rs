//! Reads the runs that a session keeps, without holding it.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dodona_records::RunRecord;

use crate::SessionError;
use crate::database::readable;
use crate::error::unreadable;
use crate::session::{RunId, file_in};

/// The last run of a session.
#[derive(Clone, Debug)]
pub struct KeptRun {
    /// Its number.
    pub id: RunId,
    /// When it began, by the clock of its machine.
    pub started: SystemTime,
    /// How long it took, if it ended.
    pub took: Option<Duration>,
    /// Whether it ended, and how: a word of [`RunState::name`](crate::RunState::name).
    pub state: String,
    /// The version of Dodona.
    pub version: String,
    /// What it found, if it ended.
    pub record: Option<RunRecord>,
}

/// The last run of the session in a folder, ended or not; `None` if there was none.
///
/// # Errors
/// When there is no session, or one that cannot be read.
pub fn last_run(folder: &Path) -> Result<Option<KeptRun>, SessionError> {
    last_where(folder, "TRUE", [])
}

/// The last run in a folder of which it is known what it found; `None` if there was none.
///
/// # Errors
/// As [`last_run`].
pub fn last_run_with_record(folder: &Path) -> Result<Option<KeptRun>, SessionError> {
    last_where(folder, "record IS NOT NULL", [])
}

/// All runs in a folder of which it is known what they found, the last one first.
///
/// # Errors
/// As [`last_run`].
pub fn runs_with_records(folder: &Path) -> Result<Vec<KeptRun>, SessionError> {
    all_where(folder, "record IS NOT NULL", [], i64::MAX)
}

/// The run in a folder that is kept under a name; `None` if there is none.
///
/// # Errors
/// As [`last_run`].
pub fn named_run(folder: &Path, name: &str) -> Result<Option<KeptRun>, SessionError> {
    last_where(folder, "name = ?1", [name])
}

fn last_where(
    folder: &Path,
    condition: &str,
    values: impl rusqlite::Params,
) -> Result<Option<KeptRun>, SessionError> {
    Ok(all_where(folder, condition, values, 1)?.into_iter().next())
}

/// The last runs that meet a condition, the last one first.
fn all_where(
    folder: &Path,
    condition: &str,
    values: impl rusqlite::Params,
    most: i64,
) -> Result<Vec<KeptRun>, SessionError> {
    let path = file_in(folder);
    let connection = readable(&path)?;
    let failed = |error| SessionError::Database { path: path.clone(), error };
    let question = format!(
        "SELECT id, started, seconds, state, version, record FROM run WHERE {condition} ORDER BY id DESC LIMIT {most}"
    );
    let mut statement = connection.prepare(&question).map_err(failed)?;
    let rows = statement.query_map(values, |row| {
        let record: Option<String> = row.get(5)?;
        let started: i64 = row.get(1)?;
        let seconds: Option<f64> = row.get(2)?;
        let kept = KeptRun {
            id: RunId(row.get(0)?),
            started: UNIX_EPOCH + Duration::from_secs(started.max(0) as u64),
            took: seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            state: row.get(3)?,
            version: row.get(4)?,
            record: None,
        };
        Ok((kept, record))
    });
    let mut runs = Vec::new();
    for row in rows.map_err(failed)? {
        let (run, record) = row.map_err(failed)?;
        let record = record.map(|text| serde_json::from_str(&text)).transpose();
        runs.push(KeptRun { record: record.map_err(unreadable("a run"))?, ..run });
    }
    Ok(runs)
}
