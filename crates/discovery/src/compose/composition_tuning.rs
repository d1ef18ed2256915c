//! The numbers by which a composition is tuned, with what each trades.
//!
//! Where nothing else is said, a value is a choice: no measurement of it against other values is on record.

/// The random inputs on which each basic relation has to hold before it is composed. With fewer inputs, a relation that fails
/// on one input in a thousand might pass, and hundreds of composite relations with it. With more, the check would take longer
/// than the search.
pub(super) const CHECKED: u64 = 10_000;

/// The most nodes that the exact choice visits: tenths of a second for hundreds of relations. If there are more, the choice is
/// greedy, and the record says so.
pub(super) const MOST_NODES: usize = 10_000;

/// The most sets that the computation of the front keeps: tenths of a second for hundreds of relations. With more relations the
/// front may miss a set.
pub(super) const MOST_SETS: usize = 1_000;

/// The share of the mutants that may be lost if shorter relations replace longer ones. A person has to understand what is
/// chosen, so that a longer relation has to be worth it. Of 219 mutants two may be lost.
pub(super) const MARGIN: f64 = 0.01;

// Time. A share is of the whole time asked for, counted from the start. What ends early leaves its time to what follows.

/// The share after which no more sequences are searched. A longer search would accept more relations, and leave them untested.
pub(super) const COMPOSITION_SEARCH_SHARE: f64 = 0.4;

/// The share after which relations are no longer grouped and tested. The rest is for mutants, without which no relation can be chosen.
pub(super) const COMPOSITION_TESTS_SHARE: f64 = 0.7;

/// Relations that are tested at once where the time is bounded. All at once, they share the time, and none comes to the end of its tests; one by one, threads wait for
/// each other.
pub(super) const TESTED_AT_ONCE: usize = 8;
