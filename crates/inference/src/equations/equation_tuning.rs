//! The numbers by which the search for equations is tuned, with what each trades. What a caller can set is in
//! [`Limits`](super::Limits).

// Equations.

/// A term needs a value in at least 1/`DEFINED_SHARE` of the rows. An equation of terms that hardly ever have a value says
/// little.
pub(super) const DEFINED_SHARE: usize = 20;

/// The lowest bits of a float, which rounding may change. Floats that differ only in these bits count as equal; about nine
/// decimal digits remain.
pub(super) const ROUNDED_BITS: u32 = 22;

/// The results of a function are of the kind of a parameter if the parameter's function returns for at least this share of
/// them.
pub(super) const ACCEPTED: f64 = 0.9;

// Steps.

/// The widths of steps that are tried: they occur as sizes of groups of bits, bytes and digits.
pub(super) const WIDTHS: [i64; 8] = [1, 2, 3, 4, 5, 6, 8, 16];

/// The greatest height of a step, and the greatest start.
pub(super) const GREATEST_STEP: i64 = 64;

/// The number of different arguments that are needed. With fewer, steps of many kinds fit.
pub(super) const LEAST_ARGUMENTS: usize = 6;

/// The line ends that are needed to see how long lines are. With two, every text with two exceptions has lines.
pub(super) const LEAST_LINES: usize = 3;

// Bounds.

/// A bound has to be reached in at least 1/`REACHED` of the rows. A bound that the values never come near says little.
pub(super) const REACHED: usize = 50;

/// The triangle inequality of norms has to be an equation in some row up to this factor. A norm of random vectors, of which some point
/// the same way, comes much nearer; the beta function never comes nearer than 1/4.
pub(super) const TIGHT: f64 = 0.9;

/// The most upper bounds, and the most lower bounds, of a result.
pub(super) const MOST_BOUNDS: usize = 2;

// Conditions.

/// A condition has to be true in at least 1/`LEAST_MET_SHARE` of the rows.
pub(super) const LEAST_MET_SHARE: usize = 8;

/// The number of rows in which a condition has to be false. One is enough, because empty texts and sequences are drawn seldom.
pub(super) const LEAST_ELSEWHERE: usize = 1;

/// The most equations under one condition that are tested on fresh inputs.
pub(super) const MOST_CANDIDATES: usize = 40;

/// An equation has to fail in at least 1/`DIFFERING` of the rows in which its condition is false; otherwise it does not need
/// the condition.
pub(super) const DIFFERING: usize = 20;

/// The same where the condition says that a length is a multiple of a number. There are many such conditions, and an equation
/// that holds in nearly all rows holds in all rows of one of them by chance.
pub(super) const DIFFERING_FROM_MULTIPLES: usize = 2;

/// The numbers of which a length may be a multiple: three bytes are a group of base64, two hexadecimal digits are a byte.
pub(super) const MULTIPLES: [i64; 3] = [2, 3, 4];

// What follows from the equations that are listed.

/// The rounds in which all rules are applied. With 3 rounds five more equations of an edit distance and a codec
/// (`tests/equations.rs`) are listed although they follow from others. With 12 rounds the lists are the same as with 6.
pub(super) const ROUNDS: usize = 6;

/// The number of nodes at which saturation ends.
pub(super) const MOST_NODES: usize = 3_000;
