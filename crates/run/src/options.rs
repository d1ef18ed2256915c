use std::num::NonZeroUsize;
use std::time::Duration;

use dodona_sources::Seed;

/// How many times its share of the time a search may take by the clock before it is ended, as long as that leaves a quarter of the whole time for all else. With 3, a search on a
/// machine that ran two other tests was ended now and then, and what the clock ends may find something else the next time.
pub const DISCOVERY_SLACK: u32 = 12;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The seed of everything random.
    pub seed: Seed,
    /// How much is searched: what a usual machine does in this time, shared between the functions without relations.
    pub time: Duration,
    /// Random source inputs for each relation, and random inputs for each function.
    pub inputs: u64,
    /// The most mutants of a function's code that are run, spread evenly over it.
    pub mutants: usize,
    /// Threads. No result depends on them.
    pub jobs: NonZeroUsize,
    /// Whether the violations of accepted relations are kept beside the manifest. Shards do not keep them, for the others are to find there what this one found: what was violated is done
    /// once more where they are put together.
    pub keeps_violations: bool,
    /// What tells one build of Dodona from another: results of another one are not reused.
    pub version: String,
}

impl Default for RunOptions {
    /// Two minutes, 1,000 inputs, one thread.
    fn default() -> Self {
        RunOptions {
            seed: Seed(0),
            time: Duration::from_secs(120),
            inputs: 1000,
            mutants: 2000,
            jobs: NonZeroUsize::MIN,
            keeps_violations: true,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A kind of work, in the order in which a run does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Inputs of a function: along its paths, and of its frames.
    Inputs,
    /// The check of a relation.
    Check,
    /// What inputs run of a function.
    Cover,
    /// Relations of a function that has none.
    Discover,
    /// Relations of pairs of frames, of a function that has none.
    Identify,
    /// Compositions of the relations of a function.
    Compose,
    /// The proof of a relation.
    Prove,
    /// With how many relations the branches of a function are tested.
    Adequacy,
    /// What relations and inputs catch of some of a function's mutants.
    Mutate,
}

impl Step {
    /// The kind of its pieces: `discover`.
    pub fn name(self) -> &'static str {
        match self {
            Step::Inputs => "inputs",
            Step::Check => "check",
            Step::Cover => "cover",
            Step::Discover => "discover",
            Step::Identify => "identify",
            Step::Compose => "compose",
            Step::Prove => "prove",
            Step::Adequacy => "adequacy",
            Step::Mutate => "mutate",
        }
    }
}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct RunProgress<'a> {
    /// The work that is being done.
    pub step: Step,
    /// The function or relation that it is about.
    pub about: &'a str,
    /// Pieces of the subject that are done or were kept.
    pub done: u64,
    /// Pieces that are known to be needed.
    pub planned: u64,
}
