//! A run that is put together from its shards.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;

use dodona_records::SubjectRun;
use dodona_session::{RunId, Session, SessionError, ShardError, ShardHead, ShardSet};
use dodona_subject::Manifest;

use super::{AskedArgs, WorkArgs, key_of, manifest, once, options, shard};
use crate::args::JobsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::session::failure;
use crate::shards;

/// The shards of a run, all of them.
pub(crate) struct Shards {
    set: ShardSet,
    head: ShardHead,
    /// The runs of subjects of which nothing is kept between runs, by their manifests, once they are read.
    outside: RefCell<BTreeMap<String, SubjectRun>>,
    /// How many pieces of work no shard had.
    done: Cell<u64>,
}

/// Puts a run together from its shards, and prints it. How many pieces of work no shard had, with its exit code.
///
/// # Errors
/// When the shards are of other code than what is here, one cannot be read any more, or the session cannot be written.
pub(crate) fn run(
    set: ShardSet,
    head: &ShardHead,
    work: &WorkArgs,
    asked: &AskedArgs,
) -> Result<(Exit, u64), Failure> {
    let shards = Shards { set, head: head.clone(), outside: RefCell::default(), done: Cell::new(0) };
    shards.are_of_this(work, asked.jobs)?;
    let exit = once((work, asked), Some(&shards), interrupt::listen())?;
    Ok((exit, shards.done.get()))
}

/// Whether shards are of what is here.
///
/// # Errors
/// When they are not.
pub(crate) fn are_of_this(head: &ShardHead, work: &WorkArgs, jobs: JobsArgs) -> Result<(), Failure> {
    let options = options(work, jobs);
    let here = |path: &PathBuf| manifest(path).and_then(|manifest| key_of(&manifest, &options));
    shards::are_of_this(head, work.paths.iter().map(here))
}

/// Why a piece could not be handed on.
enum Unread {
    Shard(ShardError),
    Record(serde_json::Error),
    Session(SessionError),
}

impl From<SessionError> for Unread {
    fn from(error: SessionError) -> Unread {
        Unread::Session(error)
    }
}

impl Shards {
    /// Whether they are of what is here.
    pub(super) fn are_of_this(&self, work: &WorkArgs, jobs: JobsArgs) -> Result<(), Failure> {
        are_of_this(&self.head, work, jobs)
    }

    /// Keeps all pieces in a session, as if a run had done them, but for whole runs of subjects of which a session keeps nothing.
    pub(super) fn give_pieces(&self, session: &mut Session, run: RunId) -> Result<(), Failure> {
        let mut pieces = self.set.pieces();
        let mut next = || loop {
            let Some(piece) = pieces.next().transpose().map_err(Unread::Shard)? else { return Ok(None) };
            if piece.kind != shard::OUTSIDE {
                return Ok(Some(piece));
            }
            let record = serde_json::from_str(&piece.record).map_err(Unread::Record)?;
            self.outside.borrow_mut().insert(piece.subject, record);
        };
        session.take_pieces(run, &mut next).map_err(|error| match error {
            Unread::Session(error) => failure(error),
            Unread::Shard(error) => shards::unreadable(error),
            Unread::Record(error) => Failure::usage(format!("a shard holds what is no run: {error}")),
        })
    }

    /// The run of a subject of which nothing is kept.
    pub(super) fn outside(&self, manifest: &Manifest) -> Option<SubjectRun> {
        self.outside.borrow().get(&manifest.path.display().to_string()).cloned()
    }

    /// Notes how many pieces of a subject no shard had.
    pub(super) fn note_done(&self, pieces: u64) {
        self.done.set(self.done.get() + pieces);
    }
}
