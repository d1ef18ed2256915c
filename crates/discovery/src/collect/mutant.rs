//! Runs one mutant on pairs of inputs: only on inputs that infect it, and only on as many as are needed.

use std::sync::Arc;

use dodona_mutation::run::{Tests, Version};
use dodona_mutation::{Runner, fuel::MutantCaller};
use dodona_target::{Caller, Column};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use super::mutant_results::{IncorrectExecution, IncorrectExecutions, MutantCalls, MutantResults};
use super::plan::{ExecutionInputs, Link, OriginalCalls};
use crate::tuning::{
    FIRST_PAIRS, FIRST_SOURCE_SLICE, INPUTS_A_BATCH, INPUTS_AT_ONCE, SOURCE_STOPS, STOPS_A_TRANSFORMATION,
};

/// The work to do with each mutant.
pub(super) struct MutantExecutor {
    pub(super) inputs: Arc<ExecutionInputs>,
    /// The most incorrect executions of a transformation that are wanted from one mutant.
    pub(super) wanted: usize,
    /// The most pairs of a transformation that a mutant is run on.
    pub(super) tries: usize,
    /// The most source inputs that a mutant is run on before that, to see where its outputs differ.
    pub(super) source_tries: usize,
}

/// How a mutant ends on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MutantEnd {
    Gave,
    Stopped,
    GaveTooMuch,
}

/// The kinds of pairs that are chosen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PairKind {
    /// Pairs whose source output is known to differ from the original's.
    Differing,
    /// Other pairs that infect the mutant.
    Infecting,
}

/// The progress of a mutant with one transformation.
#[derive(Clone, Default)]
struct TransformationProgress {
    /// The index of the next pair to consider, for each kind of [`PairKind`].
    next: [usize; 2],
    tried: usize,
    round: Vec<Link>,
    shown: IncorrectExecutions,
}

/// The state of a mutant that is being run.
struct RunningMutant<'a> {
    work: &'a MutantExecutor,
    tests: &'a Tests<'a>,
    version: &'a Version<'a>,
    runner: &'a mut Runner,
    infected: FixedBitSet,
    /// On how many inputs it stopped.
    stops: usize,
    /// On how many inputs it may stop.
    most_stops: usize,
    /// The source inputs on which its outputs are known to differ from the original's.
    differing: FixedBitSet,
    answers: MutantCalls,
}

impl MutantExecutor {
    /// Runs a mutant on pairs.
    pub(super) fn run(
        &self,
        tests: &Tests<'_>,
        version: &Version<'_>,
        runner: &mut Runner,
    ) -> Result<MutantResults, LabError> {
        let mut progress = vec![TransformationProgress::default(); self.inputs.transformations.len()];
        let infected = self.infected(tests, version);
        let differing = FixedBitSet::with_capacity(self.inputs.sources);
        let mut running = RunningMutant {
            work: self,
            tests,
            version,
            runner,
            infected,
            stops: 0,
            most_stops: SOURCE_STOPS,
            differing,
            answers: MutantCalls::default(),
        };
        running.sources()?;
        running.most_stops = running.stops + STOPS_A_TRANSFORMATION * progress.len();
        let mut size = FIRST_PAIRS;
        while running.round(&mut progress, size)? {
            size *= 4;
        }
        Ok(MutantResults { answers: running.answers, shown: progress.into_iter().map(|p| p.shown).collect() })
    }

    /// The inputs that infect a mutant.
    fn infected(&self, tests: &Tests<'_>, version: &Version<'_>) -> FixedBitSet {
        let mut infected = FixedBitSet::with_capacity(self.inputs.len());
        for (index, batch) in tests.suite.batches.iter().enumerate() {
            if version.can_run_in(tests.suite, batch.section) {
                let rows = (0..batch.rows).filter(|&row| version.may_be_infected(tests, index, row));
                rows.for_each(|row| infected.insert(index * INPUTS_A_BATCH + row));
            }
        }
        infected
    }
}

