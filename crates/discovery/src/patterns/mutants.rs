//! Runs mutants on inputs that reveal them and on some that do not, to find which patterns kill which mutants.
//!
//! Half of the inputs that reveal a mutant are random and half lie near constants, because random inputs hardly satisfy conditions near
//! constants. A pattern counts as catching a mutant if it does so on a tenth of these inputs. A condition costs a node more each time
//! that the number of random inputs on which it is true is halved, because people test with random inputs.
//!
//! Which of the chosen patterns and of the relations of the search are listed is decided by what they kill on inputs of the same kinds:
//! random ones, and the source inputs of techniques with edited ones. Of the mutants that these inputs reveal, a thousand random inputs
//! do not reveal a fourteenth for `advise` and a twenty-fifth for `transfer_fee`.

use std::sync::Arc;

use dodona_inference::patterns::{Atom, Change, Expected, rows_where};
use dodona_mutation::analysis::{Analysis, MutantRun};
use dodona_mutation::run::{Tests, Version};
use dodona_mutation::{Mutant, MutateOptions, MutateProgress, Runner};
use dodona_target::{Caller, Calls, Column, Signature, Until};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use super::inputs::{PatternInputs, returned};
use super::pattern_candidates::{HeldUnder, Recorded};
use super::pattern_tuning::{MOST_STOPS, MUTANT_BATCH, OTHERS_IN};
use super::run::ChangeRun;
use crate::collect::{OriginalCalls, suite_of};
use crate::target::DiscoveryTarget;
use crate::tuning::INPUTS_A_BATCH;

/// What a mutant does on inputs that reveal it, and on some that do not.
#[derive(Clone, Debug, Default)]
pub(super) struct Revealed {
    /// For each [`HeldUnder`], by its index, the inputs on which its expectation is false under its change.
    pub(super) broken: Vec<FixedBitSet>,
    /// For each atom of the vocabulary, the inputs on which it is true of the input and the output of the mutant.
    pub(super) atoms: Vec<FixedBitSet>,
    /// The inputs that reveal the mutant.
    pub(super) revealing: FixedBitSet,
    /// The number of all of these inputs.
    pub(super) rows: usize,
}

/// Inputs of a mutant with its outputs.
struct MutantInputs {
    /// The inputs, by their numbers: those that reveal the mutant, and then others.
    rows: Vec<u32>,
    outputs: Column,
    /// How many of them reveal it.
    revealing: usize,
}

/// The work to do with each mutant.
struct MutantWork {
    function: Signature,
    index: usize,
    output: usize,
    inputs: PatternInputs,
    changes: Vec<Change>,
    /// The expectations under each change, with their index.
    expected: Vec<Vec<(usize, Expected)>>,
    atoms: Vec<Atom>,
    /// The most inputs of a mutant that are looked at.
    most: usize,
}

/// Runs mutants, and then the faulty versions of the options, on inputs that reveal them and on others, at most `most` of each; `None` for those that there was
/// no time for.
///
/// # Errors
/// When the host fails.
pub(super) fn revealed(
    target: &DiscoveryTarget<'_>,
    recorded: &Recorded<'_>,
    held: &[HeldUnder],
    mutants: &[&Mutant],
    how: (usize, &MutateOptions),
    until: &Until,
) -> Result<Vec<Option<Revealed>>, LabError> {
    let (most, options) = how;
    let workbench = target.workbench;
    let all: Vec<u32> = (0..recorded.inputs.len() as u32).collect();
    let mut expected = vec![Vec::new(); recorded.vocabulary.changes.len()];
    for (index, held) in held.iter().enumerate() {
        expected[held.change].push((index, held.expected.clone()));
    }
    let work = MutantWork {
        function: recorded.function.clone(),
        index: target.function,
        output: recorded.output,
        inputs: recorded.inputs.select(&all),
        changes: recorded.vocabulary.changes.clone(),
        expected,
        atoms: recorded.vocabulary.atoms.clone(),
        most,
    };
    let mut silent = |_: MutateProgress| {};
    let mut analysis = Analysis {
        workbench: Arc::clone(workbench),
        options,
        suite: Arc::new(suite_of(workbench, target.function, &recorded.inputs.sources)),
        baselines: Arc::new(Vec::new()),
        until: until.clone(),
        done: MutateProgress { planned: mutants.len() as u64, ..MutateProgress::default() },
        progress: &mut silent,
    };
    analysis.baseline()?;
    let how = MutantRun {
        run: Arc::new(move |tests: &Tests<'_>, version: &Version<'_>, runner: &mut Runner| {
            work.run(tests, version, runner)
        }),
        is_alive: |revealed: &Revealed| revealed.broken.is_empty(),
    };
    let mut revealed = analysis.run(&target.mutants, mutants, &how)?;
    revealed.extend(analysis.run_versions(&options.versions, &how.run)?);
    Ok(revealed)
}

