//! Checks relations: every planned source input is run through every relation, and the first violation of each relation is
//! shrunk.

use std::ops::Range;
use std::sync::Arc;

use dodona_records::{CheckRecord, FORMAT_VERSION, RelationRecord, ScheduleRecord, StopReason};
use dodona_target::{CallError, Interruption, Until};

use crate::part::PartSeen;
use crate::plan::Batches;
use crate::pool::End;
use crate::sources::SourceInputs;
use crate::sums::{Checked, Sum};
use crate::work::CheckRun;
use crate::{CheckOptions, LabError, Workbench, Worker, untested};

/// The progress of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Source inputs that were run, or calls of a budget that were made.
    pub run: u64,
    /// Source inputs that are planned, or the budget.
    pub planned: u64,
}

/// Checks relations of a subject. The record depends on the options and the seed, not on the number of threads.
///
/// # Errors
/// When a relation is not there, sources cannot be read or drawn, or the host fails.
pub fn check(
    workbench: Arc<Workbench>,
    options: &CheckOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(Progress),
) -> Result<CheckRecord, LabError> {
    check_until(workbench, options, &Until::interrupted(interrupted), progress)
}

/// [`check`] with an end in time.
pub fn check_until(
    workbench: Arc<Workbench>,
    options: &CheckOptions,
    until: &Until,
    progress: &mut dyn FnMut(Progress),
) -> Result<CheckRecord, LabError> {
    let prepared = PreparedCheck::new(workbench, options)?;
    let collected = prepared.collect(&(0..prepared.sources()), until, progress)?;
    prepared.record(collected, until)
}

/// A check whose source inputs are read, and of which all or some are run.
///
/// Several processes that prepare the same check can run a part of the source inputs each. [`PreparedCheck::merged`] makes the record out of what they saw.
pub struct PreparedCheck<'o> {
    work: Arc<CheckRun>,
    options: &'o CheckOptions,
    warnings: Vec<String>,
    unread: u64,
}

impl<'o> PreparedCheck<'o> {
    /// Reads the source inputs of files and kept counterexamples, and prepares the drawing of random ones.
    ///
    /// # Errors
    /// When a relation is not there, or sources cannot be read or drawn.
    pub fn new(workbench: Arc<Workbench>, options: &'o CheckOptions) -> Result<Self, LabError> {
        if options.sources > CheckOptions::MOST_SOURCES {
            let most = CheckOptions::MOST_SOURCES;
            return Err(LabError::Sources(format!(
                "at most {most} random source inputs a relation can be run"
            )));
        }
        let relations = workbench.select(&options.relations)?;
        let mut warnings = Vec::new();
        let sources = SourceInputs::read(&workbench, &relations, options, &mut warnings)?;
        let unread = sources.unread();
        let batches = Batches::new(&sources.kept_rows(), &sources.given_rows(), options.sources);
        let work = Arc::new(CheckRun { workbench, relations, sources, batches });
        Ok(PreparedCheck { work, options, warnings, unread })
    }

    /// How many source inputs there are, of all relations together.
    pub fn sources(&self) -> u64 {
        self.work.batches.sources()
    }

    /// What tells its source inputs from those of another check of the same relations: how many there are, the seed of those that are drawn, and the bits of all others.
    pub fn identity(&self) -> Vec<u8> {
        let mut identity = self.sources().to_le_bytes().to_vec();
        identity.extend(self.options.seed.0.to_le_bytes());
        self.work.sources.append_bits(&mut identity);
        identity
    }

