//! The options of an enumeration, and its result.

use crate::discovery::{Score, TermId};

/// The bounds of an enumeration. All bounds are counts, not times, so the same pairs always give the same relations.
#[derive(Clone, Debug)]
pub struct EnumerateOptions {
    /// The most nodes of a term that a follow-up output is compared with.
    pub size: usize,
    /// The most nodes of a term whose values are kept, to be compared with all others and to build larger terms from.
    pub stored_size: usize,
    /// The most terms whose values are kept.
    pub stored: usize,
    /// The most candidate terms that are tried of each size.
    pub candidates: u64,
    /// The most candidate relations that are checked on all rows.
    pub verified: usize,
    /// The most relations that hold only on part of the correct rows and for which a condition is sought.
    pub conditional: usize,
    /// The most relations that are returned.
    pub found: usize,
}

impl Default for EnumerateOptions {
    fn default() -> Self {
        EnumerateOptions {
            size: 7,
            stored_size: 5,
            stored: 40_000,
            candidates: 2_000_000,
            verified: 2_000,
            conditional: 200,
            found: 200,
        }
    }
}

impl EnumerateOptions {
    /// A first look at small terms, which takes a fifth of the work, so that each transformation has a turn before the promising
    /// ones get more.
    pub fn first_look() -> EnumerateOptions {
        EnumerateOptions {
            size: 5,
            stored: 3_000,
            verified: 400,
            conditional: 30,
            ..EnumerateOptions::default()
        }
    }
}

/// A relation without false positives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumeratedRelation {
    /// The condition on the source inputs; `None` if the expectation holds on all of them.
    pub condition: Option<TermId>,
    /// The expectation.
    pub expect: TermId,
    /// Its score; incorrect rows outside the condition count as missed.
    pub score: Score,
}

/// The result of an enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Metamorphic relations without false positives: those with the fewest misses first, then smaller ones. None misses everything
    /// that a smaller one misses.
    pub found: Vec<EnumeratedRelation>,
    /// How many candidates were tried.
    pub evaluated: u64,
    /// All terms of up to this many nodes were compared with the follow-up outputs. This is less than the size asked for if a bound
    /// was reached.
    pub complete_to: usize,
    /// Whether `go_on` ended it early.
    pub was_stopped: bool,
}