impl MutantWork {
    fn run(
        &self,
        tests: &Tests<'_>,
        version: &Version<'_>,
        runner: &mut Runner,
    ) -> Result<Revealed, LabError> {
        let Some(MutantInputs { rows, outputs, revealing }) = self.inputs_of(tests, version, runner)? else {
            return Ok(Revealed::default());
        };
        let inputs = self.inputs.select(&rows);
        let mut revealed = Revealed {
            broken: vec![FixedBitSet::with_capacity(rows.len()); self.expected.iter().map(Vec::len).sum()],
            atoms: self.atoms.iter().map(|atom| atom.rows(&inputs.sources, &outputs)).collect(),
            revealing: rows_where(rows.len(), |row| row < revealing),
            rows: rows.len(),
        };
        for (change, expected) in self.changes.iter().zip(&self.expected) {
            if expected.is_empty() {
                continue;
            }
            let mut call = |columns: &[Column]| {
                let mut caller = version.caller(runner, &tests.baselines[0], None);
                caller.call(self.index, columns).map_err(LabError::from)
            };
            let run = ChangeRun::new(&self.function, self.output, change, &inputs, &outputs, &mut call)?;
            for (index, expected) in expected {
                revealed.broken[*index] = run.broken(expected, &inputs, &outputs);
            }
        }
        Ok(revealed)
    }

    /// Inputs that reveal a mutant, and others on which it does as the original; `None` if no input reveals it.
    fn inputs_of(
        &self,
        tests: &Tests<'_>,
        version: &Version<'_>,
        runner: &mut Runner,
    ) -> Result<Option<MutantInputs>, LabError> {
        let Some((mut rows, mut outputs)) = self.revealing(tests, version, runner)? else { return Ok(None) };
        let revealing = rows.len();
        let original = OriginalCalls(tests.baselines);
        for input in self.untouched(tests, version) {
            let (calls, row) = original.at(input);
            if calls.outcomes[row].has_outputs() {
                outputs.push(&calls.outputs[self.output].value(row));
                rows.push(input);
            }
        }
        Ok(Some(MutantInputs { rows, outputs, revealing }))
    }

    /// Inputs that do not infect a mutant, so that it does as the original there, evenly spread over all inputs. Of another build no such input is known.
    fn untouched(&self, tests: &Tests<'_>, version: &Version<'_>) -> Vec<u32> {
        let most = self.most / OTHERS_IN;
        let all = self.inputs.len();
        let is_untouched = |input: &usize| {
            let (batch, row) = (input / INPUTS_A_BATCH, input % INPUTS_A_BATCH);
            !version.may_be_infected(tests, batch, row)
        };
        let spread = (0..all).step_by((all / most.max(1)).max(1));
        spread.filter(is_untouched).take(most).map(|input| input as u32).collect()
    }

    /// Inputs on which the outputs of the mutant differ from those of the original, and the outputs of the mutant; `None` if there is no
    /// such input.
    fn revealing(
        &self,
        tests: &Tests<'_>,
        version: &Version<'_>,
        runner: &mut Runner,
    ) -> Result<Option<(Vec<u32>, Column)>, LabError> {
        let most = self.most - self.most / OTHERS_IN;
        let (mut rows, mut outputs) = (Vec::new(), None);
        let mut stops = 0;
        for (index, batch) in tests.suite.batches.iter().enumerate() {
            if !version.can_run_in(tests.suite, batch.section) {
                continue;
            }
            let infected: Vec<u32> = (0..batch.rows)
                .filter(|&row| version.may_be_infected(tests, index, row))
                .map(|row| row as u32)
                .collect();
            for slice in infected.chunks(MUTANT_BATCH) {
                if rows.len() >= most || stops >= MOST_STOPS {
                    break;
                }
                let baseline = &tests.baselines[index];
                let columns: Vec<Column> = batch.columns.iter().map(|column| column.select(slice)).collect();
                let mut caller = version.caller(runner, baseline, Some(slice));
                let calls = caller.call_at(0, &|row| row, self.index, &columns)?;
                let input = |at: usize| (index * INPUTS_A_BATCH) as u32 + slice[at];
                let differing: Vec<u32> = (0..slice.len())
                    .filter(|&at| differs(OriginalCalls(tests.baselines), input(at), &calls, at))
                    .map(|at| at as u32)
                    .collect();
                stops += calls.outcomes.iter().filter(|outcome| !outcome.has_outputs()).count();
                let (_, column) = returned(&calls.select(&differing), self.output);
                rows.extend(differing.iter().map(|&at| input(at as usize)));
                let outputs = outputs.get_or_insert_with(|| column.select(&[]));
                (0..column.len()).for_each(|row| outputs.push(&column.value(row)));
            }
        }
        rows.truncate(most);
        let some: Vec<u32> = (0..rows.len() as u32).collect();
        Ok(outputs.filter(|_| !rows.is_empty()).map(|outputs| (rows, outputs.select(&some))))
    }
}

/// Whether a mutant and the original both return, with different outputs.
fn differs(original: OriginalCalls<'_>, input: u32, calls: &Calls, at: usize) -> bool {
    let (original, row) = original.at(input);
    calls.outcomes[at].has_outputs() && original.outcomes[row].has_outputs() && !original.same(row, calls, at)
}
