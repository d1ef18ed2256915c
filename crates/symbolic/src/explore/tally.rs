//! The bounds of an exploration, and its statistics.

use std::collections::BTreeMap;
use std::fmt;

use crate::end::{Cut, End};
use crate::step::StepLimits;

/// The bounds of an exploration. All of them are counted, so that an exploration ends at the same place on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The bounds of each state.
    pub step: StepLimits,
    /// Paths that end.
    pub paths: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Instructions of all states together.
    pub total_steps: u64,
    /// Nodes of terms, which take most of the memory.
    pub terms: u64,
    /// States that wait at one time. If there are more, the least promising ones are dropped.
    pub live: usize,
    /// Terms that the waiting states hold by themselves. If there are more, the least promising states are dropped. On a path
    /// of thousands of choices each state holds as many constraints, and they would take gigabytes long before there are too
    /// many states.
    pub held: usize,
    /// Values of a symbolic address that the solver is asked for. The result of the access is one term over all of them.
    pub addresses: usize,
    /// Values of a size or a function pointer that are followed, each on a path of its own.
    pub values: usize,
}

impl Default for Bounds {
    /// 10,000 paths, 100,000 queries, 200 million instructions, 10 million terms, 10,000 states of 10 million terms, 32 addresses, 8 values.
    fn default() -> Self {
        Bounds {
            step: StepLimits::default(),
            paths: 10_000,
            queries: 100_000,
            total_steps: 200_000_000,
            terms: 10_000_000,
            live: 10_000,
            // A third of a gigabyte.
            held: 10_000_000,
            addresses: 32,
            values: 8,
        }
    }
}

/// Why an exploration ended, with the bound that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Stop {
    /// Nothing was left to explore.
    #[default]
    Exhausted,
    /// So many paths were found.
    Paths(u64),
    /// So many queries were asked.
    Queries(u64),
    /// So many instructions were stepped.
    Steps(u64),
    /// So many terms were made.
    Terms(u64),
    /// The receiver of the paths wanted no more.
    Visitor,
    /// It was interrupted, or its time was up.
    Interrupted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Exhausted => f.write_str("no path was left"),
            Stop::Paths(paths) => write!(f, "{paths} paths were found"),
            Stop::Queries(queries) => write!(f, "{queries} queries were asked of the solver"),
            Stop::Steps(steps) => write!(f, "{steps} instructions were stepped"),
            Stop::Terms(terms) => write!(f, "{terms} terms were made"),
            Stop::Visitor => f.write_str("as many inputs as were asked for"),
            Stop::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// The statistics of an exploration.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Exploration {
    /// Why it ended.
    pub stop: Stop,
    /// Paths that ended.
    pub paths: u64,
    /// Sides of decisions that were proved impossible.
    pub infeasible: u64,
    /// Paths that were abandoned before their end, by reason.
    pub cuts: BTreeMap<Cut, u64>,
    /// Paths that were produced although they did not end within a bound, by the bound.
    pub unended: BTreeMap<Cut, u64>,
    /// States that waited when it ended.
    pub left: u64,
    /// The most states that waited at one time.
    pub most_live: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Instructions stepped.
    pub steps: u64,
    /// Nodes of terms.
    pub terms: u64,
}

impl Exploration {
    /// Whether every path from the starts was followed to its end. An edge that is not covered then is proved to be infeasible.
    pub fn is_complete(&self) -> bool {
        self.stop == Stop::Exhausted && self.cuts.is_empty() && self.unended.is_empty() && self.left == 0
    }

    /// Paths that were given out.
    pub(super) fn given(&self) -> u64 {
        self.paths + self.unended.values().sum::<u64>()
    }

    /// Counts a path that is given out.
    pub(super) fn give(&mut self, end: &End) {
        match end {
            End::Left(cut) => *self.unended.entry(cut.clone()).or_default() += 1,
            End::Returned(_) | End::Trapped(_) | End::Exited(_) => self.paths += 1,
        }
    }

    pub(super) fn cut(&mut self, cut: Cut) {
        *self.cuts.entry(cut).or_default() += 1;
    }
}
