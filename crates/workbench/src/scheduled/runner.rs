//! Runs the groups of a check with a budget, one after the other.

use std::time::Instant;

use dodona_records::{Provenance, ScheduledPartition, ScheduledRelation};
use dodona_relations::{Ineligible, Verdict};
use dodona_target::{CallError, Column, Until};

use super::bandit::Bandit;
use super::feedback::Feedback;
use super::novelty::Novelty;
use super::observed::{self, Seen};
use super::partitions::Partitions;
use super::pool::{Pool, Source};
use super::schedule::{Cell, Lesson, RoundRobin, Scheduler};
use super::{Schedule, ScheduleOptions};
use crate::check::Progress;
use crate::plan::{Batch, Origin};
use crate::sources::SourceInputs;
use crate::sums::Sum;
use crate::work::PlacedGroup;
use crate::{CheckOptions, SubjectCaller, Workbench};

/// Groups of a partition, one after the other, that are not eligible before any call is made. With more of them the partition is left. They take microseconds each; a condition that is
/// true more rarely than once in so many source inputs is better met by narrower sampling.
const MOST_IN_VAIN: u32 = 1_000;

/// How the groups of a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// What is left of the budget is too little for a group of any relation.
    Spent,
    /// Every relation is violated, or has no further source input.
    NothingLeft,
    /// The user interrupted, the time was up, or the target failed.
    Interrupted,
}

/// What came of it.
pub(super) struct Ended {
    /// What was seen of each relation.
    pub(super) sums: Vec<Sum>,
    /// The first group of each relation that was out of domain.
    pub(super) outside: Vec<Option<PlacedGroup>>,
    pub(super) relations: Vec<ScheduledRelation>,
    pub(super) runs: u64,
    pub(super) finish: Finish,
    /// The files of kept counterexamples that the budget did not reach.
    pub(super) unjudged: Vec<String>,
    pub(super) failed: Option<CallError>,
}

/// One relation while it is checked.
struct State<'a> {
    pool: Pool<'a>,
    partitions: Partitions,
    /// Its first partition among those of all relations.
    first_shared: usize,
    /// Whether source inputs may be left in a partition.
    open: Vec<bool>,
    in_vain: Vec<u32>,
    /// The group of the next source input.
    turn: usize,
    /// The calls that a group may take; none where a group needed more than was left.
    calls: Option<u64>,
    sum: Sum,
    outside: Option<PlacedGroup>,
    spent: ScheduledRelation,
}

