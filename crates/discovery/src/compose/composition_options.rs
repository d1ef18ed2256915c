//! The options of a composition, and its progress.

use std::num::NonZeroUsize;
use std::time::Duration;

use dodona_generation::SearchOptions;
use dodona_inference::composition::Settings;
use dodona_mutation::{Callees, OperatorSet};
use dodona_sources::Seed;

/// The options of a composition.
#[derive(Clone, Debug)]
pub struct ComposeOptions {
    /// The seed of everything random.
    pub seed: Seed,
    /// The names of the basic relations; all relations of the subject if it is empty.
    pub relations: Vec<String>,
    /// Sequences consist of relations about this function only, given by its index. Relations of other functions are used where an
    /// expectation calls them.
    pub function: Option<usize>,
    /// How many basic relations a sequence has: one search for each number.
    pub layers: Vec<usize>,
    /// How sequences are searched. Its layers, its inputs and its seed are not used.
    pub settings: Settings,
    /// Source inputs that each composite relation is run on in the search: M in the paper.
    pub inputs: u64,
    /// Fresh source inputs that a composite relation has to hold on afterwards.
    pub fresh: u64,
    /// The most mutants that relations are run on, chosen by the seed; with 0 there is no mutation analysis.
    pub mutants: usize,
    /// Whether the functions that are called are mutated too.
    pub callees: Callees,
    /// The mutation operators.
    pub operators: OperatorSet,
    /// How to try to prove composite relations; with `None` they are only tested.
    pub prove: Option<SearchOptions>,
    /// A bound on the whole time. What it ends may have another result in another run.
    pub time: Option<Duration>,
    /// How many threads are used.
    pub jobs: NonZeroUsize,
}

impl Default for ComposeOptions {
    /// Two layers, 100 inputs as in the paper, 100,000 fresh ones and 300 mutants, on one thread, without a bound on the time.
    fn default() -> Self {
        ComposeOptions {
            seed: Seed(0),
            relations: Vec::new(),
            function: None,
            layers: vec![2],
            settings: Settings::default(),
            inputs: 100,
            fresh: 100_000,
            mutants: 300,
            callees: Callees::WithSource,
            operators: OperatorSet::all(),
            prove: None,
            time: None,
            jobs: NonZeroUsize::MIN,
        }
    }
}

/// What a composition is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComposeStage {
    /// Basic relations are checked.
    Basics,
    /// Sequences are composed and run.
    Search,
    /// Accepted relations are run on fresh inputs.
    FreshInputs,
    /// An input that violates a relation is searched for.
    Counterexamples,
    /// The solver tries to prove relations.
    Proofs,
    /// Mutants are run.
    Mutants,
}

/// How far a composition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComposeProgress {
    /// The stage.
    pub stage: ComposeStage,
    /// The layers of the sequences that are searched; 0 in other stages.
    pub layers: usize,
    /// Pieces of work that are done in this stage.
    pub done: u64,
    /// The pieces of work in this stage; 0 if they are not counted. A search may end earlier.
    pub planned: u64,
}

impl ComposeProgress {
    /// The beginning of a stage.
    pub(super) fn of(stage: ComposeStage) -> ComposeProgress {
        ComposeProgress { stage, layers: 0, done: 0, planned: 0 }
    }
}
