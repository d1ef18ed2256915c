//! The observing run: which mutants each test reaches, and which it infects.
//!
//! Infection comes before propagation. One further version of the functions runs the original and evaluates every change beside it. Each
//! row of a column gets notes: one bit for each place that is reached and one for each mutant that is infected. A test that does not
//! infect a mutant cannot kill it and is not run. With `--pruning off` it is run nevertheless; a test compares the two kill matrices on
//! every shipped subject.

use dodona_mutants::Notes;
use dodona_target::{CallError, Caller, Calls, Column};
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Choice, Runner};
use dodona_workbench::LabError;

use crate::suite::{TestBatch, TestKind};

/// The notes of a batch. The notes of all calls of a test are joined.
#[derive(Clone, Debug, Default)]
pub struct BatchNotes {
    /// One row for each test.
    words: Vec<u64>,
    stride: usize,
}

impl BatchNotes {
    /// Runs the observing version on a batch.
    pub(crate) fn run(
        workbench: &Workbench,
        batch: &TestBatch,
        observer: Choice,
        note_bits: u32,
        runner: &mut Runner,
    ) -> Result<BatchNotes, LabError> {
        let stride = note_bits.div_ceil(64) as usize;
        let observed = BatchNotes { words: vec![0; stride * batch.rows], stride };
        let mut noting = Noting { runner, observer, observed };
        match batch.kind {
            TestKind::Inputs { function } => {
                noting.call_at(0, &|row| row, function, &batch.columns)?;
            }
            TestKind::Groups { relation, group } => {
                let program = &workbench.relations[relation].program;
                program.evaluate(group, &batch.columns, &mut noting)?;
            }
        }
        Ok(noting.observed)
    }

    /// Whether a test infects a mutant.
    pub fn infects(&self, row: usize, notes: &Notes) -> bool {
        self.bit(row, notes.infected)
    }

    /// Whether a test reaches a mutant.
    pub(crate) fn reaches(&self, row: usize, notes: &Notes) -> bool {
        notes.reached.iter().any(|&bit| self.bit(row, bit))
    }

    fn bit(&self, row: usize, bit: u32) -> bool {
        self.words[row * self.stride + bit as usize / 64] >> (bit % 64) & 1 != 0
    }

    fn row(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.stride..(row + 1) * self.stride]
    }
}

/// Calls the observing version and adds its notes to those of the test.
struct Noting<'a> {
    runner: &'a mut Runner,
    observer: Choice,
    observed: BatchNotes,
}

impl Caller for Noting<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.runner.choose(Choice::default());
        self.runner.call(function, arguments).map_err(CallError::from)
    }

    fn call_at(
        &mut self,
        _call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        self.runner.choose(self.observer);
        let noted = self.runner.call_noting(function, arguments).map_err(CallError::from)?;
        for row in 0..noted.outcomes.len() {
            let notes = self.observed.row(source(row));
            notes.iter_mut().zip(self.runner.notes(row)).for_each(|(word, note)| *word |= note);
        }
        let calls = self.call(function, arguments)?;
        for row in 0..calls.outcomes.len() {
            // The observing version needs more stack. If the call stack overflowed for that reason, the notes may be
            // incomplete.
            if noted.outcomes[row] != calls.outcomes[row] {
                self.observed.row(source(row)).fill(u64::MAX);
            }
        }
        Ok(calls)
    }

    /// A mutant that only these calls infect may have another verdict, so they are noted as well.
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