/// The groups of a check with a budget.
pub(super) struct Runner<'a> {
    workbench: &'a Workbench,
    /// The relations checked, as indices into the workbench's.
    relations: &'a [usize],
    sources: &'a SourceInputs,
    caller: SubjectCaller,
    budget: u64,
    runs: u64,
    states: Vec<State<'a>>,
    scheduler: Box<dyn Scheduler>,
    novelty: Novelty,
    unjudged: Vec<String>,
    finish: Finish,
    failed: Option<CallError>,
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        workbench: &'a Workbench,
        relations: &'a [usize],
        sources: &'a SourceInputs,
        (options, budget): (&CheckOptions, ScheduleOptions),
        until: &Until,
    ) -> Runner<'a> {
        let mut spaces: Vec<(Partitions, usize)> = Vec::new();
        let mut shared = 0;
        let mut states = Vec::new();
        for (place, (&index, given)) in relations.iter().zip(sources.given_rows()).enumerate() {
            let relation = &workbench.relations[index].relation;
            let partitions = Partitions::of(workbench, relation);
            let known = spaces.iter().find(|(space, _)| *space == partitions).map(|(_, first)| *first);
            let first_shared = known.unwrap_or_else(|| {
                let first = shared;
                shared += partitions.count();
                spaces.push((partitions.clone(), first));
                first
            });
            let pool = Pool::new(sources, (place, given), partitions.clone(), options.sources > 0);
            states.push(State::new(pool, partitions, first_shared, relation));
        }
        let scheduler: Box<dyn Scheduler> = match budget.schedule {
            Schedule::RoundRobin => Box::new(RoundRobin::default()),
            Schedule::Feedback => Box::new(Feedback::new(shared, options.seed)),
            Schedule::Bandit => Box::new(Bandit::new(relations.len(), shared, options.seed)),
        };
        Runner {
            workbench,
            relations,
            sources,
            caller: workbench.caller().until(until),
            budget: budget.runs,
            runs: 0,
            states,
            scheduler,
            novelty: Novelty::default(),
            unjudged: Vec::new(),
            finish: Finish::Interrupted,
            failed: None,
        }
    }

    /// Runs groups until the budget is spent, nothing is left, or `until` ends.
    pub(super) fn run(&mut self, until: &Until, progress: &mut dyn FnMut(Progress)) {
        if !self.kept(until) {
            return;
        }
        loop {
            progress(Progress { run: self.runs, planned: self.budget });
            let open = self.open();
            if open.is_empty() {
                self.finish = self.why_none_is_open();
                return;
            }
            if !until.goes_on() || !self.step(&open) {
                return;
            }
        }
    }

    /// What came of it.
    pub(super) fn ended(self) -> Ended {
        let mut ended = Ended {
            sums: Vec::new(),
            outside: Vec::new(),
            relations: Vec::new(),
            runs: self.runs,
            finish: self.finish,
            unjudged: self.unjudged,
            failed: self.failed,
        };
        for State { sum, outside, spent, .. } in self.states {
            ended.sums.push(sum);
            ended.outside.push(outside);
            ended.relations.push(spent);
        }
        ended
    }

    fn left(&self) -> u64 {
        self.budget - self.runs
    }

    /// The partitions of which a group may be run, in order.
    fn open(&self) -> Vec<Cell> {
        let left = self.left();
        let states = self.states.iter().enumerate();
        let fitting = states.filter(|(_, state)| state.is_wanted() && state.calls.is_some_and(|n| n <= left));
        fitting.flat_map(|(relation, state)| state.cells(relation)).collect()
    }

    fn why_none_is_open(&self) -> Finish {
        match self.states.iter().any(|state| state.is_wanted() && state.open.contains(&true)) {
            true => Finish::Spent,
            false => Finish::NothingLeft,
        }
    }

    /// Runs a group of one of these cells, if a source input is found for it; returns whether to go on.
    fn step(&mut self, open: &[Cell]) -> bool {
        let cell = self.scheduler.choose(open);
        let groups = self.workbench.relations[self.relations[cell.relation]].relation.group_count();
        let state = &mut self.states[cell.relation];
        let group = state.turn % groups.max(1);
        let Some(source) = state.pool.next(cell.partition, group) else {
            // Another constant may have a source input that this one had already.
            state.in_vain[cell.partition] += MOST_IN_VAIN.div_ceil(groups as u32);
            state.turn += 1;
            state.close_where_in_vain(cell.partition);
            return true;
        };
        state.turn += 1;
        let Some(seen) = self.group(cell.relation, group, &source, cell.partition) else { return false };
        let state = &mut self.states[cell.relation];
        if seen.runs == 0 {
            state.in_vain[cell.partition] += 1;
            state.close_where_in_vain(cell.partition);
            return true;
        }
        state.in_vain[cell.partition] = 0;
        let lesson = self.lesson(cell, group, &source, &seen);
        self.scheduler.learn(cell, &lesson);
        true
    }

    /// Runs a group and notes what was seen; nothing where the check ends.
    fn group(&mut self, place: usize, group: usize, source: &Source, partition: usize) -> Option<Seen> {
        let relation = &self.workbench.relations[self.relations[place]];
        let began = Instant::now();
        let left = self.left();
        let (seen, error) = observed::run(relation, group, source, &mut self.caller, left);
        self.runs += seen.runs;
        let state = &mut self.states[place];
        state.sum.took += began.elapsed();
        state.spend(partition, seen.runs);
        if let Some(error) = error {
            self.failed = Some(error).filter(|error| matches!(error, CallError::Failed(_)));
            return None;
        }
        match seen.verdict {
            Some(verdict) => state.note(verdict, group, source, partition, self.runs),
            None => state.calls = None,
        }
        Some(seen)
    }

    fn lesson(&mut self, cell: Cell, group: usize, source: &Source, seen: &Seen) -> Lesson {
        let relation = &self.workbench.relations[self.relations[cell.relation]];
        let new = self.novelty.note(seen.calls.iter().map(|(_, call)| call));
        let state = &self.states[cell.relation];
        let values = source.values();
        let partition = |(_, call): &(usize, observed::ObservedCall)| {
            let argument = |place: usize| call.arguments[place].value(0);
            state.partitions.of_call(&values, call.function, &argument)
        };
        let follow_ups = seen.calls.iter().filter(|(_, call)| call.is_follow_up).filter_map(partition);
        let mut follow_ups: Vec<usize> = follow_ups.map(|p| state.first_shared + p).collect();
        follow_ups.sort_unstable();
        follow_ups.dedup();
        let holds = seen.verdict.is_some_and(Verdict::holds);
        let nearness = holds.then(|| observed::nearness(relation, group, source, &seen.calls)).flatten();
        Lesson {
            is_violation: seen.verdict.is_some_and(Verdict::is_violation),
            follow_ups,
            new_outcome: new.outcome,
            new_outputs: new.outputs,
            nearness: nearness.unwrap_or(0.0),
        }
    }

    /// Runs kept counterexamples, each with the group for which it was kept; returns whether to go on.
    fn kept(&mut self, until: &Until) -> bool {
        for (place, rows) in self.sources.kept_rows().into_iter().enumerate() {
            let batch = Batch { relation: place, origin: Origin::Regressions, rows };
            let columns = self.sources.columns(&batch);
            for row in 0..rows {
                if !until.goes_on() {
                    return false;
                }
                if self.states[place].calls.is_none_or(|calls| calls > self.left()) {
                    self.not_judged(place, row);
                    continue;
                }
                let columns: Vec<Column> = columns.iter().map(|c| c.select(&[row as u32])).collect();
                let source = Source { origin: Origin::Regressions, row, columns };
                let group = self.sources.kept_group(place, row);
                let partition = self.states[place].partitions.index(&source.values());
                let Some(seen) = self.group(place, group, &source, partition) else { return false };
                match seen.verdict {
                    None => self.not_judged(place, row),
                    Some(verdict) if !verdict.is_eligible() => {
                        self.states[place].sum.unjudged.insert(row);
                    }
                    Some(_) => {}
                }
            }
        }
        true
    }

    fn not_judged(&mut self, place: usize, row: usize) {
        if let Provenance::Regression { path } = self.sources.kept_place(place, row) {
            self.unjudged.push(path);
        }
    }
}

