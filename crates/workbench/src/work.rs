//! Runs batches on threads, which report the results in slices.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_records::Tally;
use dodona_relations::{Ineligible, Verdict};
use dodona_target::{Column, Outcome, Until, Value};

use crate::plan::{BATCH_ROWS, Batch, Batches, Origin, Within};
use crate::pool::{self, End, Output};
use crate::sources::{DrawnSize, SourceInputs};
use crate::{LabError, SubjectCaller, Workbench, Worker};

/// A slice should take about this long, so that ctrl-C and the progress bar are answered soon. Slices only divide a batch's
/// rows: the result does not depend on where.
const SLICE_TIME: Duration = Duration::from_millis(25);

/// The rows of a relation's first slice on a thread.
const FIRST_SLICE: usize = 64;

/// A thread of a check.
struct CheckWorker {
    caller: SubjectCaller,
    pace: Pace,
}

/// What a thread learned from the slices of a relation: each slice costs some microseconds beside its rows, so the next batch is not cut
/// small again.
#[derive(Default)]
struct Pace {
    relation: usize,
    /// The rows of the next slice.
    rows: usize,
    drawn: DrawnSize,
}

impl Pace {
    /// The pace of this relation: what is known of it, or the first one.
    fn of(&mut self, relation: usize) -> &mut Pace {
        if self.rows == 0 || self.relation != relation {
            *self = Pace { relation, rows: FIRST_SLICE, drawn: DrawnSize::default() };
        }
        self
    }

    /// Notes how long a slice took.
    fn took(&mut self, time: Duration) {
        if time < SLICE_TIME {
            // Long rows come in smaller slices than were asked for, and so many of them may be quick.
            self.rows = (self.rows * 4).min(BATCH_ROWS);
        } else if time > SLICE_TIME * 4 {
            self.rows = (self.rows / 4).max(FIRST_SLICE);
        }
    }
}

/// The batch's origin, the row in the batch, and the group.
pub(crate) type Place = (Origin, usize, usize);

/// A group as it was found, violated or skipped, with a place, so that the first of several is the same for any number of threads.
#[derive(Clone, Debug)]
pub(crate) struct PlacedGroup {
    pub(crate) place: Place,
    pub(crate) values: Vec<Value>,
}

impl PlacedGroup {
    pub(crate) fn row(&self) -> usize {
        self.place.1
    }

    pub(crate) fn group(&self) -> usize {
        self.place.2
    }
}

/// Notes the first group of each outcome for which groups of these verdicts were skipped.
fn note_skipped(
    verdicts: &[Verdict],
    place: &dyn Fn(usize) -> Place,
    values: &dyn Fn(usize) -> Vec<Value>,
    skipped: &mut BTreeMap<Outcome, PlacedGroup>,
) {
    for (row, verdict) in verdicts.iter().enumerate() {
        let Verdict::Ineligible(Ineligible::Skipped(outcome)) = verdict else { continue };
        let place = place(row);
        if skipped.get(outcome).is_none_or(|known| place < known.place) {
            skipped.insert(*outcome, PlacedGroup { place, values: values(row) });
        }
    }
}

/// The results of one slice of a batch.
#[derive(Default)]
pub(crate) struct Slice {
    pub(crate) relation: usize,
    pub(crate) rows: u64,
    pub(crate) tally: Tally,
    pub(crate) first: Option<PlacedGroup>,
    /// The first group that was skipped for each outcome of its source calls.
    pub(crate) skipped: BTreeMap<Outcome, PlacedGroup>,
    /// The kept source inputs, as rows of their batch, whose group is not eligible: what they show was not checked.
    pub(crate) unjudged: Vec<usize>,
    /// How long it took.
    pub(crate) took: Duration,
}

/// Everything that the threads share.
pub(crate) struct CheckRun {
    pub(crate) workbench: Arc<Workbench>,
    /// The relations checked, as indices into the workbench's.
    pub(crate) relations: Vec<usize>,
    pub(crate) sources: SourceInputs,
    pub(crate) batches: Batches,
}

