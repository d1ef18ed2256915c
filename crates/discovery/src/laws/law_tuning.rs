//! The numbers by which the search for laws is tuned, with what each trades.
//!
//! Where nothing else is said, a value is a choice: no measurement of it against other values is on record.

use std::time::Duration;

// Laws of numbers.

/// The most parameters of a function. The number of possible arguments grows exponentially with it.
pub(super) const MOST_PARAMETERS_OF_NUMBERS: usize = 3;

/// The most functions of a group. The number of products of calls grows with its square.
pub(super) const MOST_FUNCTIONS_OF_NUMBERS: usize = 6;

/// The rows of recorded executions. Rows in which calls do not return are left out later. With fewer rows columns depend on
/// each other by accident; with more the search takes longer.
pub(super) const ROWS_OF_NUMBERS: usize = 2_000;

// Equations.

/// The most functions of a group. The number of terms of a size grows exponentially with it.
pub(super) const MOST_FUNCTIONS_OF_TERMS: usize = 6;

/// The most parameters of a function. The number of calls of a size grows exponentially with it.
pub(super) const MOST_PARAMETERS_OF_TERMS: usize = 4;

/// The most variables. The number of terms of a size grows exponentially with it.
pub(super) const MOST_VARIABLES_OF_TERMS: usize = 6;

/// The number of recorded executions of each term. A few suffice, because fresh inputs refute the equations that hold on them
/// by chance.
pub(super) const ROWS_OF_TERMS: usize = 200;

/// The same if a function needs a fresh instance for each call, which takes a hundred times as long.
pub(super) const FEW_ROWS_OF_TERMS: usize = 80;

/// The inputs of the first of two tests, if a function may need a fresh instance for each call.
pub(super) const FEW_FRESH: u64 = 200;

/// A law without a form of textbooks is reported if it kills enough mutants that no other law kills: one for each group of this
/// many heads of its terms.
pub(super) const HEADS_A_MUTANT: u32 = 4;

/// The same of a law of a known form that textbooks have no name for. Of one alone most are chance: that a result is never longer than its argument.
pub(super) const FORM_PRICE: usize = 2;

/// The part of the time for laws, one in so many, in which known forms are tried. Of most functions they take less than a second; of slow ones they are worth more than
/// what a search comes across in what they leave.
pub(super) const KNOWN_FORMS_SHARE: usize = 1;

// Time. A share is of the whole time asked for; all but the last one end at this share of it, counted from the start. What ends early leaves its time to what follows.

/// The share after which no more laws are looked for. A longer search would find more laws, and leave them untested or without an attempt to
/// refute them: of sixteen laws that were listed after 5 s with a share of 0.6, the solver refuted nine in a tenth of a second each.
pub(super) const LAWS_SEARCH_SHARE: f64 = 0.5;

/// The share after which laws are run on no more mutants.
pub(super) const LAWS_MUTANTS_SHARE: f64 = 0.6;

/// The share after which laws are run on no more fresh inputs. What was not run on the fewest by then is not confirmed.
pub(super) const LAWS_TESTS_SHARE: f64 = 0.7;

/// Where the columns of numbers took all of the time, the first laws are tested in one part of this many of what the columns took. A smaller number finds more laws on a busy machine, and ends later.
pub(super) const PART_FOR_FIRST_LAWS: u32 = 4;

/// How long the proofs of all laws together may take, if as much is left. Most attempts to prove a law of floats or of loops end with their time; of 30 seconds and
/// ten laws this leaves 1.2 seconds for each. More would refute more laws that hold on half a million inputs, and makes the search of a few quick functions last longer.
pub(super) const LAWS_PROOFS_SHARE: f64 = 0.4;

/// A law that the solver had less time for is not confirmed. In a quarter of a second it refutes or proves most laws of functions without loops
/// and floats, start included; a longer one would leave laws of floats, which it hardly ever decides, unconfirmed where there are dozens.
pub(super) const SHORTEST_ATTEMPT: Duration = Duration::from_millis(250);

// Tests on fresh inputs and mutants.

/// The inputs of the first test. Most laws that do not hold fail on them.
pub(super) const FIRST_FRESH: u64 = 2_000;

/// The longest sequences and texts that a law is tested on, where domains allow them. Lines and blocks of the formats that functions read end before that, and a call
/// of a quadratic function still takes less than a millisecond.
pub(super) const LONGEST_DATA: u64 = 400;

/// How many times the usual fuel a call with such data may take. Jaro's similarity of two texts of 370 characters takes more than
/// the usual ten million instructions, and out of fuel it would refute that every text is like itself.
pub(super) const FUEL_OF_LONGEST_DATA: u64 = 20;

/// How much fuel the counterexample of a refuted law may take to shrink, some 20 ms. Dozens are refuted, and few are shown. With as much
/// as a violation of a relation may take, the search in `base64_encode` and `base64_decode` took twenty times as long.
pub(super) const SHRINK_FUEL_OF_REFUTED: u64 = 20_000_000;

/// The most inputs of such lengths. A law that is false from one length on fails on most of them.
pub(super) const LONG_FRESH: u64 = 300;

/// Inputs of such lengths of which the longest is used to see where lines end. Each is drawn only.
pub(super) const LONG_DRAWN: usize = 64;

/// The number of groups on which a law has to hold. A law that hardly any input is eligible for would not be tested.
pub(super) const LEAST_GROUPS_OF_A_LAW: u64 = 200;

/// If fewer groups are run than that would need, one in this many of them has to hold. A law without a variable has few groups.
pub(super) const HELD_SHARE: u64 = 10;

/// The source inputs on which each law is run on each mutant. More of them kill more mutants and take longer.
pub(super) const INPUTS_ON_MUTANTS: u64 = 200;

/// A law of so many more letters counts for half as many mutants where only some laws are listed. Laws have 30 to 120 letters with their names, so that a short one
/// is preferred to a long one that kills a little more.
pub(crate) const HALVING_LENGTH: usize = 80;