    /// Runs some source inputs, counted through all relations one after the other. Nothing where somebody interrupts.
    ///
    /// # Errors
    /// When the host or the target fails.
    pub fn part(
        &self,
        sources: &Range<u64>,
        until: &Until,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<PartSeen>, LabError> {
        let Collected { sums, end, failed } = self.collect(sources, until, progress)?;
        match (failed, end) {
            (Some(failed), _) => Err(failed.into()),
            (None, End::Interrupted) => Ok(None),
            (None, End::Complete) => Ok(Some(PartSeen::of(&sums))),
        }
    }

    /// The record of the check, of which parts saw everything. The first violation of each relation is shrunk.
    ///
    /// # Errors
    /// When the parts saw more or fewer source inputs than there are, and when the host fails.
    pub fn merged(self, seen: PartSeen, until: &Until) -> Result<CheckRecord, LabError> {
        let (done, planned) = (seen.sources(), self.sources());
        if done != planned {
            return Err(LabError::Incomplete { worker: Worker::Check, done, planned });
        }
        let none =
            || LabError::Sources("what was seen of the check is of source inputs that there are not".into());
        let sums = seen.sums(&self.work).ok_or_else(none)?;
        self.record(Collected { sums, end: End::Complete, failed: None }, until)
    }

    /// The record of what was seen.
    fn record(self, collected: Collected, until: &Until) -> Result<CheckRecord, LabError> {
        let PreparedCheck { work, options, mut warnings, unread } = self;
        let Collected { sums, end, mut failed } = collected;
        let planned = work.batches.sources();
        let run = sums.iter().map(|s| s.sources).sum();
        let unread = unread + sums.iter().map(|s| s.unjudged.len() as u64).sum::<u64>();
        let checked = Checked {
            workbench: &work.workbench,
            relations: &work.relations,
            sources: &work.sources,
            options,
        };
        let mut outside = |place: usize, _: &Sum, until: &Until| {
            untested::first_outside(&work.workbench, &work, place, &mut work.workbench.caller().until(until))
        };
        let records = match (checked.records(sums, until, &mut warnings, &mut outside), failed.take()) {
            // A target that does not come back explains no violation either.
            (Err(_), Some(failed)) => return Err(failed.into()),
            (records, failure) => {
                failed = failure;
                records?
            }
        };
        let stop = match end {
            End::Interrupted => StopReason::Interrupted { run, planned },
            End::Complete => StopReason::SourcesRun { sources: run },
        };
        let record =
            record(&work.workbench, options, (stop, None), records, (warnings, unread), failed.as_ref());
        if failed.is_none() { Ok(record) } else { Err(LabError::CutShort(Box::new(record))) }
    }

    /// Runs some source inputs until all are done, the user interrupts, or the target fails.
    fn collect(
        &self,
        sources: &Range<u64>,
        until: &Until,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Collected, LabError> {
        let work = &self.work;
        let planned = sources.end - sources.start;
        let mut sums: Vec<Sum> = work.relations.iter().map(|_| Sum::default()).collect();
        let mut run = 0;
        let within = work.batches.within(sources);
        let ended = work.run(within, self.options.jobs.get(), until, &mut |slice| {
            if let Some(slice) = slice {
                run += slice.rows;
                sums[slice.relation].add(slice);
            }
            progress(Progress { run, planned });
        });
        let end = match ended {
            Err(LabError::Call(failed @ CallError::Failed(_))) => {
                return Ok(Collected { sums, end: End::Interrupted, failed: Some(failed) });
            }
            ended => ended?,
        };
        // A relation is only said to hold if it was run on every source input.
        match end {
            End::Complete if run != planned => {
                Err(LabError::Incomplete { worker: Worker::Check, done: run, planned })
            }
            // The last slice may arrive together with the interruption.
            End::Interrupted if run == planned => Ok(Collected { sums, end: End::Complete, failed: None }),
            end => Ok(Collected { sums, end, failed: None }),
        }
    }
}

/// The record of a check that ended so, with how its budget was spent if there was one, and with why the target failed if it did.
pub(crate) fn record(
    workbench: &Workbench,
    options: &CheckOptions,
    (stop, schedule): (StopReason, Option<ScheduleRecord>),
    relations: Vec<RelationRecord>,
    (warnings, unread): (Vec<String>, u64),
    failed: Option<&CallError>,
) -> CheckRecord {
    CheckRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.target.name().to_owned(),
        manifest: workbench.target.declared_in().display().to_string(),
        seed: options.seed.0,
        stop,
        relations,
        warnings,
        unread,
        min_eligible: None,
        adequacy: Vec::new(),
        schedule,
        failure: failed.map(ToString::to_string),
    }
}

/// What the slices of a check add up to.
struct Collected {
    /// One sum for each relation.
    sums: Vec<Sum>,
    end: End,
    /// Why the target failed in the middle, if it did.
    failed: Option<CallError>,
}