impl CheckRun {
    /// Runs the batches of some source inputs on threads; `seen` gets the slices when they are done, and `None` twenty times a second while there are
    /// none.
    pub(crate) fn run(
        self: &Arc<Self>,
        within: Within,
        jobs: usize,
        until: &Until,
        seen: &mut dyn FnMut(Option<Slice>),
    ) -> Result<End, LabError> {
        let (work, shared) = (Arc::clone(self), Arc::clone(&self.workbench));
        pool::stream(
            (Worker::Check, jobs, within.batches.len()),
            move |until| CheckWorker { caller: shared.caller().until(until), pace: Pace::default() },
            move |worker, batch, output| {
                let number = within.batches.start + batch;
                let batch = work.batches.get(number);
                work.run_batch(&batch, within.rows(number, batch.rows), worker, output)
            },
            until,
            seen,
        )
    }

    fn run_batch(
        &self,
        batch: &Batch,
        wanted: Range<usize>,
        worker: &mut CheckWorker,
        output: &Output<'_, Slice>,
    ) -> Result<(), LabError> {
        let pace = worker.pace.of(batch.relation);
        let mut feed = self.sources.feed(batch, pace.drawn);
        feed.skip(wanted.start, batch.rows);
        let mut start = wanted.start;
        while start < wanted.end && output.goes_on() {
            let began = Instant::now();
            let most = pace.rows.min(wanted.end - start);
            let columns = feed.next(most, batch.rows - start);
            let rows = columns.first().map_or(most, Column::len);
            let mut slice = self.run_slice(batch, &columns, (start, rows), &mut worker.caller)?;
            slice.took = began.elapsed();
            pace.took(slice.took);
            output.put(slice);
            start += rows;
        }
        pace.drawn = feed.drawn();
        Ok(())
    }

    /// Whether there is a relation with groups at all these places, and with these kept source inputs.
    pub(crate) fn has(
        &self,
        relation: usize,
        mut places: impl Iterator<Item = Place>,
        kept: &BTreeSet<usize>,
    ) -> bool {
        let Some(&index) = self.relations.get(relation) else { return false };
        let groups = self.workbench.relations[index].relation.group_count();
        let rows = |origin| self.batches.of_origin(relation, origin).map_or(0, |batch| batch.rows);
        places.all(|(origin, row, group)| group < groups && row < rows(origin))
            && kept.iter().all(|row| *row < rows(Origin::Regressions))
    }

    /// The values of the source input at a place.
    pub(crate) fn values_at(&self, relation: usize, (origin, row, _): Place) -> Vec<Value> {
        let Some(batch) = self.batches.of_origin(relation, origin).filter(|batch| row < batch.rows) else {
            return Vec::new();
        };
        let mut feed = self.sources.feed(&batch, DrawnSize::default());
        feed.skip(row, batch.rows);
        feed.next(1, batch.rows - row).iter().map(|column| column.value(0)).collect()
    }

    fn run_slice(
        &self,
        batch: &Batch,
        columns: &[Column],
        (start, rows): (usize, usize),
        caller: &mut SubjectCaller,
    ) -> Result<Slice, LabError> {
        let relation = &self.workbench.relations[self.relations[batch.relation]];
        let mut slice = Slice { relation: batch.relation, rows: rows as u64, ..Slice::default() };
        for group in 0..relation.relation.group_count() {
            let program = &relation.program;
            let verdicts = match batch.origin {
                Origin::Random { .. } => program.evaluate_drawn(group, columns, caller)?,
                Origin::Regressions | Origin::Given { .. } => program.evaluate(group, columns, caller)?,
            };
            verdicts.iter().for_each(|v| slice.tally.count(*v));
            let place = |row: usize| (batch.origin, start + row, group);
            let values = |row: usize| columns.iter().map(|c| c.value(row)).collect();
            if batch.origin == Origin::Regressions {
                let is_own = |row: &usize| self.sources.kept_group(batch.relation, *row) == group;
                let ineligible = verdicts.iter().enumerate().filter(|(_, verdict)| !verdict.is_eligible());
                slice.unjudged.extend(ineligible.map(|(row, _)| start + row).filter(is_own));
            }
            if !slice.tally.skipped.is_empty() {
                note_skipped(&verdicts, &place, &values, &mut slice.skipped);
            }
            let Some(row) = verdicts.iter().position(|v| v.is_violation()) else { continue };
            if slice.first.as_ref().is_none_or(|f| place(row) < f.place) {
                slice.first = Some(PlacedGroup { place: place(row), values: values(row) });
            }
        }
        Ok(slice)
    }
}
