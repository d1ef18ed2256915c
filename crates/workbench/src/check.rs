//! Checks relations: every planned source input is run through every relation, and the first violation of each relation is
//! shrunk.

use std::sync::Arc;

use dodona_records::{CheckRecord, FORMAT_VERSION, RelationRecord, ScheduleRecord, StopReason};
use dodona_target::{CallError, Interruption, Until};

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
    if options.sources > CheckOptions::MOST_SOURCES {
        let most = CheckOptions::MOST_SOURCES;
        return Err(LabError::Sources(format!("at most {most} random source inputs a relation can be run")));
    }
    let relations = workbench.select(&options.relations)?;
    let mut warnings = Vec::new();
    let sources = SourceInputs::read(&workbench, &relations, options, &mut warnings)?;
    let unread = sources.unread();
    let plan = Batches::new(&sources.kept_rows(), &sources.given_rows(), options.sources);
    let planned = plan.sources();
    let work = Arc::new(CheckRun { workbench: Arc::clone(&workbench), relations, sources, batches: plan });
    let Collected { sums, end, mut failed } = collect(&work, options.jobs.get(), planned, until, progress)?;
    let run = sums.iter().map(|s| s.sources).sum();
    let unread = unread + sums.iter().map(|s| s.unjudged.len() as u64).sum::<u64>();
    let checked =
        Checked { workbench: &work.workbench, relations: &work.relations, sources: &work.sources, options };
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
    let record = record(&work.workbench, options, (stop, None), records, (warnings, unread), failed.as_ref());
    if failed.is_none() { Ok(record) } else { Err(LabError::CutShort(Box::new(record))) }
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

/// Adds slices until all have arrived, the user interrupts, or the target fails.
fn collect(
    work: &Arc<CheckRun>,
    jobs: usize,
    planned: u64,
    until: &Until,
    progress: &mut dyn FnMut(Progress),
) -> Result<Collected, LabError> {
    let mut sums: Vec<Sum> = work.relations.iter().map(|_| Sum::default()).collect();
    let mut run = 0;
    let ended = work.run(jobs, until, &mut |slice| {
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
