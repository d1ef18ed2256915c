//! Runs one mutant on the tests.

mod failing;

use std::cell::RefCell;

use dodona_mutants::Notes;
use dodona_records::{Fate, KillKind, Mode, Pruning, SectionKind, Verdict, Violation};
use dodona_target::{Caller, Calls, Column, Outcome, Trap};
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Choice, Runner};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use crate::baseline::Baseline;
use crate::fuel::MutantCaller;
use crate::observe::BatchNotes;
use crate::result::{Kill, Kills, MutantResult, Started};
use crate::strong::Test;
use crate::suite::{Suite, TestBatch, TestKind};

use failing::{failed_source, note_failure};

/// The number of tests in a mutant's first slice. The first few tests kill most of the mutants that are killed at all.
const FIRST_SLICE: usize = 8;

/// What every mutant is run with.
#[derive(Clone, Copy)]
pub struct Tests<'a> {
    pub(crate) workbench: &'a Workbench,
    /// All tests.
    pub suite: &'a Suite,
    /// The baseline of each batch.
    pub baselines: &'a [Baseline],
    /// The notes of the observing run on each batch.
    pub observed: &'a [BatchNotes],
    pub(crate) mode: Mode,
    pub(crate) pruning: Pruning,
    /// The tests that are run first, in [`Mode::Classes`].
    pub(crate) strong: &'a [Test],
}

/// What is run in the place of the original.
#[derive(Clone, Copy)]
pub enum Version<'a> {
    /// A mutant in a module of mutants.
    Mutant {
        /// The functions of the module that it changes.
        changed: &'a [u32],
        /// The choice that makes it run.
        choice: Choice,
        /// Its bits in the notes of the observing run.
        notes: &'a Notes,
    },
    /// Another build of the subject, of which nothing is known before it is run.
    Build {
        /// Runs the original, which the module of the build does not have.
        original: &'a RefCell<Runner>,
    },
}

impl<'a> Version<'a> {
    /// Whether the tests of a section can run code that differs from the original's.
    pub fn can_run_in(&self, suite: &Suite, section: usize) -> bool {
        match self {
            Version::Mutant { changed, .. } => suite.can_run(section, changed),
            Version::Build { .. } => true,
        }
    }

    /// Whether the test in this row of a batch may infect it. Any test may infect a build.
    pub fn may_be_infected(&self, tests: &Tests<'_>, batch: usize, row: usize) -> bool {
        match self {
            Version::Mutant { notes, .. } => tests.observed[batch].infects(row, notes),
            Version::Build { .. } => true,
        }
    }

    /// A caller of it on the tests of a batch with this baseline, either on all of them or on these rows.
    pub fn caller<'c>(
        &self,
        runner: &'c mut Runner,
        baseline: &'c Baseline,
        rows: Option<&'c [u32]>,
    ) -> MutantCaller<'c>
    where
        'a: 'c,
    {
        match *self {
            Version::Mutant { choice, .. } => MutantCaller::new(runner, choice, baseline, rows),
            Version::Build { original } => MutantCaller::of_build(runner, original, baseline, rows),
        }
    }
}

