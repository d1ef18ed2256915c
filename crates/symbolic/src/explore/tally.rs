//! Bounds of an exploration, and what it saw.

use std::collections::BTreeMap;
use std::fmt;

use crate::end::{Cut, End};
use crate::step::StepLimits;

/// Bounds of an exploration. All are counted, so that the same exploration ends at the same place on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Of each state.
    pub step: StepLimits,
    /// Paths that end.
    pub paths: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Instructions of all states together.
    pub total_steps: u64,
    /// Nodes of terms: what memory goes to.
    pub terms: u64,
    /// States that wait at one time; the least promising beyond are dropped.
    pub live: usize,
    /// Terms that they hold by themselves, beyond which the least promising are dropped, too: on a path of thousands of choices each
    /// state holds as many constraints, and they would take gigabytes long before there are too many of them.
    pub held: usize,
    /// Values of a symbolic address that the solver is asked for, to become one term.
    pub addresses: usize,
    /// Values of a size or a function pointer that are followed, a path each.
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

/// Why an exploration ended, with the number that was reached.
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
    /// Who was given the paths had enough.
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

/// What an exploration saw.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Exploration {
    /// Why it ended.
    pub stop: Stop,
    /// Paths that ended.
    pub paths: u64,
    /// Sides of decisions that were proved impossible.
    pub infeasible: u64,
    /// Paths left before their end, by reason.
    pub cuts: BTreeMap<Cut, u64>,
    /// Paths that were given out though they did not end within a bound, by the bound.
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
    /// Whether every path within the starts was followed to its end: what was not covered then is proved impossible.
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
