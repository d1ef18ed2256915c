//! Pieces of work, and the runs that they belong to.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dodona_records::{CoverageRecord, Judgement, MutationRecord, RelationVerdict, RunRecord, statement};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::bits::to_bits;
use crate::database::{readable, writable};
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
    path: PathBuf,
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

/// A piece of work that is finished.
pub struct NewPiece<'a> {
    /// What it depends on.
    pub key: Key,
    /// The kind of work: `check`.
    pub kind: &'a str,
    /// The path of the subject's manifest, from the session's folder.
    pub subject: &'a str,
    /// The subject's name.
    pub subject_name: &'a str,
    /// The function or relation that it is about.
    pub about: &'a str,
    /// How long it took.
    pub took: Duration,
    /// Its result, as JSON.
    pub record: &'a str,
    /// Where it is a mutation analysis: its mutants, and which tests kill them.
    pub mutation: Option<&'a MutationRecord>,
    /// Where it is a measurement of coverage: what was run.
    pub coverage: Option<&'a CoverageRecord>,
}

/// The last run of a session.
#[derive(Clone, Debug)]
pub struct KeptRun {
    /// Its number.
    pub id: RunId,
    /// When it began, by the clock of its machine.
    pub started: SystemTime,
    /// How long it took, if it ended.
    pub took: Option<Duration>,
    /// Whether it ended, and how: a word of [`RunState::name`].
    pub state: String,
    /// The version of Dodona.
    pub version: String,
    /// What it found, if it ended.
    pub record: Option<RunRecord>,
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

    /// The result of a piece of work, if it is kept. It belongs to this run from now on.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub fn piece(&mut self, run: RunId, key: Key) -> Result<Option<String>, SessionError> {
        let Some((id, record)) = self.row(key)? else { return Ok(None) };
        self.run_sql(
            "INSERT INTO run_piece (run, piece, reused) VALUES (?1, ?2, 1) ON CONFLICT DO NOTHING",
            [run.0, id],
        )?;
        Ok(Some(record))
    }

    /// The result of a piece of work, if it is kept, for whoever cannot note that it is used once more.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn peek(&self, key: Key) -> Result<Option<String>, SessionError> {
        Ok(self.row(key)?.map(|(_, record)| record))
    }

    fn row(&self, key: Key) -> Result<Option<(i64, String)>, SessionError> {
        let found = self.connection.prepare_cached("SELECT id, record FROM piece WHERE key = ?1");
        let found = found.and_then(|mut statement| {
            let row =
                statement.query_row([key.0], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)));
            row.optional()
        });
        found.map_err(|error| self.failed(error))
    }

    /// Forgets a piece of work.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn forget(&mut self, key: Key) -> Result<(), SessionError> {
        self.run_sql("DELETE FROM piece WHERE key = ?1", [key.0]).map(drop)
    }

    /// Lets all pieces of the subject that was kept under a key belong to this run too: those of the run that put it together.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn adopt(&mut self, run: RunId, key: Key) -> Result<(), SessionError> {
        self.run_sql(
            "INSERT INTO run_piece (run, piece, reused)
             SELECT ?1, other.piece, 1
             FROM piece AS whole
             JOIN run_piece AS done ON done.piece = whole.id AND done.run <> ?1
             JOIN run_piece AS other ON other.run = done.run
             JOIN piece AS part ON part.id = other.piece AND part.subject = whole.subject
             WHERE whole.key = ?2
             ON CONFLICT DO NOTHING",
            params![run.0, key.0],
        )?;
        Ok(())
    }

    /// Keeps a piece of work, with what can be asked of it, in one transaction.
    ///
    /// # Errors
    /// When the database cannot be written: nothing of the piece is kept then.
    pub fn keep(&mut self, run: RunId, piece: &NewPiece<'_>) -> Result<(), SessionError> {
        let path = self.path.clone();
        let failed = |error| SessionError::Database { path: path.clone(), error };
        let transaction = self.connection.transaction().map_err(failed)?;
        insert(&transaction, run, piece).and_then(|()| transaction.commit()).map_err(failed)
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

pub(crate) fn unreadable(what: &str) -> impl FnOnce(serde_json::Error) -> SessionError {
    let what = what.to_owned();
    move |error| SessionError::Record { what, error }
}

fn insert(transaction: &Transaction<'_>, run: RunId, piece: &NewPiece<'_>) -> rusqlite::Result<()> {
    let subject = subject(transaction, piece.subject, piece.subject_name)?;
    transaction.execute(
        "INSERT INTO piece (key, kind, subject, about, seconds, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (key) DO NOTHING",
        params![piece.key.0, piece.kind, subject, piece.about, piece.took.as_secs_f64(), piece.record],
    )?;
    let id: i64 =
        transaction.query_row("SELECT id FROM piece WHERE key = ?1", [piece.key.0], |row| row.get(0))?;
    transaction.execute(
        "INSERT INTO run_piece (run, piece, reused) VALUES (?1, ?2, 0) ON CONFLICT DO NOTHING",
        [run.0, id],
    )?;
    if let Some(record) = piece.mutation {
        kills(transaction, subject, id, record)?;
    }
    if let Some(CoverageRecord { function, statements, branches, .. }) = piece.coverage {
        transaction.execute(
            "INSERT INTO coverage VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
            params![
                id,
                function,
                statements.total as i64,
                statements.covered as i64,
                branches.total as i64,
                branches.covered as i64
            ],
        )?;
    }
    Ok(())
}

/// The row of a subject, which has the name that it had last.
fn subject(transaction: &Transaction<'_>, path: &str, name: &str) -> rusqlite::Result<i64> {
    transaction.query_row(
        "INSERT INTO subject (path, name) VALUES (?1, ?2)
         ON CONFLICT (path) DO UPDATE SET name = excluded.name RETURNING id",
        [path, name],
        |row| row.get(0),
    )
}

/// Notes the mutants of an analysis, and which of them each of its tests kills.
fn kills(
    transaction: &Transaction<'_>,
    subject: i64,
    piece: i64,
    record: &MutationRecord,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO mutant (subject, key, operator, place, before, after) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (subject, key) DO UPDATE SET place = excluded.place RETURNING id",
    )?;
    let mut ids = Vec::with_capacity(record.mutants.len());
    for mutant in &record.mutants {
        let place = mutant.places.first().map(ToString::to_string).unwrap_or_default();
        let values = params![subject, mutant.key, mutant.operator, place, mutant.before, mutant.after];
        ids.push(insert.query_row(values, |row| row.get::<_, i64>(0))?);
    }
    let note = |test: &str, is_in: &dyn Fn(usize) -> bool| {
        let set: Vec<i64> = (0..ids.len()).filter(|&place| is_in(place)).map(|place| ids[place]).collect();
        let (first, bits) = to_bits(&set);
        transaction.execute(
            "INSERT INTO kills (piece, test, first, mutants) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            params![piece, test, first, bits],
        )
    };
    let mutants = &record.mutants;
    note("counted", &|place| mutants[place].is_scored())?;
    note("revealed", &|place| mutants[place].revealed_by.is_some())?;
    note("killed", &|place| mutants[place].judgement == Judgement::Killed)?;
    for relation in &record.relations {
        let by = |place: usize| mutants[place].killed_by.iter().any(|kill| kill.relation == relation.name);
        note(&format!("relation {}", relation.name), &by)?;
    }
    Ok(())
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
