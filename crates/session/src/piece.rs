//! Pieces of work: kept once, and found again by what they depend on.

use std::time::Duration;

use dodona_records::{CoverageRecord, Judgement, MutationRecord};
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::bits::to_bits;
use crate::error::unreadable;
use crate::session::{RunId, Session, subject};
use crate::{Key, SessionError, ShardPiece};

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

impl Session {
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
}

impl Session {
    /// Gives all pieces of a run, done by it or kept before, in the order in which they were first done. One of them is in memory at a time.
    ///
    /// # Errors
    /// When the database cannot be read, and what `each` fails with.
    pub fn each_piece<E: From<SessionError>>(
        &self,
        run: RunId,
        each: &mut dyn FnMut(ShardPiece) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| E::from(self.failed(error));
        let mut statement = self
            .connection
            .prepare(
                "SELECT key, kind, path, name, about, seconds, record
                 FROM run_piece JOIN piece ON piece = piece.id JOIN subject ON subject = subject.id
                 WHERE run = ?1 ORDER BY piece.id",
            )
            .map_err(failed)?;
        let rows = statement.query_map([run.0], |row| {
            Ok(ShardPiece {
                key: Key(row.get(0)?),
                kind: row.get(1)?,
                subject: row.get(2)?,
                subject_name: row.get(3)?,
                about: row.get(4)?,
                seconds: row.get(5)?,
                record: row.get(6)?,
            })
        });
        for row in rows.map_err(failed)? {
            each(row.map_err(failed)?)?;
        }
        Ok(())
    }

    /// Keeps the pieces of shards, as if this run had done them, all of them or none. Of two with the same key the first one is kept.
    ///
    /// # Errors
    /// When the database cannot be written, and what `next` fails with.
    pub fn take_pieces<E: From<SessionError>>(
        &mut self,
        run: RunId,
        next: &mut dyn FnMut() -> Result<Option<ShardPiece>, E>,
    ) -> Result<(), E> {
        let path = self.path.clone();
        let failed = |error| E::from(SessionError::Database { path: path.clone(), error });
        let transaction = self.connection.transaction().map_err(failed)?;
        while let Some(piece) = next()? {
            let ShardPiece { key, kind, subject, subject_name, about, seconds, record } = &piece;
            let unread = |error| E::from(unreadable(&format!("{kind} of {about}"))(error));
            let mutation =
                (kind == "mutate").then(|| serde_json::from_str(record)).transpose().map_err(unread)?;
            let coverage =
                (kind == "cover").then(|| serde_json::from_str(record)).transpose().map_err(unread)?;
            let took = Duration::try_from_secs_f64(*seconds).unwrap_or_default();
            let new = NewPiece {
                key: *key,
                kind,
                subject,
                subject_name,
                about,
                took,
                record,
                mutation: mutation.as_ref(),
                coverage: coverage.as_ref(),
            };
            insert(&transaction, run, &new).map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }
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
