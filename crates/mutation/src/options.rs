//! What a mutation analysis is asked for, and what comes of it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dodona_evidence::{Against, CheckRecord, KillMatrix, Mode, MutationRecord, Pruning};
use dodona_mutants::{Callees, MOST_COMPARED, MOST_INSTRUCTIONS, OperatorSet};
use dodona_workbench::Seed;

/// What a mutation analysis does.
#[derive(Clone, Debug)]
pub struct MutateOptions {
    /// The functions under test that are mutated, by their names in relations; empty means all.
    pub functions: Vec<String>,
    /// Whether what they call is mutated too.
    pub callees: Callees,
    /// The operators.
    pub operators: OperatorSet,
    /// The relations, by name; empty means all.
    pub relations: Vec<String>,
    /// What mutants are run against.
    pub against: Against,
    /// Random inputs a function in the suite, and random source inputs a relation.
    pub inputs: u64,
    /// Files of inputs, run before the random ones.
    pub files: Vec<PathBuf>,
    /// Where the random inputs start.
    pub seed: Seed,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// How long a mutant is run.
    pub mode: Mode,
    /// Which pairs of a mutant and a test are executed.
    pub pruning: Pruning,
    /// Whether the kill matrix is kept.
    pub keep_matrix: KeepMatrix,
    /// What is left out because it would take too long.
    pub bounds: MutationBounds,
}

/// Bounds of a mutation analysis. What they leave out is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutationBounds {
    /// Functions of more instructions are not mutated.
    pub instructions: usize,
    /// When so many instructions were compiled, the mutants that are left are not compared with others.
    pub compared: u64,
}

impl Default for MutationBounds {
    /// [`dodona_mutants::MOST_INSTRUCTIONS`] and [`dodona_mutants::MOST_COMPARED`].
    fn default() -> Self {
        MutationBounds { instructions: MOST_INSTRUCTIONS, compared: MOST_COMPARED }
    }
}

/// Whether the kill matrix is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeepMatrix {
    /// Only the record.
    #[default]
    No,
    /// The matrix too.
    Yes,
}

/// How far a mutation analysis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutateProgress {
    /// Mutants run.
    pub done: u64,
    /// Mutants to run.
    pub planned: u64,
    /// Of those run, the ones that nothing killed.
    pub alive: u64,
}

/// What a mutation analysis found.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// What is reported.
    pub record: MutationRecord,
    /// Every (mutant, test) pair, where asked for.
    pub matrix: Option<KillMatrix>,
}

/// How a mutation analysis ended.
#[derive(Clone, Debug)]
pub enum MutateOutcome {
    /// The mutants were run.
    Analysed(Box<Mutation>),
    /// A relation is violated on the original already: nothing can be said of mutants.
    BaselineViolated(Box<CheckRecord>),
}
