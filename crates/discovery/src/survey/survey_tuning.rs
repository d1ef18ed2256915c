//! The numbers by which a survey is tuned, with what each trades.
//!
//! Shares of the time are counted from the start; what ends early leaves its time to what follows. None of them was measured against others.

/// The share after which no more known forms are tried. They are quick: of slow functions alone some may be left.
pub(super) const KNOWN_SHARE: f64 = 0.2;

/// The share after which no more laws are looked for.
pub(super) const LAWS_SHARE: f64 = 0.5;

/// The share after which relations are run on no more mutants for the first time.
pub(super) const MUTANTS_SHARE: f64 = 0.7;

/// The share after which no more searches are begun or go on: what they find has to be run on mutants yet.
pub(super) const SEARCHES_SHARE: f64 = 0.8;

/// The share after which relations are run on no more mutants at all. What is left is for the last trials of those that would be listed: five relations of a
/// hundred and thirteen on ten crates were false, two of them by one to three inputs of a million.
pub(super) const JUDGED_SHARE: f64 = 0.87;

/// The most inputs of a last trial, as a multiple of the fresh inputs on which a relation was confirmed.
pub(super) const LAST: u64 = 100;

/// The shortest search that finds anything, in seconds, and the longest one that is worth its time. A search has one of the lengths between them that are doubled: what it finds depends on it.
pub(super) const SHORTEST_SEARCH: u64 = 5;
pub(super) const LONGEST_SEARCH: u64 = 40;

/// Source inputs on which a known form is tried first. Most fail on the first few.
pub(super) const TRIED: u64 = 1_000;

/// Fewer fresh inputs than this confirm nothing, of however slow a function.
pub(super) const LEAST_FRESH: u64 = 1_000;

/// Inputs with longer data than is usually drawn.
pub(super) const LONG: u64 = 200;

/// A function that gives a value for a smaller share of the inputs hardly ever does.
pub(super) const HARDLY: f64 = 0.05;

/// A relation that names promise is told as broken where it holds on at least this share of its groups: of fewer the name promised nothing of the kind.
pub(super) const ALMOST: f64 = 0.5;

/// The same where the type and the name of one function suggest it.
pub(super) const NEARLY: f64 = 0.9;

/// How much fuel the counterexample of a broken promise may take to shrink, about half a second.
pub(super) const SHRINK_FUEL: u64 = 500_000_000;

/// The source inputs on which each relation is run on each mutant, and the inputs of each function.
pub(super) const INPUTS_ON_MUTANTS: u64 = 200;

/// The mutants that each function has run before any has more, round by round, so that of a hundred functions each has some before any has many.
pub(super) const FIRST_MUTANTS: [usize; 2] = [4, 20];

/// The relations of a function that are run on mutants: the best by what is known before.
pub(super) const RUN_ON_MUTANTS: usize = 20;
