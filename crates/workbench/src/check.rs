//! Checks relations: every planned source input is run through every relation, and the first violation of each relation is
//! shrunk.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use dodona_records::{
    CallRecord, CheckRecord, Counterexample, Elapsed, FORMAT_VERSION, Provenance, RelationRecord, StopReason,
    Tally,
};
use dodona_target::{CallError, Interruption, Outcome, Trap, Until};

use crate::plan::Batches;
use crate::pool::End;
use crate::sources::SourceInputs;
use crate::violation::Violations;
use crate::work::{CheckRun, PlacedGroup, Slice};
use crate::{CheckOptions, LabError, LoadedRelation, Workbench, Worker, explain, kept, untested};

/// The time after an interruption in which the counterexamples found so far are reported. The user has to be answered within
/// two seconds.
const GRACE: Duration = Duration::from_millis(700);

/// The progress of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Source inputs that were run.
    pub run: u64,
    /// Source inputs that are planned.
    pub planned: u64,
}

/// The sum of the slices of one relation.
#[derive(Default)]
struct Sum {
    sources: u64,
    tally: Tally,
    first: Option<PlacedGroup>,
    took: Duration,
    /// The first group that was skipped for each outcome of its source calls.
    skipped: BTreeMap<Outcome, PlacedGroup>,
    /// The kept source inputs whose group was not eligible, as rows of their batch.
    unjudged: BTreeSet<usize>,
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
    let records = match (records(&work, sums, options, until, &mut warnings), failed.take()) {
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
    let record = CheckRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.target.name().to_owned(),
        manifest: workbench.target.declared_in().display().to_string(),
        seed: options.seed.0,
        stop,
        relations: records,
        warnings,
        unread,
        min_eligible: None,
        adequacy: Vec::new(),
        failure: failed.as_ref().map(ToString::to_string),
    };
    if failed.is_none() { Ok(record) } else { Err(LabError::CutShort(Box::new(record))) }
}

