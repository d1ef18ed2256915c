//! A run that is put together from its shards.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::path::Path;

use clap::{FromArgMatches as _, Subcommand as _};
use dodona_records::SubjectRun;
use dodona_session::{
    RunId, Session, SessionError, ShardError, ShardHead, ShardPiece, ShardReader, ShardSet,
};
use dodona_subject::Manifest;

use super::super::Verb;
use super::{AskedArgs, WorkArgs, manifest, once, options, shard, subject_key, version};
use crate::args::JobsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::session::failure;

/// The shards of a run, all of them.
pub(crate) struct Shards {
    set: ShardSet,
    /// The runs of subjects of which nothing is kept between runs, by their manifests, once they are read.
    outside: RefCell<BTreeMap<String, SubjectRun>>,
    /// How many pieces of work no shard had.
    done: Cell<u64>,
}

/// Puts a run together from its shards, and prints it. How many pieces of work no shard had, with its exit code.
///
/// # Errors
/// When the shards are of another version or other code than what is here, one cannot be read any more, or the session cannot be written.
pub(crate) fn run(set: ShardSet, head: &ShardHead, asked: &AskedArgs) -> Result<(Exit, u64), Failure> {
    let work = work(&head.command)?;
    is_of_this(head, &work, asked.jobs)?;
    let shards = Shards { set, outside: RefCell::default(), done: Cell::new(0) };
    let exit = once((&work, asked), Some(&shards), interrupt::listen())?;
    Ok((exit, shards.done.get()))
}

/// The work of a run by the words of its command.
fn work(command: &[String]) -> Result<WorkArgs, Failure> {
    let definition = Verb::augment_subcommands(clap::Command::new("dodona").no_binary_name(true));
    let typed = definition.try_get_matches_from(command);
    let parsed = typed.and_then(|typed| Verb::from_arg_matches(&typed));
    match parsed {
        Ok(Verb::Run(args)) => Ok(args.work),
        _ => {
            Err(Failure::usage(format!("the shards are of `dodona {}`, which is no run", command.join(" "))))
        }
    }
}

/// Whether the shards are of this build of Dodona and of what is here.
fn is_of_this(head: &ShardHead, work: &WorkArgs, jobs: JobsArgs) -> Result<(), Failure> {
    let refused = |why: String| Err(Failure::usage(format!("the shards are of another run: {why}")));
    if head.version != version() {
        return refused(format!("Dodona {} wrote them, and this is {}", head.version, version()));
    }
    let options = options(work, jobs);
    for (path, subject) in work.paths.iter().zip(&head.subjects) {
        let here = manifest(path).and_then(|manifest| subject_key(&manifest, &options));
        let here = here.map(|key| key.to_string()).unwrap_or_default();
        if here != subject.key {
            return refused(format!(
                "the code, the relations or the counterexamples of {} are others here; merge in a folder with what the shards ran",
                subject.manifest
            ));
        }
    }
    Ok(())
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
    /// Keeps all pieces in a session, as if a run had done them, but for whole runs of subjects of which a session keeps nothing.
    pub(super) fn give_pieces(&self, session: &mut Session, run: RunId) -> Result<(), Failure> {
        let mut files: VecDeque<&Path> = self.set.files.iter().map(|file| file.path.as_path()).collect();
        let mut reader: Option<ShardReader<File>> = None;
        let mut next = || -> Result<Option<ShardPiece>, Unread> {
            loop {
                if let Some(open) = &mut reader {
                    match open.piece().map_err(Unread::Shard)? {
                        Some(piece) if piece.kind == shard::OUTSIDE => {
                            let record = serde_json::from_str(&piece.record).map_err(Unread::Record)?;
                            self.outside.borrow_mut().insert(piece.subject, record);
                        }
                        Some(piece) => return Ok(Some(piece)),
                        None => reader = None,
                    }
                }
                let Some(path) = files.pop_front() else { return Ok(None) };
                reader = Some(ShardReader::open(path).map_err(Unread::Shard)?);
            }
        };
        session.take_pieces(run, &mut next).map_err(|error| match error {
            Unread::Session(error) => failure(error),
            Unread::Shard(error) => Failure::usage(format!("a shard cannot be read any more: {error}")),
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
