//! Calls of a mutant with a limit on its fuel: ten times what the original costs on the same input, plus a constant.
//!
//! A call costs its fuel, and one unit for each element of its outputs: some mutants return a text as long as the memory, and
//! relations would reverse, join and compare it for every test.
//!
//! With this limit an endless loop ends soon and is a kill, and a loop that is slightly longer is not. Outputs count because reversing
//! and comparing texts as long as the memory takes longer than an endless loop does.

use std::cell::RefCell;

use dodona_target::{CallError, Caller, Calls, Column, Outcome};
use dodona_wasm::execute::{Choice, Runner};

use crate::baseline::{Baseline, costs};

/// The factor by which a mutant may cost more than the original.
const FACTOR: u64 = 10;

/// The fuel that any mutant may use in addition. A short loop that runs a little longer is not an endless one.
const FLOOR: u64 = 10_000;

/// The limit for a mutant if the original costs this much.
fn limit(cost: u64) -> u64 {
    cost.saturating_mul(FACTOR).saturating_add(FLOOR)
}

/// Calls a mutant.
pub struct MutantCaller<'a> {
    runner: &'a mut Runner,
    choice: Choice,
    baseline: &'a Baseline,
    /// The rows of the tests that are run; `None` for all tests of the batch.
    rows: Option<&'a [u32]>,
    limits: Vec<u64>,
    /// Runs the original, where the runner's module does not have it.
    original: Option<&'a RefCell<Runner>>,
    /// Whether some call used more than half of its limit, although it did not run out.
    pub(crate) is_near_limit: bool,
}

impl<'a> MutantCaller<'a> {
    /// A caller of one version of the mutants in a runner's module. It is called on a batch whose baseline is `baseline`,
    /// either on all of its tests or on these rows.
    pub fn new(
        runner: &'a mut Runner,
        choice: Choice,
        baseline: &'a Baseline,
        rows: Option<&'a [u32]>,
    ) -> MutantCaller<'a> {
        MutantCaller {
            runner,
            choice,
            baseline,
            rows,
            limits: Vec::new(),
            original: None,
            is_near_limit: false,
        }
    }

    /// The same of another build of the subject, which is the runner's module; `original` runs the original.
    pub(crate) fn of_build(
        runner: &'a mut Runner,
        original: &'a RefCell<Runner>,
        baseline: &'a Baseline,
        rows: Option<&'a [u32]>,
    ) -> MutantCaller<'a> {
        MutantCaller {
            original: Some(original),
            ..MutantCaller::new(runner, Choice::default(), baseline, rows)
        }
    }
}

impl MutantCaller<'_> {
    /// The limit for each call, from what the original cost if the test made the same call.
    fn set_limits(&mut self, call: usize, source: &dyn Fn(usize) -> usize, count: usize) {
        let costs = self.baseline.costs.get(call).map_or(&[][..], Vec::as_slice);
        let row = |i: usize| self.rows.map_or(source(i), |rows| rows[source(i)] as usize);
        let limits = (0..count).map(|i| limit(costs.get(row(i)).copied().unwrap_or(0)));
        self.limits = limits.collect();
    }

    fn mutant(&mut self, function: usize, arguments: &[Column], limits: &[u64]) -> Result<Calls, CallError> {
        self.runner.choose(self.choice);
        let calls = self.runner.call_within(function, arguments, limits).map_err(CallError::from)?;
        let used = self.runner.fuel_used().iter().zip(limits);
        self.is_near_limit |= used.into_iter().any(|(used, limit)| *used > limit / 2 && used < limit);
        Ok(calls)
    }

    /// What the calls of the original cost with these arguments.
    fn costs_of_original(&mut self, function: usize, arguments: &[Column]) -> Result<Vec<u64>, CallError> {
        let mut elsewhere;
        let runner = match self.original {
            Some(original) => {
                elsewhere = original.borrow_mut();
                &mut *elsewhere
            }
            None => {
                self.runner.choose(Choice::default());
                &mut *self.runner
            }
        };
        let calls = runner.call(function, arguments).map_err(CallError::from)?;
        Ok(costs(runner, &calls))
    }

    /// Calls again where a follow-up call ran out of fuel. A mutant may have another follow-up input than the original, and
    /// then the limit follows from what the original uses on that input.
    fn reconsider(
        &mut self,
        function: usize,
        arguments: &[Column],
        calls: Calls,
    ) -> Result<Calls, CallError> {
        let spent: Vec<u32> = rows_where(&calls, |_, outcome| outcome == Outcome::OutOfFuel);
        if spent.is_empty() {
            return Ok(calls);
        }
        let same: Vec<Column> = arguments.iter().map(|column| column.select(&spent)).collect();
        let limits: Vec<u64> = self.costs_of_original(function, &same)?.into_iter().map(limit).collect();
        let more: Vec<usize> =
            (0..spent.len()).filter(|&i| limits[i] > self.limits[spent[i] as usize]).collect();
        if more.is_empty() {
            return Ok(calls);
        }
        let rows: Vec<u32> = more.iter().map(|&i| spent[i]).collect();
        let limits: Vec<u64> = more.iter().map(|&i| limits[i]).collect();
        let again: Vec<Column> = arguments.iter().map(|column| column.select(&rows)).collect();
        let again = self.mutant(function, &again, &limits)?;
        Ok(replace(&calls, &rows, &again))
    }
}

impl Caller for MutantCaller<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.call_at(usize::MAX, &|row| row, function, arguments)
    }

    fn call_at(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let count = arguments.first().map_or(1, Column::len);
        self.set_limits(call, source, count);
        let limits = std::mem::take(&mut self.limits);
        let calls = self.mutant(function, arguments, &limits)?;
        self.limits = limits;
        self.reconsider(function, arguments, calls)
    }

    /// A call with moved numbers costs about what the call costs that is made again.
    fn call_moved(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        self.call_at(call, source, function, arguments)
    }
}

fn rows_where(calls: &Calls, wanted: impl Fn(usize, Outcome) -> bool) -> Vec<u32> {
    let rows = calls.outcomes.iter().enumerate();
    rows.filter(|(row, outcome)| wanted(*row, **outcome)).map(|(row, _)| row as u32).collect()
}

/// The calls, with some rows replaced.
fn replace(calls: &Calls, rows: &[u32], by: &Calls) -> Calls {
    let mut replaced = calls.clone();
    for (i, &row) in rows.iter().enumerate() {
        replaced.outcomes[row as usize] = by.outcomes[i];
    }
    for (column, by) in replaced.outputs.iter_mut().zip(&by.outputs) {
        let mut values: Vec<_> = (0..column.len()).map(|row| column.value(row)).collect();
        rows.iter().enumerate().for_each(|(i, &row)| values[row as usize] = by.value(i));
        let mut fresh = column.select(&[]);
        values.iter().for_each(|value| fresh.push(value));
        *column = fresh;
    }
    replaced
}
