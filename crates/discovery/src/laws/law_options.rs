//! The options of a search for laws, and its progress.

use std::num::NonZeroUsize;
use std::time::Duration;

use dodona_generation::SearchOptions;
use dodona_mutation::{Callees, OperatorSet, OutsideVersion};
use dodona_records::LawsRecord;
use dodona_sources::Seed;

use crate::DiscoverOptions;
use crate::so_far::SoFar;

/// How laws are searched.
#[derive(Clone, Debug)]
pub struct LawsOptions {
    /// The seed of everything random.
    pub seed: Seed,
    /// A bound on the whole time.
    pub time: Option<Duration>,
    /// Random source inputs that each law has to hold on before it is listed.
    pub fresh: u64,
    /// Whether laws are listed too that a person would hardly write.
    pub everything: bool,
    /// The most laws that are listed for each function: those that together kill the most mutants.
    pub relations: usize,
    /// Whose code the mutants are made of, beside that of the functions.
    pub callees: Callees,
    /// The operators that make the mutants.
    pub operators: OperatorSet,
    /// The most mutants that the laws are run on, chosen by the seed. With 0 the laws are run on no mutants.
    pub mutants: usize,
    /// Other versions of functions outside of WebAssembly, which the laws are run on in the place of mutants.
    pub versions: Vec<OutsideVersion>,
    /// How to try to prove the laws; with `None` they are only tested.
    pub prove: Option<SearchOptions>,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Where the search notes what it knows by now.
    pub so_far: SoFar<LawsRecord>,
}

impl Default for LawsOptions {
    /// Half a minute, on one thread: 500,000 fresh inputs, 300 mutants, at most 24 laws a function, without proofs.
    fn default() -> Self {
        LawsOptions {
            seed: Seed(0),
            time: Some(Duration::from_secs(30)),
            fresh: 500_000,
            everything: false,
            relations: DiscoverOptions::default().relations,
            callees: Callees::default(),
            operators: OperatorSet::all(),
            mutants: 300,
            versions: Vec::new(),
            prove: None,
            jobs: NonZeroUsize::MIN,
            so_far: SoFar::default(),
        }
    }
}

/// How far a search for laws is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawsProgress {
    /// What it is doing.
    pub stage: LawsStage,
    /// Laws that are listed so far.
    pub laws: u64,
}

/// What a search for laws is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawsStage {
    /// Calls are run.
    Executions,
    /// Laws of few terms are found in the columns of their outputs.
    Columns,
    /// Laws are tested on fresh inputs.
    Filter,
    /// Laws are run on mutants.
    Mutants,
    /// The solver tries to prove or refute the laws that are left.
    Proofs,
}
