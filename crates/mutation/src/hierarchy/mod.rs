//! The hierarchy of a subject's mutants: which mutants are stronger than others, determined by their code and by the inputs
//! that kill them.
//!
//! There are two kinds of strength. Facts from the code are proved for every input. Two mutants that do the same in every state in which
//! their block can begin are one mutant. If a block is executed at most once in a call, a mutant is weaker than another if it does the
//! same wherever the other differs from the original, and no test kills both of two mutants if no state infects both. Facts from tests are about these tests only: a class has one test that was seen to
//! kill each of its mutants, and dominators are computed from the full kill matrix. The runs are compared with the proofs each time; a
//! contradiction is a bug in Dodona and ends the command with an error.

mod classes;
mod contradictions;
mod hierarchy_record;
mod of_matrix;
mod statics;

use std::sync::Arc;

use dodona_generation::search::SearchOptions;
use dodona_mutants::{Equivalence, Mutant};
use dodona_records::{Against, HierarchyRecord, Mode, MutantId};
use dodona_target::{Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Worker, pool};
use fixedbitset::FixedBitSet;

use crate::analysis::MutantRun;
use crate::dominators::DominatorGroups;
use crate::mutate::{Ran, SetRun, run_set};
use crate::result::MutantResult;
use crate::run::{Tests, Version};
use crate::set::{ComparedMutants, MutantSet};
use crate::{KeepMatrix, MutateOptions, MutateProgress};
pub use of_matrix::hierarchy_of_matrix;
use statics::{StaticFacts, static_facts};
pub(crate) use statics::{equivalent_by_state, take_as_equivalent};

/// The options of a hierarchy.
#[derive(Clone, Debug)]
pub struct HierarchyOptions {
    /// Which mutants are run, and on how many inputs. What else it says about tests and modes is ignored: every mutant is run
    /// on every input.
    pub mutate: MutateOptions,
    /// The solver, and the time for all questions about the code.
    pub search: SearchOptions,
}

/// What inputs did to one mutant, with one bit for each input. Inputs are numbered over all functions under test.
struct InputsOfMutant {
    result: MutantResult,
    killed: FixedBitSet,
    infected: FixedBitSet,
    overflows: FixedBitSet,
}

/// Runs every mutant on every input, and determines which mutants are stronger than others in three ways: by their code, by the
/// ten steps of Kapoor (2011, Table 4), and by the inputs that kill them.
///
/// # Errors
/// As [`crate::mutate()`].
pub fn hierarchy(
    workbench: &Arc<Workbench>,
    options: &HierarchyOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<HierarchyRecord, LabError> {
    let mutate = on_inputs(&options.mutate);
    let set = MutantSet::generate(workbench, &mutate)?;
    let until = Until::interrupted(interrupted);
    let compare = |warnings: &mut Vec<String>| set.compare(workbench, set.asked(), &mutate, &until, warnings);
    let ran = match run_set(workbench, &set, compare, &mutate, &until, progress, &every_input())? {
        SetRun::Done(ran) => *ran,
        SetRun::BaselineViolated(_) => {
            return Err(LabError::Sources("inputs violate no relation".to_owned()));
        }
    };
    let distinct = ran.compared.distinct();
    let time = options.search.until(interrupted);
    let statics = pool::alone(Worker::MutantProofs, || {
        static_facts(workbench, set.all(), &distinct, &options.search, &time)
    })?;
    hierarchy_record::make(
        &hierarchy_record::Study {
            workbench,
            options: &mutate,
            set: &set,
            statics: &statics,
            distinct: &distinct,
        },
        ran,
    )
}

/// One mutant of each dominator: of each group of mutants that the same inputs kill, if no other group subsumes it. A suite
/// that kills all of these kills every mutant that some input kills. Mutants that no input kills are left out, because nothing
/// is known of their strength.
///
/// # Errors
/// As [`crate::mutate()`].
pub fn dominators(
    workbench: &Arc<Workbench>,
    set: &MutantSet<'_>,
    mutants: Vec<&Mutant>,
    options: &MutateOptions,
    until: &Until,
) -> Result<Vec<MutantId>, LabError> {
    let options = on_inputs(options);
    let ids: Vec<MutantId> = mutants.iter().map(|mutant| mutant.id).collect();
    let compare = |_: &mut Vec<String>| Ok(ComparedMutants::taken_as_distinct(mutants));
    let ran = match run_set(workbench, set, compare, &options, until, &mut |_| {}, &every_input())? {
        SetRun::Done(ran) => *ran,
        SetRun::BaselineViolated(_) => return Err(LabError::Sources(NO_RELATION.to_owned())),
    };
    let none = || FixedBitSet::with_capacity(ran.suite.first_tests().count);
    let killed: Vec<FixedBitSet> =
        ran.results.into_iter().map(|one| one.map_or_else(none, |one| one.killed)).collect();
    let groups = DominatorGroups { workbench, suite: &ran.suite, ids: &ids, killed: &killed };
    let subsumption = groups.subsumption();
    let mut first: Vec<MutantId> = subsumption.dominators().map(|group| ids[group.mutants[0]]).collect();
    first.sort_unstable();
    Ok(first)
}

/// The error if a relation is violated. There is no relation in a run of inputs, so this would be a bug in Dodona.
const NO_RELATION: &str = "a relation is violated where none was run";

/// The options, changed so that every mutant is run on every input.
fn on_inputs(options: &MutateOptions) -> MutateOptions {
    let keep_matrix = KeepMatrix::No;
    MutateOptions { against: Against::Inputs, mode: Mode::Matrix, keep_matrix, ..options.clone() }
}

/// How each mutant is run.
fn every_input() -> MutantRun<InputsOfMutant> {
    MutantRun { run: Arc::new(on_every_input), is_alive: |one: &InputsOfMutant| one.killed.is_clear() }
}

/// Runs a mutant on every input. The other options have no influence.
fn on_every_input(
    tests: &Tests<'_>,
    version: &Version<'_>,
    runner: &mut dodona_wasm::execute::Runner,
) -> Result<InputsOfMutant, LabError> {
    let result = tests.run(version, runner)?;
    let firsts = tests.suite.first_tests();
    let mut killed = FixedBitSet::with_capacity(firsts.count);
    let mut infected = FixedBitSet::with_capacity(firsts.count);
    let mut overflows = FixedBitSet::with_capacity(firsts.count);
    for &(batch, row) in &result.overflows {
        overflows.insert(firsts.of(tests.suite, batch as usize) + row as usize);
    }
    for &(batch, row) in &result.cells {
        killed.insert(firsts.of(tests.suite, batch as usize) + row as usize);
    }
    for (index, batch) in tests.suite.batches.iter().enumerate() {
        let first = firsts.of(tests.suite, index);
        let rows = (0..batch.rows).filter(|row| version.may_be_infected(tests, index, *row));
        infected.extend(rows.map(|row| first + row));
    }
    Ok(InputsOfMutant { result, killed, infected, overflows })
}
