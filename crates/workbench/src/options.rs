//! The options of a check.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dodona_sources::Seed;

use crate::MadeInputs;

/// The options of a check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The number of random source inputs for each relation.
    pub sources: u64,
    /// Files of source inputs, run before the others.
    pub files: Vec<PathBuf>,
    /// Source inputs that were made for functions under test, run before the random ones.
    pub made: Vec<MadeInputs>,
    /// The names of the relations to check; empty means all.
    pub relations: Vec<String>,
    /// The seed of the random source inputs.
    pub seed: Seed,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Whether violations are kept and tried again.
    pub regressions: Regressions,
    /// Making a violation simpler stops after so much fuel: [`CheckOptions::SHRINK_FUEL`] where people read it, and less where only
    /// the verdict counts.
    pub shrink_fuel: u64,
    /// Whether calls are made again to tell a violation, and source calls that did not return, in full. Without it a violated relation has no counterexample in its
    /// record, only its verdict.
    pub explains: bool,
}

/// 1,000 random source inputs of the seed 0 for each relation, on every core; violations are kept.
impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            sources: 1000,
            files: Vec::new(),
            made: Vec::new(),
            relations: Vec::new(),
            seed: Seed(0),
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            regressions: Regressions::Keep,
            shrink_fuel: CheckOptions::SHRINK_FUEL,
            explains: true,
        }
    }
}

impl CheckOptions {
    /// The most random source inputs of a relation. They take more than a day on the quickest functions, and are few enough
    /// that those of all relations can be counted.
    pub const MOST_SOURCES: u64 = 1_000_000_000_000;

    /// A few seconds of the subject's own work, at about 1 ns an instruction. Bolder candidates come first, so that of a slow
    /// function the boldest hundreds are tried, and of a usual one there is fuel for all.
    pub const SHRINK_FUEL: u64 = 4_000_000_000;
}

/// Whether violations are kept beside the manifest, and kept ones are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regressions {
    /// They are.
    Keep,
    /// They are, and those that belong to no relation any more are told by somebody else ([`unclaimed`](crate::unclaimed)): for checks of single relations.
    KeepOwn,
    /// Kept ones are tried as with [`Regressions::KeepOwn`], and none is written: for a part of a check, whose other parts begin with the same ones.
    TryOwn,
    /// They are neither read nor written.
    Ignore,
}
