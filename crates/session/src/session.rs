//! A session, and the runs that begin and end in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dodona_records::{RelationVerdict, RunRecord, statement};
use rusqlite::{Connection, Transaction, params};

use crate::database::writable;
use crate::error::unreadable;
use crate::holder::Holder;
use crate::{Key, KeyBuilder, SessionError};

/// The name of a session's file in its folder.
const FILE: &str = "session.db";

/// How many of the last runs keep their whole record, which is by far the most that a run leaves. Verdicts of all runs are kept until they are cleaned away. Without this bound 2,000 runs
/// of 1,000 relations took 761 MB.
const WHOLE_RECORDS: i64 = 20;

/// The file of the session in a folder.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// A session that is held for writing.
pub struct Session {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    /// What is to be known of how it was opened: that a damaged one was set aside.
    pub warnings: Vec<String>,
    _holder: Option<Holder>,
}

/// The number of a run, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub i64);

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It has not ended, or its process was killed.
    Running,
    /// It did everything, or came to the end of its time.
    Finished,
    /// Somebody interrupted it.
    Interrupted,
}

impl RunState {
    /// The word of the database: `finished`.
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Finished => "finished",
            RunState::Interrupted => "interrupted",
        }
    }
}

/// A run that begins.
pub struct NewRun<'a> {
    /// Of Dodona.
    pub version: &'a str,
    /// The seed of everything random.
    pub seed: u64,
    /// Its options, as JSON.
    pub options: &'a str,
}

/// How a run ends.
pub struct EndedRun<'a> {
    /// Whether it came to its end.
    pub state: RunState,
    /// How long it took.
    pub took: Duration,
    /// What it found.
    pub record: &'a RunRecord,
    /// The name that it is kept under, which it takes from the run that had it. A run with a name is never cleaned away.
    pub name: Option<&'a str>,
}

impl Session {
    /// Opens the session in a folder, which is made if there is none, and holds it until it is dropped. If another process holds it, that is told to `waits` once, and
    /// this one waits, but not longer than `patience`.
    ///
    /// A run that the session has as running has ended, for nobody holds the session: it counts as interrupted.
    ///
    /// # Errors
    /// When a newer Dodona wrote it, when another process holds it, and when the folder cannot be written.
    pub fn open(
        folder: &Path,
        patience: Duration,
        waits: &mut dyn FnMut(&str),
    ) -> Result<Session, SessionError> {
        let failed = |error| SessionError::File { action: "make", path: folder.to_owned(), error };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let holder = Holder::take(&folder.join("session.lock"), patience, waits)?;
        let path = file_in(folder);
        let (connection, warning) = writable(&path)?;
        let warnings = warning.into_iter().collect();
        let session = Session { connection, path, warnings, _holder: Some(holder) };
        session.run_sql("UPDATE run SET state = 'interrupted' WHERE state = 'running'", [])?;
        Ok(session)
    }

