//! `dodona run --shard 3/16`: the part of a run that is one shard's, written to a file.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_records::{FORMAT_VERSION, RunRecord, SubjectRun};
use dodona_run::{Kept, RunOptions, ShardWork, Share, run_share};
use dodona_session::{
    EndedRun, RunId, RunState, Session, SessionError, ShardError, ShardHead, ShardNumber, ShardPiece,
    ShardWriter,
};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use super::planned::{Planned, Prepared, is_written, planned};
use super::{RunArgs, begin, outside, run_failure, telling};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{complain, write};
use crate::progress::Progress;
use crate::session::{SessionArgs, failure};

/// The kind of the piece that is the whole run of a subject of which nothing is kept between runs.
pub(super) const OUTSIDE: &str = "outside";

/// Does the work of one shard and writes its file, unless that is there already.
pub(super) fn run(args: &RunArgs, shard: ShardNumber) -> Result<Exit, Failure> {
    // How long a shard may take is for whoever runs it to say; the time of the run chooses how much is searched.
    let interrupted = interrupt::listen();
    let file = args.shards.to.join(shard.file_name());
    let planned = planned(&args.work, &args.shards, args.asked.jobs, Some(shard.of()))?;
    let Planned { subjects, division, options, head } = &planned;
    let head = ShardHead { shard, ..head.clone() };
    planned.complain();
    if is_written(&file, &head) {
        write(&format!("shard {shard} is done: {}\n", file.display()))?;
        return Ok(Exit::Success);
    }
    std::fs::create_dir_all(&args.shards.to)
        .and_then(|()| dodona_sources::check_writable(&file))
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))?;
    // One for each shard, so that those that run at the same time do not wait for each other, and one that was killed goes on where it was.
    let own = SessionArgs { folder: args.asked.session.folder.join(shard.file_name()) };
    let mut part =
        Part { shard, options: options.clone(), interrupted, pieces: Vec::new(), record: record(args) };
    crate::session::ignore(&args.asked.session.folder);
    let (mut session, run) = begin(&own, &part.options)?;
    let begun = Instant::now();
    let work = &division.shards()[shard.number() as usize - 1];
    part.run(subjects, work, &mut session, run)?;
    let ended = part.end(&head, &file, (session, run), begun.elapsed())?;
    if ended == Exit::Success {
        // What it held is in the file.
        _ = std::fs::remove_dir_all(&own.folder);
    }
    Ok(ended)
}

fn record(args: &RunArgs) -> RunRecord {
    RunRecord { format_version: FORMAT_VERSION, seed: args.work.seed.seed().0, ..RunRecord::default() }
}

/// A shard that is being run.
struct Part<'a> {
    shard: ShardNumber,
    options: RunOptions,
    interrupted: &'a Interruption,
    /// The runs of subjects of which nothing is kept between runs.
    pieces: Vec<ShardPiece>,
    record: RunRecord,
}

impl Part<'_> {
    /// Does the shares of all subjects.
    fn run(
        &mut self,
        subjects: &[Result<Prepared, Failure>],
        work: &ShardWork,
        session: &mut Session,
        run: RunId,
    ) -> Result<(), Failure> {
        for (subject, share) in subjects.iter().zip(&work.shares) {
            let Ok(subject) = subject else { continue };
            if share.is_empty() {
                continue;
            }
            let record = match &subject.workbench {
                Some(workbench) => self.share(subject, workbench, share, (session, run))?,
                None => self.outside(subject)?,
            };
            self.record.subjects.push(record);
        }
        Ok(())
    }

    /// Does a share of a subject; what it consists of is kept in the session.
    fn share(
        &self,
        subject: &Prepared,
        workbench: &Arc<Workbench>,
        share: &Share,
        (session, run): (&mut Session, RunId),
    ) -> Result<SubjectRun, Failure> {
        let (manifest, name) = (&subject.manifest, &subject.manifest.name);
        let mut kept = Kept::new(session, run, manifest.path.display().to_string(), name.clone());
        let mut progress = Progress::of_stages();
        let (options, interrupted) = (&self.options, self.interrupted);
        let record =
            run_share(workbench, share, &mut kept, options, interrupted, &mut telling(&mut progress, name));
        progress.finish();
        let record = record.map_err(run_failure)?;
        // A shard without some of its pieces is none.
        match kept.broken() {
            Some(why) => Err(Failure::usage(format!("shard {} cannot be kept: {why}", self.shard))),
            None => Ok(record),
        }
    }

    /// Runs a subject that is no module, whole.
    fn outside(&mut self, subject: &Prepared) -> Result<SubjectRun, Failure> {
        let begun = Instant::now();
        let record = match outside(&subject.manifest, (&self.options, None), self.interrupted) {
            Ok(record) => record,
            // Where the shards are merged it is tried again, and what comes of it is told.
            Err(why) => {
                complain(&why.render());
                return Ok(SubjectRun::default());
            }
        };
        let text = serde_json::to_string(&record).map_err(|error| Failure::new(Exit::Mistake, error))?;
        self.pieces.push(ShardPiece {
            key: subject.key,
            kind: OUTSIDE.to_owned(),
            subject: subject.manifest.path.display().to_string(),
            subject_name: subject.manifest.name.clone(),
            about: subject.manifest.name.clone(),
            seconds: begun.elapsed().as_secs_f64(),
            record: text,
        });
        Ok(record)
    }

    /// Writes the file if all was done, and tells so; or tells what was not.
    fn end(
        self,
        head: &ShardHead,
        file: &Path,
        (mut session, run): (Session, RunId),
        took: Duration,
    ) -> Result<Exit, Failure> {
        let Part { shard, pieces, record, .. } = self;
        let shown = file.display();
        let mut left = record.subjects.iter().flat_map(|one| &one.left);
        if let Some(first) = left.next() {
            let count = 1 + left.count();
            let ended = EndedRun { state: RunState::Interrupted, took, record: &record, name: None };
            session.finish(run, &ended).map_err(failure)?;
            complain(&format!(
                "error: shard {shard} is not done, and {shown} not written: {count} pieces of work are left, the first of them {first}; the same command goes on there\n"
            ));
            return Ok(interrupt::exit());
        }
        let mut count = 0;
        let written = dodona_sources::write_atomically_with(file, |to| {
            let all = || -> Result<(), Written> {
                let mut writer = ShardWriter::begin(to, head)?;
                session.each_piece(run, &mut |piece| {
                    count += 1;
                    Ok::<(), Written>(writer.piece(piece)?)
                })?;
                for piece in pieces {
                    count += 1;
                    writer.piece(piece)?;
                }
                Ok(writer.end()?)
            };
            all().map_err(|Written(error)| error)
        });
        written.map_err(|error| Failure::usage(format!("{shown} was not written: {error}")))?;
        let seconds = took.as_secs_f64();
        write(&format!("shard {shard}: {count} pieces of work in {seconds:.1} s, in {shown}\n"))?;
        Ok(Exit::Success)
    }
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