impl Tests<'_> {
    /// Runs a mutant on all tests that the options ask for.
    pub(crate) fn run(&self, version: &Version<'_>, runner: &mut Runner) -> Result<MutantResult, LabError> {
        let started = self.start(version, runner)?;
        self.finish(version, started, runner)
    }

    /// Runs a mutant on the other tests that the options ask for.
    pub(crate) fn finish(
        &self,
        version: &Version<'_>,
        started: Started,
        runner: &mut Runner,
    ) -> Result<MutantResult, LabError> {
        let Started { mut result, executed: ran_first, .. } = started;
        // How many of the rows of each batch were executed here.
        let mut ends = vec![0; self.suite.batches.len()];
        for (index, batch) in self.suite.batches.iter().enumerate() {
            if !version.can_run_in(self.suite, batch.section) {
                continue;
            }
            self.observe(index, version, &mut result);
            result.pairs += self.baselines[index].tests;
            if let TestKind::Groups { .. } = batch.kind {
                result.groups += self.baselines[index].different;
            }
            if self.is_done(&result, batch) {
                continue;
            }
            let rows = self.rows_but(index, version, &ran_first);
            let mut size = FIRST_SLICE;
            let end = &mut ends[index];
            while *end < rows.len() && !self.is_done(&result, batch) {
                let rest = &rows[*end..];
                let slice =
                    &rest[..if self.mode == Mode::Matrix { rest.len() } else { size.min(rest.len()) }];
                size *= 8;
                *end += slice.len();
                result.executed += slice.len() as u64;
                let kills = self.slice(index, slice, version, runner, &mut result)?;
                self.note(&mut result, index, kills);
            }
        }
        let is_survivor = self.survives(&result) && result.untested().is_none();
        if self.mode == Mode::Classes {
            // If no group is eligible, the relations say nothing of the mutant, and it is not one of those that they let pass.
            match is_survivor {
                true => self.other_inputs(version, (&ran_first, &ends), runner, &mut result)?,
                false => result.cells.clear(),
            }
        }
        if self.passes_relations(&result) && result.failure.is_none() {
            self.failing_input(version, (&ran_first, &ends), runner, &mut result)?;
        }
        Ok(result)
    }

    /// Whether no relation kills the mutant although there are relations, and some input does.
    fn survives(&self, result: &MutantResult) -> bool {
        let kind = |kind| {
            let of_kind = self.suite.sections.iter().zip(&result.kills).filter(move |(s, _)| s.kind == kind);
            of_kind.map(|(_, kills)| kills.is_some()).collect::<Vec<_>>()
        };
        let (relations, inputs) = (kind(SectionKind::Relation), kind(SectionKind::Inputs));
        !relations.is_empty() && !relations.contains(&true) && inputs.contains(&true)
    }

    /// Runs a survivor on the inputs that it was not run on: those of each batch after the first so many, but for some tests. All
    /// inputs that reveal it show which other mutants it subsumes.
    fn other_inputs(
        &self,
        version: &Version<'_>,
        (ran_first, ends): (&[Test], &[usize]),
        runner: &mut Runner,
        result: &mut MutantResult,
    ) -> Result<(), LabError> {
        for (index, batch) in self.suite.batches.iter().enumerate() {
            let is_input = matches!(batch.kind, TestKind::Inputs { .. });
            if !is_input || !version.can_run_in(self.suite, batch.section) {
                continue;
            }
            let rows = self.rows_but(index, version, ran_first);
            let rest = &rows[ends[index]..];
            if !rest.is_empty() {
                let kills = self.slice(index, rest, version, runner, result)?;
                result.executed += rest.len() as u64;
                result.cells.extend(kills.iter().map(|kill| (index as u32, kill.row as u32)));
            }
        }
        result.cells.sort_unstable();
        for (section, kills) in result.kills.iter_mut().enumerate() {
            let is_here = |(batch, _): &&Test| self.suite.batches[*batch as usize].section == section;
            if let Some(kills) =
                kills.as_mut().filter(|_| self.suite.sections[section].kind == SectionKind::Inputs)
            {
                kills.count = result.cells.iter().filter(is_here).count() as u64;
            }
        }
        Ok(())
    }

    /// The inputs with which some relation kills a mutant. The first test of each batch has to have the number of its first
    /// input. Relations share source inputs, so an input that killed the mutant with one relation is not run with the next.
    pub fn killers(&self, version: &Version<'_>, runner: &mut Runner) -> Result<FixedBitSet, LabError> {
        let mut killers = FixedBitSet::new();
        // What else is noted of the runs, nobody asks for.
        let mut result = MutantResult::new(0);
        for (index, batch) in self.suite.batches.iter().enumerate() {
            if !version.can_run_in(self.suite, batch.section) {
                continue;
            }
            let mut rows = self.rows(index, version);
            rows.retain(|&row| !killers.contains(batch.first + row as usize));
            if rows.is_empty() {
                continue;
            }
            for kill in self.slice(index, &rows, version, runner, &mut result)? {
                killers.grow_and_insert(batch.first + kill.row);
            }
        }
        Ok(killers)
    }

    /// Notes how far the mutant's effect gets, and counts the inputs that reach and infect it. Of a build nobody knows.
    fn observe(&self, index: usize, version: &Version<'_>, result: &mut MutantResult) {
        let Version::Mutant { notes, .. } = version else { return };
        let (batch, observed) = (&self.suite.batches[index], &self.observed[index]);
        let in_some = |seen: &dyn Fn(usize) -> bool| (0..batch.rows).any(seen);
        if result.fate == Fate::Unreached && in_some(&|row| observed.reaches(row, notes)) {
            result.fate = Fate::Reached;
        }
        if result.fate == Fate::Reached && in_some(&|row| observed.infects(row, notes)) {
            result.fate = Fate::Infected;
        }
        if !matches!(batch.kind, TestKind::Inputs { .. }) {
            return;
        }
        for row in 0..batch.rows {
            result.reached += u64::from(observed.reaches(row, notes));
            if observed.infects(row, notes) {
                result.infected += 1;
                result.infecting.get_or_insert((index, row));
            }
        }
    }

    /// Whether further tests of a batch would add nothing to what the options ask for.
    pub(crate) fn is_done(&self, result: &MutantResult, batch: &TestBatch) -> bool {
        let is_relation = matches!(batch.kind, TestKind::Groups { .. });
        match self.mode {
            Mode::Matrix => false,
            Mode::EachRelation => result.kills[batch.section].is_some(),
            Mode::StopAtKill | Mode::Classes => {
                let kind = self.suite.sections[batch.section].kind;
                let same = self.suite.sections.iter().zip(&result.kills);
                result.kills[batch.section].is_some()
                    || is_relation && same.filter(|(s, _)| s.kind == kind).any(|(_, kills)| kills.is_some())
            }
        }
    }

    /// Whether a test can kill a mutant that no test before it kills. If only the first kill counts, a group with the source
    /// inputs of an earlier one cannot: it does the same again.
    fn can_kill(&self, index: usize, row: usize) -> bool {
        self.baselines[index].can_kill(row) && !self.suite.batches[index].is_repeated_group(row)
    }

    /// The tests of a batch that are executed.
    fn rows(&self, index: usize, version: &Version<'_>) -> Vec<u32> {
        let wanted = |row: usize| {
            self.can_kill(index, row)
                && match self.pruning {
                    Pruning::Infected => version.may_be_infected(self, index, row),
                    Pruning::Off => true,
                }
        };
        (0..self.suite.batches[index].rows).filter(|&row| wanted(row)).map(|row| row as u32).collect()
    }

    /// The tests of a batch that are executed, but for some.
    fn rows_but(&self, index: usize, version: &Version<'_>, but: &[Test]) -> Vec<u32> {
        let mut rows = self.rows(index, version);
        rows.retain(|row| !but.contains(&(index as u32, *row)));
        rows
    }

    /// Runs some tests of a batch. Returns those that kill, in order, and counts the verdicts of metamorphic groups in the result.
    pub(crate) fn slice(
        &self,
        index: usize,
        rows: &[u32],
        version: &Version<'_>,
        runner: &mut Runner,
        result: &mut MutantResult,
    ) -> Result<Vec<Kill>, LabError> {
        let batch = &self.suite.batches[index];
        let baseline = &self.baselines[index];
        let all = rows.len() == batch.rows;
        let picked: Vec<Column>;
        let columns = if all {
            &batch.columns
        } else {
            picked = batch.columns.iter().map(|column| column.select(rows)).collect();
            &picked
        };
        let rows_of = (!all).then_some(rows);
        let mut caller = version.caller(runner, baseline, rows_of);
        let kills = match batch.kind {
            TestKind::Inputs { function } => {
                let calls = caller.call_at(0, &|row| row, function, columns)?;
                let kills = baseline
                    .calls
                    .as_ref()
                    .map_or_else(Vec::new, |original| revealed(original, &calls, rows));
                note_failure(result, index, kills.iter().find_map(|kill| baseline.failed(kill)));
                kills
            }
            TestKind::Groups { relation, group } => {
                let program = &self.workbench.relations[relation].program;
                // Rows that the original finds ineligible are not run.
                let verdicts = program.evaluate_drawn(group, columns, &mut caller)?;
                verdicts.iter().for_each(|verdict| result.verdicts.count(*verdict));
                note_failure(result, index, verdicts.iter().zip(rows).find_map(failed_source));
                let killed = verdicts.iter().zip(rows).filter(|(verdict, _)| verdict.is_violation());
                killed.map(|(verdict, &row)| violated(*verdict, row as usize)).collect()
            }
        };
        result.is_near_limit |= caller.is_near_limit;
        Ok(kills)
    }

    /// Whether the input kills only because the mutant or the original exhausts the call stack. The depth of the stack depends
    /// on the size of frames, and so on how the code is compiled.
    fn overflows(&self, index: usize, kill: &Kill) -> bool {
        let original = self.baselines[index].calls.as_ref().map(|calls| calls.outcomes[kill.row]);
        let mutant = kill.found.as_ref().map(|(outcome, _)| *outcome);
        [original, mutant].contains(&Some(Outcome::Trapped(Trap::StackOverflow)))
    }

    pub(crate) fn note(&self, result: &mut MutantResult, index: usize, kills: Vec<Kill>) {
        let section = self.suite.batches[index].section;
        let is_input = self.suite.sections[section].kind == SectionKind::Inputs;
        if self.mode == Mode::Matrix || self.mode == Mode::Classes && is_input {
            result.cells.extend(kills.iter().map(|kill| (index as u32, kill.row as u32)));
        }
        if self.mode == Mode::Matrix {
            let overflows = kills.iter().filter(|kill| self.overflows(index, kill));
            result.overflows.extend(overflows.map(|kill| (index as u32, kill.row as u32)));
        }
        for kill in kills {
            match &mut result.kills[section] {
                Some(_) if self.mode != Mode::Matrix => return,
                Some(kills) => kills.count += 1,
                first => {
                    *first =
                        Some(Kills { count: 1, first: (index, kill.row), how: kill.how, found: kill.found });
                }
            }
        }
    }
}

/// The inputs on which the mutant's outcome or outputs differ from the original's.
fn revealed(original: &Calls, mutant: &Calls, rows: &[u32]) -> Vec<Kill> {
    let mut kills = Vec::new();
    for (i, &row) in rows.iter().enumerate() {
        let row = row as usize;
        let (expected, found) = (original.outcomes[row], mutant.outcomes[i]);
        let same = || {
            !found.has_outputs()
                || original.outputs.iter().zip(&mutant.outputs).all(|(a, b)| a.same(row, b, i))
        };
        let how = KillKind::of_outcomes(expected, found).or_else(|| (!same()).then_some(KillKind::Output));
        if let Some(how) = how {
            let outputs = mutant.outputs.iter().map(|column| column.value(i)).collect();
            kills.push(Kill { row, how, found: Some((found, outputs)) });
        }
    }
    kills
}

fn violated(verdict: Verdict, row: usize) -> Kill {
    let how = match verdict {
        Verdict::Violated(Violation::FollowUp(outcome)) => {
            KillKind::of_outcomes(Outcome::Returned, outcome).unwrap_or(KillKind::Output)
        }
        _ => KillKind::Output,
    };
    Kill { row, how, found: None }
}
