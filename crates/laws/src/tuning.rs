//! The numbers by which the search for laws of numbers is tuned, with what each trades. What a caller can set is in
//! [`Limits`](super::Limits).

// What is looked at.

/// The most calls of a function of two parameters. Without a limit their number would grow with the square of the number of
/// arguments.
pub(super) const MOST_PAIRS: usize = 400;

/// The most variables of a law. The law of associativity has three.
pub(super) const MOST_VARIABLES: usize = 3;

/// All calls that are kept return on at least 1/`LEAST_SHARE` of the rows. A call that would leave fewer rows is left out.
pub(super) const LEAST_SHARE: usize = 3;

/// The most rows of a column. There are more rows than independent columns in everything that was measured; with fewer rows,
/// columns would seem to depend on each other by accident.
pub(super) const MOST_ROWS: usize = 640;

/// The factors that the second column of a pair may have.
pub(super) const FACTORS: [(i128, i128); 6] = [(1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2)];

/// If many sums have the same value, only this many of them are compared with each other, the cheapest. With a dozen all laws
/// of textbooks were found, and the others followed from these.
pub(super) const MOST_MEETING: usize = 12;

// What follows from the laws that are listed.

/// The most instances of a listed law that become rules. With three variables and thirty arguments there are 27,000.
pub(super) const MOST_INSTANCES: usize = 40_000;

/// The most instances that become rules of a law that is not listed, because it follows. The law cos² + sin² == 1 has thirty.
/// With a greater limit this took longer than all the rest of the search.
pub(super) const MOST_NOTED: usize = 1_000;

/// The most rewriting steps of one form. Laws of textbooks need a dozen. If a law needs more, it does not count as following from
/// the others.
pub(super) const MOST_STEPS: usize = 2_000;

/// The most terms of a form while it is rewritten, for the same reason as [`MOST_STEPS`].
pub(super) const MOST_TERMS: usize = 200;

/// The most factors on the left side of a rule. The factors of a product are tried in all combinations up to this number.
pub(super) const LONGEST: usize = 3;
