//! The baseline: what the original does on every test. It has outcomes, verdicts, and the cost of each call, by which the same
//! call of a mutant is limited.

use dodona_records::{KillKind, Verdict};
use dodona_target::{CallError, Caller, Calls, Column, Outcome};
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Choice, Runner};
use dodona_workbench::LabError;

use crate::result::Kill;
use crate::suite::{TestBatch, TestKind};

/// What the original did on a batch of tests.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// For inputs: the calls.
    pub calls: Option<Calls>,
    /// For metamorphic groups: the verdicts.
    pub verdicts: Vec<Verdict>,
    /// What each call cost, by its number in the relation and its row; 0 where the call was not made. An input has one call,
    /// number 0.
    pub(crate) costs: Vec<Vec<u64>>,
    /// The number of calls that were made.
    pub(crate) calls_made: u64,
    /// The number of tests that can kill a mutant.
    pub(crate) tests: u64,
    /// The number of these that are no repeated groups.
    pub(crate) different: u64,
}

impl Baseline {
    /// Runs the original on a batch.
    pub(crate) fn run(
        workbench: &Workbench,
        batch: &TestBatch,
        runner: &mut Runner,
    ) -> Result<Baseline, LabError> {
        runner.choose(Choice::default());
        let mut watching = Watching { runner, rows: batch.rows, costs: Vec::new(), calls_made: 0 };
        let mut baseline = Baseline::default();
        match batch.kind {
            TestKind::Inputs { function } => {
                let calls = watching.call_at(0, &|row| row, function, &batch.columns)?;
                baseline.calls = Some(calls);
            }
            TestKind::Groups { relation, group } => {
                let program = &workbench.relations[relation].program;
                baseline.verdicts = program.evaluate(group, &batch.columns, &mut watching)?;
            }
        }
        let can_kill = |row: &usize| baseline.can_kill(*row);
        let tests = (0..batch.rows).filter(can_kill).count() as u64;
        let different =
            (0..batch.rows).filter(can_kill).filter(|row| !batch.is_repeated_group(*row)).count() as u64;
        Ok(Baseline { costs: watching.costs, calls_made: watching.calls_made, tests, different, ..baseline })
    }

    /// Whether a test can kill a mutant. A metamorphic group has to hold on the original. On an input the original has to end,
    /// because nobody knows what it would have done with more fuel.
    pub(crate) fn can_kill(&self, row: usize) -> bool {
        match &self.calls {
            Some(calls) => calls.outcomes[row] != Outcome::OutOfFuel,
            None => self.verdicts[row].holds(),
        }
    }

    /// The row of an input on which the original returns and the mutant does not, with how the mutant ends.
    pub(crate) fn failed(&self, kill: &Kill) -> Option<(usize, KillKind)> {
        let returns = self.calls.as_ref().is_some_and(|calls| calls.outcomes[kill.row].has_outputs());
        (returns && kill.how.failure().is_some()).then(|| (kill.row, kill.how.clone()))
    }

    /// Inputs on which the original runs out of fuel.
    pub(crate) fn spent(&self) -> usize {
        let outcomes = self.calls.iter().flat_map(|calls| &calls.outcomes);
        outcomes.filter(|outcome| **outcome == Outcome::OutOfFuel).count()
    }
}

/// What each call cost that a runner made last: its fuel, and one unit for each element of its outputs.
pub(crate) fn costs(runner: &Runner, calls: &Calls) -> Vec<u64> {
    let elements = |row| calls.outputs.iter().map(|output| output.elements(row) as u64).sum::<u64>();
    let used = runner.fuel_used().iter().enumerate();
    used.map(|(row, &fuel)| fuel.saturating_add(elements(row))).collect()
}

/// Calls the original and keeps what each call cost.
struct Watching<'a> {
    runner: &'a mut Runner,
    rows: usize,
    costs: Vec<Vec<u64>>,
    calls_made: u64,
}

impl Caller for Watching<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.runner.call(function, arguments).map_err(CallError::from)
    }

    fn call_at(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let calls = self.call(function, arguments)?;
        if self.costs.len() <= call {
            self.costs.resize(call + 1, Vec::new());
        }
        self.costs[call].resize(self.rows, 0);
        for (row, cost) in costs(self.runner, &calls).into_iter().enumerate() {
            self.costs[call][source(row)] = cost;
        }
        self.calls_made += calls.outcomes.len() as u64;
        Ok(calls)
    }
}