impl RunningMutant<'_> {
    /// Runs some more pairs of every transformation that is not done; returns whether there were any.
    fn round(&mut self, progress: &mut [TransformationProgress], size: usize) -> Result<bool, LabError> {
        let mut inputs: Vec<u32> = Vec::new();
        for (linked, progress) in self.work.inputs.transformations.iter().zip(&mut *progress) {
            self.take(&linked.links, progress, size);
            inputs.extend(progress.round.iter().flat_map(|link| [link.source, link.follow_up]));
        }
        inputs.retain(|&input| self.is_open(input));
        inputs.sort_unstable();
        inputs.dedup();
        self.call(&inputs)?;
        let mut any = false;
        for (transformation, progress) in progress.iter_mut().enumerate() {
            any |= !progress.round.is_empty();
            self.judge(transformation, progress)?;
        }
        Ok(any)
    }

    /// Runs source inputs that infect the mutant, to see where its outputs differ.
    fn sources(&mut self) -> Result<(), LabError> {
        let original = OriginalCalls(self.tests.baselines);
        let order = self.work.inputs.order.iter().copied();
        let infecting = order.filter(|&i| self.infected.contains(i as usize) && original.is_usable(i));
        let inputs: Vec<u32> = infecting.take(self.work.source_tries).collect();
        let mut rest = &inputs[..];
        let mut size = FIRST_SOURCE_SLICE;
        while !rest.is_empty() && self.stops < self.most_stops {
            let (slice, behind) = rest.split_at(size.min(rest.len()));
            self.source_slice(slice.to_vec())?;
            rest = behind;
            size *= 4;
        }
        Ok(())
    }

    fn source_slice(&mut self, mut inputs: Vec<u32>) -> Result<(), LabError> {
        inputs.sort_unstable();
        self.call(&inputs)?;
        for &input in &inputs {
            if self.end(input) == MutantEnd::Gave && self.differs(input) {
                self.differing.insert(input as usize);
            }
        }
        Ok(())
    }

    /// Takes the next pairs: alternately a pair whose source output differs and another pair, as long as there are both.
    fn take(&self, links: &[Link], progress: &mut TransformationProgress, size: usize) {
        let shown = &progress.shown;
        // If the mutant crashed, any relation reveals it.
        let is_done =
            shown.crashed || shown.incorrect.len() >= self.work.wanted || self.stops >= self.most_stops;
        let size = if is_done { 0 } else { size.min(self.work.tries - progress.tried) };
        let mut turns = [PairKind::Differing, PairKind::Infecting];
        let mut without = 0;
        while progress.round.len() < size && without < 2 {
            match self.next(links, turns[0], &mut progress.next) {
                Some(link) => {
                    progress.round.push(link);
                    without = 0;
                }
                None => without += 1,
            }
            turns.swap(0, 1);
        }
        progress.tried += progress.round.len();
    }

    /// The next pair of this kind.
    fn next(&self, links: &[Link], wanted: PairKind, next: &mut [usize; 2]) -> Option<Link> {
        let next = &mut next[wanted as usize];
        while let Some(link) = links.get(*next) {
            *next += 1;
            if self.is_wanted(*link, wanted) {
                return Some(*link);
            }
        }
        None
    }

    fn is_wanted(&self, link: Link, wanted: PairKind) -> bool {
        let differs = self.differing.contains(link.source as usize);
        let is_infected = |input: u32| self.infected.contains(input as usize);
        let may_differ = match wanted {
            PairKind::Differing => differs,
            PairKind::Infecting => !differs && (is_infected(link.follow_up) || self.is_open(link.source)),
        };
        // If the original does not return, there is nothing to compare with.
        let original = OriginalCalls(self.tests.baselines);
        may_differ
            && original.is_usable(link.source)
            && original.is_usable(link.follow_up)
            && self.end(link.source) == MutantEnd::Gave
    }

    /// Whether an input infects the mutant, but the mutant has not been run on it yet.
    fn is_open(&self, input: u32) -> bool {
        let is_answered = || self.answers.at(input).is_some() || self.answers.is_long(input);
        self.infected.contains(input as usize) && !is_answered()
    }

    /// Runs the mutant on inputs, which are in ascending order, until it has stopped too often.
    fn call(&mut self, mut inputs: &[u32]) -> Result<(), LabError> {
        while let Some(&first) = inputs.first().filter(|_| self.stops < self.most_stops) {
            let index = first as usize / INPUTS_A_BATCH;
            let split =
                inputs.partition_point(|&input| input as usize / INPUTS_A_BATCH == index).min(INPUTS_AT_ONCE);
            let (these, rest) = inputs.split_at(split);
            let rows: Vec<u32> = these.iter().map(|&input| input % INPUTS_A_BATCH as u32).collect();
            let columns: Vec<Column> =
                self.tests.suite.batches[index].columns.iter().map(|c| c.select(&rows)).collect();
            let function = self.work.inputs.function;
            let calls = self.caller(index, Some(&rows)).call_at(0, &|row| row, function, &columns)?;
            self.stops += self.answers.add(these, &calls);
            inputs = rest;
        }
        Ok(())
    }

    fn caller<'c>(&'c mut self, batch: usize, rows: Option<&'c [u32]>) -> MutantCaller<'c> {
        self.version.caller(self.runner, &self.tests.baselines[batch], rows)
    }

    /// Evaluates the pairs of a round.
    fn judge(
        &mut self,
        transformation: usize,
        progress: &mut TransformationProgress,
    ) -> Result<(), LabError> {
        let round = std::mem::take(&mut progress.round);
        let feeds_back = self.work.inputs.transformations[transformation].feeds_back;
        let mut other = Vec::new();
        for link in round {
            // A pair that was not run because the mutant stops too often shows nothing.
            let is_known = !self.is_open(link.source) && !self.is_open(link.follow_up);
            if !is_known || self.end(link.source) != MutantEnd::Gave {
                continue;
            }
            let differs = self.differs(link.source);
            match self.end(link.follow_up) {
                _ if feeds_back && differs => other.push(link),
                MutantEnd::Stopped => progress.shown.crashed = true,
                MutantEnd::Gave if differs || self.differs(link.follow_up) => {
                    progress.shown.incorrect.push(IncorrectExecution { link, fed: None });
                }
                MutantEnd::Gave | MutantEnd::GaveTooMuch => {}
            }
        }
        if !other.is_empty() {
            self.feed_back(transformation, &other, &mut progress.shown)?;
        }
        Ok(())
    }

    /// How the mutant ends on an input. On an input that does not infect it, it returns as the original does.
    fn end(&self, input: u32) -> MutantEnd {
        match self.answers.at(input) {
            _ if self.answers.is_long(input) => MutantEnd::GaveTooMuch,
            Some((calls, row)) if !calls.outcomes[row].has_outputs() => MutantEnd::Stopped,
            _ => MutantEnd::Gave,
        }
    }

    /// Whether the mutant is known to behave differently from the original on an input.
    fn differs(&self, input: u32) -> bool {
        let (original, place) = OriginalCalls(self.tests.baselines).at(input);
        self.answers.at(input).is_some_and(|(calls, row)| !calls.same(row, original, place))
    }

    /// Runs pairs whose follow-up input is made from the mutant's own outputs.
    fn feed_back(
        &mut self,
        transformation: usize,
        links: &[Link],
        shown: &mut IncorrectExecutions,
    ) -> Result<(), LabError> {
        let work = self.work;
        let rows: Vec<u32> = links.iter().map(|link| link.source).collect();
        let columns: Vec<Column> = work.inputs.columns.iter().map(|column| column.select(&rows)).collect();
        let Some(calls) = self.answers.select(&rows) else { return Ok(()) };
        let made = work.inputs.transformations[transformation].change.inputs(&columns, &calls)?;
        let mut start = 0;
        while start < made.rows.len() && self.stops < self.most_stops {
            let slice: Vec<u32> =
                (start..made.rows.len().min(start + INPUTS_AT_ONCE)).map(|i| i as u32).collect();
            let arguments: Vec<Column> = made.arguments.iter().map(|column| column.select(&slice)).collect();
            let calls = self.caller(0, None).call(work.inputs.function, &arguments)?;
            let links: Vec<Link> = slice.iter().map(|&i| links[made.rows[i as usize] as usize]).collect();
            self.stops += shown.add_fed(&links, &arguments, &calls);
            start += slice.len();
        }
        Ok(())
    }
}
