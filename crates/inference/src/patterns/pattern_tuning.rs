//! The numbers by which the theory of patterns is tuned, with what each trades.
//!
//! Where nothing else is said, a value is a choice: no measurement of it against other values is on record.

// Constants of parameters.

/// The most constants of the code that a parameter is compared with and set to, the most frequent first. The work grows with the square of
/// their number, because conditions have up to two atoms.
pub(super) const MOST_CONSTANTS: usize = 12;

/// If a parameter has at most so many values, all of them are used as constants: these often stand for kinds of something.
pub(super) const FEW_VALUES: i128 = 8;

/// The most differences between constants that are added to a parameter; each is also subtracted. Each is a change, and all conditions
/// are searched under each change.
pub(super) const MOST_DIFFERENCE_SHIFTS: usize = 2;

/// Together with [`MOST_DIFFERENCE_SHIFTS`], the most numbers besides 1 that are added to a parameter; each is also subtracted. Where there
/// are fewer differences, more of the most frequent constants are taken.
pub(super) const MOST_CONSTANT_SHIFTS: usize = 3;

// Sequences and texts.

/// The most texts that a parameter is compared with and set to. Each is an atom and a change.
pub(super) const MOST_TEXTS: usize = 6;

/// The longest sequence that is written out as a constant. A person does not read longer ones.
pub(super) const LONGEST_WRITTEN: u64 = 8;

/// The most shifts of all elements of a sequence. Most relations of shifts are found with the smallest ones.
pub(super) const MOST_ELEMENT_SHIFTS: usize = 4;

// Atoms.

/// The most parameters whose pairs are compared, exchanged and shifted together. There are 28 pairs of eight.
pub(super) const MOST_PAIRED: usize = 8;

/// Numbers below this, from 0 on, often stand for kinds of something. Two parameters are not taken for alike because they share such
/// values.
pub(super) const MOST_CODES: i128 = 8;

/// The most atoms. Pairs of them are tried under every change and every expectation.
pub(super) const MOST_ATOMS: usize = 400;

// Outputs.

/// The most output values that patterns expect as results and compare outputs with. Each gives several expectations.
pub(super) const MOST_OUTPUTS: usize = 10;

/// The outputs of so many inputs are counted to find frequent ones. A sample suffices, and bounds the work where nearly all outputs differ.
pub(super) const COUNTED: usize = 2_000;

/// An output is frequent if more than so many of those that are counted equal it.
pub(super) const FREQUENT: usize = 10;

/// A bound is kept if at least one in so many outputs equals it. A bound that outputs hardly reach is violated by hardly any fault.
pub(super) const REACHED_IN: usize = 100;

/// The most constants that outputs are compared with. Each gives four atoms, and pairs of atoms are tried under every change.
pub(super) const MOST_THRESHOLDS: usize = 6;

/// The most values that an output may be bounded by under a condition. Each gives two expectations, and the conditions of each are
/// searched.
pub(super) const MOST_CAPS: usize = 16;

/// Outputs with fewer different values than this have no divisor that says something.
pub(super) const FEWEST_MULTIPLES: usize = 8;

/// Negative outputs with more different values than this are taken for numbers, not for reasons why inputs are refused. A program has few
/// reasons.
pub(super) const MOST_REFUSALS: usize = 16;

// Conditions.

/// The most conditions that are kept for one change and one expectation. Conditions that are true in the most rows are kept, so further
/// ones add little.
pub(super) const MOST_CONDITIONS: usize = 40;
