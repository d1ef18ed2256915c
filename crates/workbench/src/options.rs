//! What a check is to run, as it is asked for.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dodona_sources::Seed;

use crate::MadeInputs;

/// What a check runs.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Random source inputs a relation.
    pub sources: u64,
    /// Files of source inputs, run before the others.
    pub files: Vec<PathBuf>,
    /// Source inputs that were made for functions under test, run before the random ones.
    pub made: Vec<MadeInputs>,
    /// The names of the relations to check; empty means all.
    pub relations: Vec<String>,
    /// Where the random source inputs start.
    pub seed: Seed,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Whether violations are kept and tried again.
    pub regressions: Regressions,
}

impl CheckOptions {
    /// The most random source inputs a relation: more than a day's on the quickest functions, and few enough that all relations
    /// together can be counted.
    pub const MOST_SOURCES: u64 = 1_000_000_000_000;
}

/// Whether violations are kept beside the manifest, and those kept before are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regressions {
    /// They are.
    Keep,
    /// They are neither read nor written.
    Ignore,
}
