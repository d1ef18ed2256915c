//! What an enumeration is asked for, and what it gives.

use crate::discovery::{Score, TermId};

/// The bounds of an enumeration. All are counted, so that the same pairs give the same relations.
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
    /// The most relations that are tried on all rows.
    pub verified: usize,
    /// The most relations that hold on part of the correct rows and get a condition.
    pub conditional: usize,
    /// The most relations that are given back.
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
    /// A first look at small terms, a fifth of the work: what is worth more has its turn later.
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
pub struct Found {
    /// On which source inputs it holds; on all where there is none.
    pub condition: Option<TermId>,
    /// What is expected.
    pub expect: TermId,
    /// How many faults it misses, those outside its condition among them.
    pub score: Score,
}

/// What an enumeration gives.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Relations without false positives, each metamorphic: those first that miss fewest faults, then smaller ones. None misses all
    /// that a smaller one misses.
    pub found: Vec<Found>,
    /// How many candidates were tried.
    pub evaluated: u64,
    /// Every term of up to so many nodes was compared with the follow-up outputs. Less than was asked for where a bound was met.
    pub complete_to: usize,
    /// Whether it was stopped before its end.
    pub was_stopped: bool,
}