/// The records of all relations; the first violation of each is shrunk.
fn records(
    work: &Arc<CheckRun>,
    sums: Vec<Sum>,
    options: &CheckOptions,
    until: &Until,
    warnings: &mut Vec<String>,
) -> Result<Vec<RelationRecord>, LabError> {
    let workbench = &work.workbench;
    // Violations that were found are reported, even after an interruption.
    let grace = if until.goes_on() { until.clone() } else { Until::default().within(GRACE) };
    let mut violations = Violations { workbench, work, options, warnings, grace: &grace };
    let mut found = Vec::new();
    let mut outside = Vec::new();
    for (place, (sum, &index)) in sums.iter().zip(&work.relations).enumerate() {
        let violation = sum.first.as_ref().map(|f| violations.found(&workbench.relations[index], place, f));
        found.push(match violation.transpose() {
            // It is known that the relation is violated. The details are not waited for.
            Err(error) if error.is_stopped() => None,
            violation => violation?,
        });
        outside.push((
            sum.outside(&violations, place)?,
            sum.skips(workbench, &workbench.relations[index], violations.grace)?,
        ));
    }
    for (place, sum) in sums.iter().enumerate() {
        sum.tell_unjudged(&mut violations, place)?;
    }
    // From here on every verdict and every violation is known. An interruption only ends the shrinking.
    let go_on = || until.goes_on();
    let mut records = Vec::new();
    for (((sum, violation), outside), &index) in sums.into_iter().zip(found).zip(outside).zip(&work.relations)
    {
        let relation = &workbench.relations[index];
        let counterexample = sum.first.as_ref().zip(violation);
        let counterexample = counterexample.map(|(f, v)| violations.small(relation, f, v, &go_on));
        records.push(sum.record(relation, counterexample, outside));
    }
    Ok(records)
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

/// The outcome of so many calls with what is known of one of them.
fn such_as(outcome: Outcome, count: u64, call: &CallRecord) -> String {
    let details = call.details();
    // What is to be done about an import is the same for all calls. What `abort` was called with is not.
    let is_advice = matches!(outcome, Outcome::Trapped(Trap::UnknownImport(_)));
    let is_advice = is_advice && !details.contains(": abort");
    match details.strip_prefix(':') {
        _ if is_advice || details.is_empty() || count == 1 => call.ended(),
        said => format!("{outcome}, such as{}", said.unwrap_or(&details)),
    }
}

impl Sum {
    /// What was out of domain, if that left no group to test. `place` is the index of the relation in the work.
    fn outside(&self, work: &Violations<'_>, place: usize) -> Result<Option<String>, LabError> {
        if self.tally.eligible() > 0 || self.tally.out_of_domain == 0 {
            return Ok(None);
        }
        let mut caller = work.workbench.caller().until(work.grace);
        match untested::first_outside(work.workbench, work.work, place, &mut caller) {
            // After an interruption this is not waited for.
            Err(error) if error.is_stopped() => Ok(None),
            outside => outside,
        }
    }

    /// Warns of each kept counterexample whose group is not eligible any more, whatever the reason: it does not show what it was kept for, and nobody
    /// checked that it is mended. `place` is the index of the relation in the work.
    fn tell_unjudged(&self, work: &mut Violations<'_>, place: usize) -> Result<(), LabError> {
        let sources = &work.work.sources;
        let relation = &work.workbench.relations[work.work.relations[place]];
        for &row in &self.unjudged {
            let (group, values) = (sources.kept_group(place, row), sources.kept_values(place, row));
            let mut caller = work.workbench.caller().until(work.grace);
            let why = match explain::tell(work.workbench, relation, group, &values, &mut caller) {
                // After an interruption the details are not waited for.
                Err(error) if error.is_stopped() => "ineligible".to_owned(),
                told => told?.why,
            };
            let Provenance::Regression { path } = sources.kept_place(place, row) else { continue };
            let why = format!("{why}; if it is meant to be, remove the file");
            work.warnings.push(kept::not_checked(&path, &why));
        }
        Ok(())
    }

    /// How the first source call ended that did not return, for each outcome, with what is known of it.
    fn skips(
        &self,
        workbench: &Workbench,
        relation: &LoadedRelation,
        grace: &Until,
    ) -> Result<BTreeMap<String, String>, LabError> {
        let mut skips = BTreeMap::new();
        for (outcome, found) in &self.skipped {
            if outcome.meets_a_limit() {
                skips.insert(outcome.to_string(), outcome.with_limit());
                continue;
            }
            let mut caller = workbench.caller().until(grace);
            let told = match explain::tell(workbench, relation, found.group(), &found.values, &mut caller) {
                // After an interruption this is not waited for.
                Err(error) if error.is_stopped() => break,
                told => told?,
            };
            let name = outcome.to_string();
            let call = told.calls.iter().find(|call| call.outcome == name);
            let count = self.tally.skipped.get(&name).copied().unwrap_or(0);
            skips.extend(call.map(|call| (name, such_as(*outcome, count, call))));
        }
        Ok(skips)
    }

    fn record(
        self,
        relation: &LoadedRelation,
        counterexample: Option<Counterexample>,
        (outside, skipped): (Option<String>, BTreeMap<String, String>),
    ) -> RelationRecord {
        RelationRecord {
            name: relation.relation.name().to_owned(),
            text: relation.relation.text().to_owned(),
            file: relation.file.display().to_string(),
            line: relation.line,
            sources: self.sources,
            tally: self.tally,
            counterexample,
            skipped,
            outside,
            elapsed: Elapsed(self.took),
        }
    }

    fn add(&mut self, slice: Slice) {
        self.sources += slice.rows;
        self.took += slice.took;
        self.tally.merge(&slice.tally);
        if let Some(found) = slice.first
            && self.first.as_ref().is_none_or(|f| found.place < f.place)
        {
            self.first = Some(found);
        }
        self.unjudged.extend(slice.unjudged);
        for (outcome, found) in slice.skipped {
            match self.skipped.entry(outcome) {
                Entry::Occupied(known) if known.get().place <= found.place => {}
                entry => drop(entry.insert_entry(found)),
            }
        }
    }
}
