//! The options of a mutation analysis, and its result.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use dodona_mutants::{Callees, MOST_COMPARED, MOST_INSTRUCTIONS, OperatorSet};
use dodona_records::{Against, CheckRecord, KillMatrix, Mode, MutationRecord, Pruning};
use dodona_workbench::{MadeInputs, Seed};

use crate::FaultyVersion;

/// The options of a mutation analysis.
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
    /// Which tests mutants are run against.
    pub against: Against,
    /// The number of random inputs of each function in the suite, and of random source inputs of each relation.
    pub inputs: u64,
    /// Files of inputs, run before the random ones.
    pub files: Vec<PathBuf>,
    /// Inputs that were made for functions under test, run before the random ones.
    pub made: Vec<MadeInputs>,
    /// The seed of the random inputs.
    pub seed: Seed,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// After which kill the run of a mutant ends.
    pub mode: Mode,
    /// Which pairs of a mutant and a test are executed.
    pub pruning: Pruning,
    /// Whether the kill matrix is kept.
    pub keep_matrix: KeepMatrix,
    /// The bounds that keep an analysis from taking too long.
    pub bounds: MutationBounds,
    /// Other builds of the subject, with faults of their own, that are run as mutants are. See [`open_versions`](crate::open_versions).
    pub versions: Vec<Arc<FaultyVersion>>,
}

impl Default for MutateOptions {
    /// All mutants of all functions under test against all relations and the suite, with 1,000 random inputs each, on one thread.
    fn default() -> Self {
        MutateOptions {
            functions: Vec::new(),
            callees: Callees::default(),
            operators: OperatorSet::all(),
            relations: Vec::new(),
            against: Against::default(),
            inputs: 1000,
            files: Vec::new(),
            made: Vec::new(),
            seed: Seed(0),
            jobs: NonZeroUsize::MIN,
            mode: Mode::default(),
            pruning: Pruning::default(),
            keep_matrix: KeepMatrix::default(),
            bounds: MutationBounds::default(),
            versions: Vec::new(),
        }
    }
}

/// Bounds of a mutation analysis. A warning says what they leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutationBounds {
    /// A function with more instructions is not mutated.
    pub instructions: usize,
    /// After this number of instructions has been compiled, the remaining mutants are not compared with others.
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

/// What a mutation analysis is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MutateStage {
    /// Mutants are made, compared and compiled, and the original is run.
    #[default]
    Preparing,
    /// Mutants are run.
    Running,
    /// What is known is written into the record.
    Recording,
}

/// The progress of a mutation analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MutateProgress {
    /// What the analysis is at.
    pub stage: MutateStage,
    /// Mutants that were run.
    pub done: u64,
    /// Mutants that are to be run.
    pub planned: u64,
    /// Mutants that were run and not killed.
    pub alive: u64,
}

/// The result of a mutation analysis.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The record that is reported.
    pub record: MutationRecord,
    /// All pairs of a mutant and a test, if the options ask for them.
    pub matrix: Option<KillMatrix>,
}

/// The outcome of a mutation analysis.
#[derive(Clone, Debug)]
pub enum MutateOutcome {
    /// The mutants were run.
    Analysed(Box<Mutation>),
    /// A relation is violated on the original. Then it cannot tell mutants apart.
    BaselineViolated(Box<CheckRecord>),
}