    /// A session that is in memory alone, for a run whose folder cannot be written.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn in_memory() -> Result<Session, SessionError> {
        let path = PathBuf::from(":memory:");
        let (connection, _) = writable(&path)?;
        Ok(Session { connection, path, warnings: Vec::new(), _holder: None })
    }

    /// Begins a run.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn begin(&mut self, run: &NewRun<'_>) -> Result<RunId, SessionError> {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        // The database has signed integers alone; the bits are the same.
        let seed = run.seed as i64;
        self.run_sql(
            "INSERT INTO run (started, state, version, seed, options) VALUES (?1, 'running', ?2, ?3, ?4)",
            params![started, run.version, seed, run.options],
        )?;
        Ok(RunId(self.connection.last_insert_rowid()))
    }

    /// Ends a run with what it found. The whole records of the last twenty runs are kept, and of each run its verdicts.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn finish(&mut self, run: RunId, ended: &EndedRun<'_>) -> Result<(), SessionError> {
        let EndedRun { state, took, record, name } = *ended;
        let text = serde_json::to_string(record).map_err(unreadable("the run"))?;
        let path = self.path.clone();
        let failed = |error| SessionError::Database { path: path.clone(), error };
        let transaction = self.connection.transaction().map_err(failed)?;
        let end = || -> rusqlite::Result<()> {
            transaction.execute(
                "UPDATE run SET state = ?2, seconds = ?3, record = ?4 WHERE id = ?1",
                params![run.0, state.name(), took.as_secs_f64(), text],
            )?;
            if let Some(name) = name {
                transaction.execute("UPDATE run SET name = NULL WHERE name = ?1", [name])?;
                transaction.execute("UPDATE run SET name = ?2 WHERE id = ?1", params![run.0, name])?;
            }
            transaction.execute(
                "UPDATE run SET record = NULL WHERE record IS NOT NULL AND name IS NULL AND id <= ?1 - ?2",
                [run.0, WHOLE_RECORDS],
            )?;
            verdicts(&transaction, run, record)
        };
        end().and_then(|()| transaction.commit()).map_err(failed)
    }

    /// Lets the file grow no more, as on a full disk. For tests.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn limit_to_its_size(&self) -> Result<(), SessionError> {
        let pages = self.connection.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0));
        let limited = pages.and_then(|pages| {
            self.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
        });
        limited.map_err(|error| self.failed(error))
    }

    /// Runs a statement that answers nothing.
    pub(crate) fn run_sql(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize, SessionError> {
        self.connection.execute(sql, values).map_err(|error| self.failed(error))
    }

    pub(crate) fn failed(&self, error: rusqlite::Error) -> SessionError {
        SessionError::Database { path: self.path.clone(), error }
    }
}

/// The row of a subject, which has the name that it had last.
pub(crate) fn subject(transaction: &Transaction<'_>, path: &str, name: &str) -> rusqlite::Result<i64> {
    transaction.query_row(
        "INSERT INTO subject (path, name) VALUES (?1, ?2)
         ON CONFLICT (path) DO UPDATE SET name = excluded.name RETURNING id",
        [path, name],
        |row| row.get(0),
    )
}

fn verdicts(transaction: &Transaction<'_>, run: RunId, record: &RunRecord) -> rusqlite::Result<()> {
    let mut relation = transaction.prepare_cached(
        "INSERT INTO relation (subject, meaning, name, text) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (subject, meaning) DO UPDATE SET name = excluded.name RETURNING id",
    )?;
    let mut verdict = transaction.prepare_cached(
        "INSERT INTO verdict (run, relation, function, state, verdict, held, violated, groups, counterexample)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
    )?;
    for one in record.subjects.iter().filter(|one| one.failure.is_none()) {
        let subject = subject(transaction, &one.manifest, &one.subject)?;
        for function in &one.functions {
            for found in &function.relations {
                let check = &found.check;
                let meaning = meaning(&check.text, &check.name);
                let id: i64 = relation
                    .query_row(params![subject, meaning.0, check.name, check.text], |row| row.get(0))?;
                let counterexample = check.counterexample.as_ref().map(serde_json::to_string);
                verdict.execute(params![
                    run.0,
                    id,
                    function.function,
                    found.state.name(),
                    word(check.verdict()),
                    check.tally.held as i64,
                    check.tally.violated as i64,
                    check.tally.groups() as i64,
                    counterexample.and_then(Result::ok),
                ])?;
            }
        }
    }
    Ok(())
}

/// What a relation says, as a key.
fn meaning(text: &str, name: &str) -> Key {
    KeyBuilder::new("relation").with(statement(text, name)).key()
}

/// The word of the database for a verdict.
fn word(verdict: RelationVerdict) -> &'static str {
    match verdict {
        RelationVerdict::Holds => "holds",
        RelationVerdict::Violated => "violated",
        RelationVerdict::OnlyAllowed => "only-allowed",
        RelationVerdict::NeverEligible => "never-eligible",
        RelationVerdict::NotRun => "not-run",
    }
}
