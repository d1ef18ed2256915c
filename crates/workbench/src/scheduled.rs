//! Checks relations within a budget of calls, for programs that are slow to run.
//!
//! [`check`](crate::check()) runs every relation on each of a thousand source inputs. A command or a service that takes seconds allows a hundred calls, and then it matters which groups
//! these make. [`check_scheduled`] chooses one after the other: a relation and a partition of its source inputs, by a [`Schedule`].
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use dodona_workbench::{CheckOptions, LabError, Workbench};
//! # fn of(workbench: Arc<Workbench>) -> Result<(), LabError> {
//! use dodona_workbench::{Schedule, ScheduleOptions, Until, check_scheduled};
//!
//! let budget = ScheduleOptions { runs: 100, schedule: Schedule::Feedback };
//! let record = check_scheduled(workbench, &CheckOptions::default(), budget, &Until::default(), &mut |_| {})?;
//! let spent = record.schedule.as_ref().map(|schedule| schedule.runs);
//! assert!(spent <= Some(100));
//! # Ok(())
//! # }
//! ```
//!
//! # Decisions
//! - **A call is one row of one function**, source and follow-up calls alike, and those that tell how much rounding explains. What relations ask for counts: a
//!   target that remembers calls makes fewer, and one that makes some of them twice, to see whether they end alike, makes those beside. So the result does not depend on what was called before the check.
//! - **Explaining and shrinking are beside the budget**, bounded by [`CheckOptions::shrink_fuel`], and counted by themselves: whoever looks for violations in a hundred calls wants a hundred calls'
//!   worth of looking. Where that is too slow, less fuel is the answer.
//! - **No group is begun that may not be finished.** Some calls of the budget may be left over, fewer than a group takes. Only one that asks how much rounding explains may be cut off: its calls
//!   count, and it has no verdict. Then its relation is not begun again.
//! - **A violated relation is finished**, and what is left goes to the others. Kept counterexamples come first, and each is run, as a check does.
//! - **No group is run twice**: a source input that comes again is passed over.
//! - **Round-robin is the default.** On the ten planted faults of `crates/native/examples/schedules.rs`, with the seeds 1000 to 1059 and a budget of 300 calls, the means of calls until the first
//!   violation add up to 629 for round-robin, 686 for feedback and 679 for the bandit. The others are sooner on some faults, such as two that depend on the lengths of sequences and texts.
//!   Before a violation there is little to learn, and whoever looks for the first one gains most by trying everything once.
//! - **One thread.** Each group is chosen by what the ones before it showed. Slow programs wait for themselves and not for the processor, so several threads would gain, and would need
//!   schedules that learn late; the result would be another one.

mod bandit;
mod classes;
mod counted;
mod feedback;
mod novelty;
mod observed;
mod partitions;
mod pool;
mod runner;
mod schedule;

use std::sync::Arc;

use dodona_records::{CheckRecord, ScheduleRecord, StopReason};
use dodona_target::Until;

use crate::check::{self, Progress};
use crate::sources::SourceInputs;
use crate::sums::{Checked, Sum};
use crate::{CheckOptions, LabError, Workbench, Worker, explain, kept, pool as threads};
use counted::Counted;
use runner::{Ended, Finish, Runner};

/// In which order groups are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Relations in turn, and for each relation its partitions in turn.
    #[default]
    RoundRobin,
    /// By a profile of partitions, which violations raise: feedback-directed metamorphic testing.
    Feedback,
    /// By a contextual bandit, which is rewarded for violations, for what is new, and for being near to a violation.
    Bandit,
}

impl Schedule {
    /// Every schedule.
    pub const ALL: [Schedule; 3] = [Schedule::RoundRobin, Schedule::Feedback, Schedule::Bandit];

    /// The name in options and records.
    ///
    /// ```
    /// use dodona_workbench::Schedule;
    /// assert_eq!(Schedule::ALL.map(Schedule::name), ["round-robin", "feedback", "bandit"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Schedule::RoundRobin => "round-robin",
            Schedule::Feedback => "feedback",
            Schedule::Bandit => "bandit",
        }
    }
}