impl<'a> State<'a> {
    fn new(
        pool: Pool<'a>,
        partitions: Partitions,
        first_shared: usize,
        relation: &dodona_relations::Relation,
    ) -> State<'a> {
        let count = partitions.count();
        let part = |p| ScheduledPartition { name: partitions.name(p), groups: 0, runs: 0 };
        let spent = ScheduledRelation {
            name: relation.name().to_owned(),
            runs: 0,
            own_runs_to_violation: None,
            runs_to_violation: None,
            partitions: (0..count).map(part).collect(),
        };
        State {
            pool,
            partitions,
            first_shared,
            open: vec![true; count],
            in_vain: vec![0; count],
            turn: 0,
            calls: Some(relation.calls().len() as u64),
            sum: Sum::default(),
            outside: None,
            spent,
        }
    }

    /// Whether it is not violated yet.
    fn is_wanted(&self) -> bool {
        self.sum.first.is_none()
    }

    fn cells(&self, relation: usize) -> impl Iterator<Item = Cell> {
        let open = self.open.iter().enumerate().filter(|(_, is_open)| **is_open);
        open.map(move |(partition, _)| Cell { relation, partition, shared: self.first_shared + partition })
    }

    fn close_where_in_vain(&mut self, partition: usize) {
        self.open[partition] = self.in_vain[partition] < MOST_IN_VAIN;
    }

    fn spend(&mut self, partition: usize, runs: u64) {
        self.spent.runs += runs;
        self.spent.partitions[partition].runs += runs;
    }

    /// Notes the verdict on a group, after so many calls of all relations.
    fn note(&mut self, verdict: Verdict, group: usize, source: &Source, partition: usize, runs: u64) {
        let found = || PlacedGroup { place: (source.origin, source.row, group), values: source.values() };
        self.sum.sources += 1;
        self.sum.tally.count(verdict);
        self.spent.partitions[partition].groups += 1;
        match verdict {
            Verdict::Ineligible(Ineligible::Skipped(outcome)) => {
                self.sum.skipped.entry(outcome).or_insert_with(found);
            }
            Verdict::Ineligible(Ineligible::OutOfDomain) => {
                self.outside.get_or_insert_with(found);
            }
            verdict if verdict.is_violation() && self.sum.first.is_none() => {
                self.sum.first = Some(found());
                self.spent.own_runs_to_violation = Some(self.spent.runs);
                self.spent.runs_to_violation = Some(runs);
            }
            _ => {}
        }
    }
}
