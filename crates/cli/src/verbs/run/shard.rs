//! `dodona run --shard 3/16`: the part of a run that is one shard's, written to a file.

use std::sync::Arc;
use std::time::Instant;

use dodona_records::{FORMAT_VERSION, RunRecord, SubjectRun};
use dodona_run::{Kept, RunOptions, ShardWork, Share, run_share};
use dodona_session::{RunId, Session, ShardHead, ShardNumber, ShardPiece};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use super::planned::{Planned, Prepared, planned};
use super::{RunArgs, new_run, outside, run_failure, telling, words};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::complain;
use crate::progress::Progress;
use crate::shards::Making;

/// The kind of the piece that is the whole run of a subject of which nothing is kept between runs.
pub(super) const OUTSIDE: &str = "outside";

/// Does the work of one shard and writes its file, unless that is there already.
pub(super) fn run(args: &RunArgs, shard: ShardNumber) -> Result<Exit, Failure> {
    // How long a shard may take is for whoever runs it to say; the time of the run chooses how much is searched.
    let interrupted = interrupt::listen();
    let planned = planned(&args.work, &args.shards, args.asked.jobs, Some(shard.of()))?;
    let Planned { subjects, division, options, head } = &planned;
    let options = &RunOptions { keeps_violations: false, ..options.clone() };
    let head = ShardHead { shard, ..head.clone() };
    let failed = planned.complain();
    let words = words(options);
    let new = new_run(options, &words);
    let Some(mut making) = Making::begin(head, &args.shards.to, &args.asked.session.folder, &new)? else {
        return Ok(Exit::Success);
    };
    let record = RunRecord { format_version: FORMAT_VERSION, seed: options.seed.0, ..RunRecord::default() };
    let mut part = Part { shard, options: options.clone(), interrupted, pieces: Vec::new(), record, failed };
    let work = &division.shards()[shard.number() as usize - 1];
    let run = making.run;
    part.run(subjects, work, &mut making.session, run)?;
    let mut left = part.record.subjects.iter().flat_map(|one| &one.left);
    if let Some(first) = left.next() {
        let count = 1 + left.count();
        let left = format!("{count} pieces of work are left, the first of them {first}");
        return making.leave(&left, &part.record);
    }
    making.write(part.pieces).map(|exit| part.failed.or_worse(exit))
}

/// A shard that is being run.
struct Part<'a> {
    shard: ShardNumber,
    options: RunOptions,
    interrupted: &'a Interruption,
    /// The runs of subjects of which nothing is kept between runs.
    pieces: Vec<ShardPiece>,
    record: RunRecord,
    /// The worst exit code of the subjects that failed here.
    failed: Exit,
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
                self.failed = self.failed.or_worse(why.exit);
                return Ok(SubjectRun::default());
            }
        };
        // Where the shards are merged it is run once more, and keeps the violation.
        if record.relations().any(|relation| relation.check.tally.violated > 0) {
            return Ok(record);
        }
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
}
