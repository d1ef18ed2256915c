//! A run's pieces: taken from the session where they are kept, and kept there when they are done.

use std::time::{Duration, Instant};

use dodona_records::{
    AdequacyRecord, CheckRecord, CompositionRecord, CoverageRecord, DiscoveryRecord, IdentificationRecord,
    MutationRecord, ProofRecord, SubjectRun,
};
use dodona_session::{Key, NewPiece, RunId, Session, SessionError};
use dodona_workbench::LabError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a subject could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It cannot be opened, or an engine failed.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// What is kept of it cannot be read.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// A kind of result that can be kept.
pub(crate) trait Piece: Serialize + DeserializeOwned {
    /// The mutants and what kills them, where it is of mutants.
    fn mutation(&self) -> Option<&MutationRecord> {
        None
    }

    /// What was run, where it is of coverage.
    fn coverage(&self) -> Option<&CoverageRecord> {
        None
    }
}

impl Piece for DiscoveryRecord {}
impl Piece for IdentificationRecord {}
impl Piece for CheckRecord {}
impl Piece for ProofRecord {}
impl Piece for AdequacyRecord {}
impl Piece for SubjectRun {}

/// What was composed; nothing where the relations cannot be.
impl Piece for Option<CompositionRecord> {}

impl Piece for MutationRecord {
    fn mutation(&self) -> Option<&MutationRecord> {
        Some(self)
    }
}

impl Piece for CoverageRecord {
    fn coverage(&self) -> Option<&CoverageRecord> {
        Some(self)
    }
}

/// The pieces of a subject in a run.
pub struct Kept<'s> {
    session: &'s mut Session,
    run: RunId,
    /// The path of its manifest, from the folder of the session.
    subject: String,
    subject_name: String,
    /// Why nothing more is kept, if something could not be.
    broken: Option<String>,
    /// How many pieces were done and not found.
    done: u64,
}

impl<'s> Kept<'s> {
    /// Of the subject with this manifest, by its path from the folder of the session.
    pub fn new(session: &'s mut Session, run: RunId, subject: String, subject_name: String) -> Kept<'s> {
        Kept { session, run, subject, subject_name, broken: None, done: 0 }
    }

    /// The path of the subject's manifest, from the folder of the session.
    pub(crate) fn manifest(&self) -> &str {
        &self.subject
    }

    /// Why pieces could not be kept, so that the next run does them again.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// How many pieces were done, because they were not kept.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The whole run of the subject, if nothing has changed that it depends on. The pieces that it was put together from belong to this run too.
    ///
    /// # Errors
    /// When the session cannot be read.
    pub fn subject(&mut self, key: Key) -> Result<Option<SubjectRun>, RunError> {
        let found = self.find(key)?;
        if found.is_some()
            && let Err(error) = self.session.adopt(self.run, key)
        {
            self.broken.get_or_insert_with(|| error.to_string());
        }
        Ok(found)
    }

    /// Keeps the whole run of the subject.
    pub fn keep_subject(&mut self, key: Key, took: Duration, record: &SubjectRun) {
        let name = self.subject_name.clone();
        self.put(key, "subject", &name, took, record);
    }

    /// A piece that is kept. One that cannot be read any more counts as none.
    pub(crate) fn find<T: Piece>(&mut self, key: Key) -> Result<Option<T>, RunError> {
        let found = match self.session.piece(self.run, key) {
            Ok(found) => found,
            // That it is used once more could not be noted: the disk is full, or the file may not be written. What is kept serves all the same.
            Err(error) => {
                self.broken.get_or_insert_with(|| error.to_string());
                self.session.peek(key)?
            }
        };
        let Some(text) = found else { return Ok(None) };
        Ok(serde_json::from_str(&text).ok())
    }

    /// Keeps a piece that was done. Where the session cannot be written, the run goes on without it.
    pub(crate) fn keep<T: Piece>(&mut self, key: Key, kind: &str, about: &str, took: Duration, result: &T) {
        self.done += 1;
        self.put(key, kind, about, took, result);
    }

    fn put<T: Piece>(&mut self, key: Key, kind: &str, about: &str, took: Duration, result: &T) {
        if self.broken.is_some() {
            return;
        }
        let record = match serde_json::to_string(result) {
            Ok(record) => record,
            Err(error) => {
                self.broken = Some(error.to_string());
                return;
            }
        };
        let piece = NewPiece {
            key,
            kind,
            subject: &self.subject,
            subject_name: &self.subject_name,
            about,
            took,
            record: &record,
            mutation: result.mutation(),
            coverage: result.coverage(),
        };
        if let Err(error) = self.session.keep(self.run, &piece) {
            self.broken = Some(error.to_string());
        }
    }

    /// Keeps what is known of other pieces by now, in place of what was known before.
    pub(crate) fn replace<T: Piece>(&mut self, key: Key, kind: &str, about: &str, result: &T) {
        if self.broken.is_none()
            && let Err(error) = self.session.forget(key)
        {
            self.broken = Some(error.to_string());
        }
        self.put(key, kind, about, Duration::ZERO, result);
    }

    /// A piece: kept, or done now. `make` also tells whether it is whole; what was cut short is not kept.
    pub(crate) fn piece<T: Piece>(
        &mut self,
        key: Key,
        kind: &str,
        about: &str,
        make: impl FnOnce() -> Result<Made<T>, LabError>,
    ) -> Result<Made<T>, RunError> {
        self.piece_if(key, kind, about, &|_| true, make)
    }

    /// [`Kept::piece`], whose result is kept only if it is such a one.
    pub(crate) fn piece_if<T: Piece>(
        &mut self,
        key: Key,
        kind: &str,
        about: &str,
        is_kept: &dyn Fn(&T) -> bool,
        make: impl FnOnce() -> Result<Made<T>, LabError>,
    ) -> Result<Made<T>, RunError> {
        if let Some(result) = self.find(key)? {
            return Ok(Made { result, is_whole: true });
        }
        let begun = Instant::now();
        let made = make()?;
        if made.is_whole && is_kept(&made.result) {
            self.keep(key, kind, about, begun.elapsed(), &made.result);
        }
        Ok(made)
    }
}

/// The result of a piece of work.
pub(crate) struct Made<T> {
    pub(crate) result: T,
    /// Whether it came to its end, and was not cut short by the clock or an interruption.
    pub(crate) is_whole: bool,
}
