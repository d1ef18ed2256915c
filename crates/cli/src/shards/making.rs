//! One shard while it is being made. What is done of it is kept in a session of its own until its file is written, so that a shard that was ended goes on from there.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dodona_records::RunRecord;
use dodona_session::{
    EndedRun, Key, KeyBuilder, NewPiece, NewRun, RunId, RunState, Session, SessionError, ShardError,
    ShardHead, ShardPiece, ShardWriter,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Standing, UnitsOf, standing};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{complain, write};
use crate::session::{SessionArgs, failure};

/// The kind of a piece that says that the work on a subject failed.
pub(super) const FAILED: &str = "failed";

/// A shard that is being made.
pub(crate) struct Making {
    head: ShardHead,
    file: PathBuf,
    own: SessionArgs,
    begun: Instant,
    /// The session of the shard alone.
    pub(crate) session: Session,
    /// Its run.
    pub(crate) run: RunId,
}

/// What a piece of work is.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    /// What it depends on.
    pub(crate) key: Key,
    /// The kind of work: `check`.
    pub(crate) kind: &'a str,
    /// The path of the subject's manifest.
    pub(crate) subject: &'a str,
    pub(crate) subject_name: &'a str,
    /// What it is about.
    pub(crate) about: &'a str,
}

impl Making {
    /// Begins to make the shard in a folder; nothing where its file is there, which is told.
    ///
    /// # Errors
    /// When the file or the session cannot be written, or the file is a whole shard of another command.
    pub(crate) fn begin(
        head: ShardHead,
        to: &Path,
        sessions: &Path,
        new: &NewRun<'_>,
    ) -> Result<Option<Making>, Failure> {
        let file = to.join(head.shard.file_name());
        if is_done(&file, &head)? {
            return Ok(None);
        }
        std::fs::create_dir_all(to)
            .and_then(|()| dodona_sources::check_writable(&file))
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))?;
        // One for each shard of each command, so that those that run at the same time do not wait for each other, and that none takes what was done with other options for its own.
        let own = SessionArgs { folder: sessions.join(format!("shard-{}", digest(&head)?)) };
        crate::session::ignore(sessions);
        let (session, run) = own.begin(new)?;
        // Another process may have made it, while this one waited for the session.
        if is_done(&file, &head)? {
            return Ok(None);
        }
        if let Standing::Stale(why) = standing(&file, &head)? {
            complain(&format!("warning: {} is replaced: {why}\n", file.display()));
        }
        Ok(Some(Making { head, file, own, begun: Instant::now(), session, run }))
    }

    /// Notes that the work on a subject failed here: where the shards are merged it is done once more, and fails there too, or does not.
    ///
    /// # Errors
    /// When the session cannot be written.
    pub(crate) fn note_failed(&mut self, subject: &str) -> Result<(), Failure> {
        let key = KeyBuilder::new(FAILED).with(subject).key();
        let piece = Piece { key, kind: FAILED, subject, subject_name: subject, about: subject };
        self.piece(piece, || Ok(Some(()))).map(drop)
    }

    /// A piece: as it is kept, or made now; nothing where `make` gives nothing.
    ///
    /// # Errors
    /// What `make` fails with, and when the session cannot be written: a shard without some of its pieces is none.
    pub(crate) fn piece<T: Serialize + DeserializeOwned>(
        &mut self,
        piece: Piece<'_>,
        make: impl FnOnce() -> Result<Option<T>, Failure>,
    ) -> Result<Option<T>, Failure> {
        let kept = self.session.piece(self.run, piece.key).map_err(failure)?;
        if let Some(made) = kept.and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(Some(made));
        }
        let begun = Instant::now();
        let Some(made) = make()? else { return Ok(None) };
        let record = serde_json::to_string(&made).map_err(|error| Failure::new(Exit::Mistake, error))?;
        let Piece { key, kind, subject, subject_name, about } = piece;
        let new = NewPiece {
            key,
            kind,
            subject,
            subject_name,
            about,
            took: begun.elapsed(),
            record: &record,
            mutation: None,
            coverage: None,
        };
        self.session.keep(self.run, &new).map_err(failure)?;
        Ok(Some(made))
    }

    /// Does units of the work on a subject one after the other, as far as they are not kept yet, and up to one of which `run` gives nothing.
    ///
    /// # Errors
    /// As [`Making::piece`].
    pub(crate) fn units<T: Serialize + DeserializeOwned>(
        &mut self,
        of: &UnitsOf<'_>,
        units: impl Iterator<Item = Range<u64>>,
        mut run: impl FnMut(&Range<u64>) -> Result<Option<T>, Failure>,
    ) -> Result<(), Failure> {
        let UnitsOf { kind, items, subject, subject_name, .. } = of;
        for unit in units {
            let about = format!("{items} from {} to {}", unit.start, unit.end);
            let piece = Piece { key: of.key(&unit), kind, subject, subject_name, about: &about };
            if self.piece(piece, || run(&unit))?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Notes that it was ended before all was done, and tells what is left. The same command goes on there.
    ///
    /// # Errors
    /// When the session cannot be written.
    pub(crate) fn leave(mut self, left: &str, record: &RunRecord) -> Result<Exit, Failure> {
        let ended = EndedRun { state: RunState::Interrupted, took: self.begun.elapsed(), record, name: None };
        self.session.finish(self.run, &ended).map_err(failure)?;
        complain(&format!(
            "error: shard {} is not done, and {} not written: {left}; the same command goes on there\n",
            self.head.shard,
            self.file.display()
        ));
        Ok(interrupt::exit())
    }

    /// Writes the file, with pieces that the session does not have, and tells so.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn write(self, others: Vec<ShardPiece>) -> Result<Exit, Failure> {
        let Making { head, file, own, begun, session, run } = self;
        let shown = file.display();
        let mut count = 0;
        let written = dodona_sources::write_atomically_with(&file, |to| {
            let all = || -> Result<(), Written> {
                let mut writer = ShardWriter::begin(to, &head)?;
                session.each_piece(run, &mut |piece| {
                    count += 1;
                    Ok::<(), Written>(writer.piece(piece)?)
                })?;
                for piece in others {
                    count += 1;
                    writer.piece(piece)?;
                }
                Ok(writer.end()?)
            };
            all().map_err(|Written(error)| error)
        });
        written.map_err(|error| Failure::usage(format!("{shown} was not written: {error}")))?;
        let seconds = begun.elapsed().as_secs_f64();
        write(&format!("shard {}: {count} pieces of work in {seconds:.1} s, in {shown}\n", head.shard))?;
        // What it held is in the file.
        drop(session);
        _ = std::fs::remove_dir_all(&own.folder);
        Ok(Exit::Success)
    }
}

/// Whether the file of a shard is there, and whole, which is told.
fn is_done(file: &Path, head: &ShardHead) -> Result<bool, Failure> {
    let is_done = matches!(standing(file, head)?, Standing::Done);
    if is_done {
        write(&format!("shard {} is done: {}\n", head.shard, file.display()))?;
    }
    Ok(is_done)
}

/// A name for the session of a shard, which is another one for each head.
fn digest(head: &ShardHead) -> Result<String, Failure> {
    let head = serde_json::to_string(head).map_err(|error| Failure::new(Exit::Mistake, error))?;
    Ok(KeyBuilder::new("shard").with(head).key().to_string()[..16].to_owned())
}

/// Why a file of pieces could not be written, as the writer of files tells it.
struct Written(std::io::Error);

impl From<ShardError> for Written {
    fn from(error: ShardError) -> Written {
        Written(match error {
            ShardError::File(error) => error,
            other => std::io::Error::other(other),
        })
    }
}

impl From<SessionError> for Written {
    fn from(error: SessionError) -> Written {
        Written(std::io::Error::other(error))
    }
}