/// A budget, and how it is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduleOptions {
    /// The most calls of functions under test, source and follow-up calls of all relations together.
    pub runs: u64,
    /// The order of groups.
    pub schedule: Schedule,
}

/// Checks relations of a subject with a budget of calls. The record depends on the options, the seed and the budget alone; [`CheckOptions::jobs`] is not looked at.
///
/// [`CheckRecord::schedule`] has the calls until the first violation of each relation. [`CheckRecord::stop`] is [`StopReason::RunsSpent`], or [`StopReason::NothingLeft`] where
/// every relation is violated or has no further source input. A relation of which no group was run within the budget is
/// [`NotRun`](dodona_records::RelationVerdict::NotRun), one of which none was eligible [`NeverEligible`](dodona_records::RelationVerdict::NeverEligible).
///
/// Random source inputs are drawn as long as there is a budget; if [`CheckOptions::sources`] is 0, none is. Given ones come first in their partitions. Each source input makes one group: the constants of
/// a relation take turns.
///
/// `progress` is told the calls that were made, of the budget.
///
/// # Errors
/// When a relation is not there, sources cannot be read or drawn, or the host fails. [`LabError::CutShort`] with the record of what was found before, if the target fails in the middle.
pub fn check_scheduled(
    workbench: Arc<Workbench>,
    options: &CheckOptions,
    budget: ScheduleOptions,
    until: &Until,
    progress: &mut dyn FnMut(Progress),
) -> Result<CheckRecord, LabError> {
    let relations = workbench.select(&options.relations)?;
    let mut warnings = Vec::new();
    let sources = SourceInputs::read(&workbench, &relations, options, &mut warnings)?;
    let counted = Counted::new(workbench.target.shared());
    let workbench: Arc<Workbench> =
        Arc::new(Workbench::new(counted.clone(), Arc::clone(&workbench.relations)));
    let ended = threads::alone(Worker::Check, || {
        let mut runner = Runner::new(&workbench, &relations, &sources, (options, budget), until);
        runner.run(until, progress);
        Ok(runner.ended())
    })?;
    let Ended { sums, outside, relations: spent, runs, finish, unjudged, mut failed } = ended;
    let unread = sources.unread() + sums.iter().map(|sum| sum.unjudged.len() as u64).sum::<u64>();
    let why = "the runs were spent before; more --runs try it";
    warnings.extend(unjudged.iter().map(|path| kept::not_checked(path, &why)));
    let checked = Checked { workbench: &workbench, relations: &relations, sources: &sources, options };
    let mut told = |place: usize, _: &Sum, until: &Until| {
        let Some(found) = &outside[place] else { return Ok(None) };
        let relation = &workbench.relations[relations[place]];
        let mut caller = workbench.caller().until(until);
        Ok(explain::tell(&workbench, relation, found.group(), &found.values, &mut caller)?.outside)
    };
    let records = match (checked.records(sums, until, &mut warnings, &mut told), failed.take()) {
        // A target that does not come back explains no violation either.
        (Err(_), Some(failed)) => return Err(failed.into()),
        (records, failure) => {
            failed = failure;
            records?
        }
    };
    let schedule = ScheduleRecord {
        schedule: budget.schedule.name().to_owned(),
        budget: budget.runs,
        runs,
        beside: counted.calls() - runs,
        relations: spent,
    };
    let unread = unread + unjudged.len() as u64;
    let stop = (stop(finish, runs, budget.runs), Some(schedule));
    let record = check::record(&workbench, options, stop, records, (warnings, unread), failed.as_ref());
    if failed.is_none() { Ok(record) } else { Err(LabError::CutShort(Box::new(record))) }
}

fn stop(finish: Finish, runs: u64, budget: u64) -> StopReason {
    match finish {
        Finish::Spent => StopReason::RunsSpent { runs, budget },
        Finish::NothingLeft => StopReason::NothingLeft { runs, budget },
        Finish::Interrupted => StopReason::Interrupted { run: runs, planned: budget },
    }
}
