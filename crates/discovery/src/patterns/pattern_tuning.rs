//! The numbers by which the search for patterns is tuned, with what each trades.
//!
//! Where nothing else is said, a value is a choice: no measurement of it against other values is on record.

// Source inputs.

/// Source inputs are grouped by their outputs. Once there are so many groups, all further inputs form one more group. Each group is chosen
/// equally often. If a function has the same output nearly everywhere, patterns are about its other outputs.
pub(super) const MOST_CLASSES: usize = 16;

/// One input in so many is drawn as the manifest says, without edits, because relations are measured on such inputs. A pattern kills a
/// mutant only if it is violated on a share of all inputs that reveal the mutant, so these inputs have to be among them.
pub(super) const RANDOM_IN: usize = 2;

/// The most edits of an input, each of one parameter. With more, conditions on several parameters are met more often, and the inputs are
/// less like those that people test with.
pub(super) const MOST_EDITS: usize = 3;

// Runs.

/// The number of fresh inputs on which a pattern is tested, as a multiple of the number of inputs that it was found with. With more,
/// fewer false patterns have to be run as relations, and each test takes longer.
pub(super) const FRESH_TIMES: usize = 8;

/// How many inputs are drawn as the manifest says, to measure how often a condition is true of such inputs. With fewer, a condition
/// that is true of one input in a thousand would often seem to be true of none.
pub(super) const DRAWN: u64 = 4096;

/// An input near constants is kept only if its call takes no more fuel than those of this share of the random source inputs. The mutants
/// that an input leads into endless loops take a multiple of its fuel: without a bound, the analysis of the mutants of GenMorph's `pow`
/// did not end in its share of 30 seconds.
pub(super) const QUICK_SHARE: f64 = 0.9;

// Mutants.

/// When a mutant did not return on so many source inputs, it is run on no more of them. A mutant without end takes all of
/// its fuel on each input, and shows nothing more.
pub(super) const MOST_STOPS: usize = 16;

/// On how many source inputs a mutant is run at one time. With more, a mutant that never returns is noticed later; with fewer, each call
/// of the engine does less.
pub(super) const MUTANT_BATCH: usize = 256;

/// Of the inputs that a mutant is run on, one in so many does not reveal it. The follow-up input of a pattern may reveal it all the same:
/// setting an amount to 0 reveals a fault at 0, where no other amount does.
pub(super) const OTHERS_IN: usize = 2;

// Candidates.

/// A pattern is kept only if it applies to at least one in so many inputs, and to [`LEAST_ROWS`]. A pattern that applies to fewer was hardly
/// tested.
pub(super) const LEAST_SUPPORT: usize = 400;

/// The fewest inputs that a pattern has to apply to, however few there are.
pub(super) const LEAST_ROWS: usize = 4;

/// The most differences of outputs that are tried as expectations under one change. Each is tried under all conditions.
pub(super) const MOST_OUTPUT_DIFFERENCES: usize = 4;

/// The most outputs of follow-up calls that are tried as expectations under one change. Some are rare without it: that the amount is 0,
/// and the transfer refused for that reason, is seldom drawn.
pub(super) const MOST_RESULTS: usize = 6;

// The test on fresh inputs.

/// A pattern about at most so many different inputs is no relation but a list of examples: of a function of one number, that setting it to
/// 4 makes the result 5.
pub(super) const MOST_EXAMPLES: usize = 4;

/// Where a function has few inputs, a pattern is a list of examples only if it is about at most one in so many of them: a pattern about more
/// than a quarter of all inputs says something.
pub(super) const EXAMPLES_IN: usize = 4;

// The choice.

/// The most invariants that are chosen before all other patterns, although others may kill the same mutants. People read an invariant at
/// once. With more of them, patterns that kill more come later.
pub(super) const MOST_INVARIANTS: usize = 2;

/// An invariant is chosen first only if it kills more than one in so many of the mutants that patterns kill. A bound that hardly any mutant
/// violates says little.
pub(super) const INVARIANT_SHARE: usize = 10;

/// The most patterns that are chosen. Of these, those are listed that kill most mutants on random inputs. With 16, the functions `charge`
/// and `tax` had as many further patterns that held and were never considered.
pub(super) const MOST_CHOSEN: usize = 32;

/// On how many metamorphic groups a pattern has to hold before it is chosen. On fewer, a false pattern may hold by chance; with many more,
/// rules of rare inputs would be left out.
pub(super) const LEAST_GROUPS_OF_A_PATTERN: u64 = 20;

/// One in so many of the inputs that a pattern is tested on comes first. If it is violated there, it is not run on the others: of the
/// patterns of `charge` that are refuted in this test, nearly all are refuted so, and the test of one took a quarter of a second.
pub(super) const FIRST_IN: u64 = 16;

/// A pattern is chosen only if it kills at least one in so many of the mutants that any pattern kills, and that no chosen pattern kills
/// yet. With a larger number, lists grow by patterns that say little.
pub(super) const LEAST_GAIN: usize = 100;

/// A pattern kills a mutant if it is violated on more than one in so many of the inputs that reveal the mutant. If it is violated on rare
/// inputs only, it seldom kills the mutant on other inputs. On the function `advise` (twelve parameters, 217 of 300 mutants revealed), the
/// chosen patterns kill 0.53 of the held-out mutants if a single input suffices, as many with one in 30, and 0.56 with one in 10.
pub(super) const KILLING_SHARE: usize = 10;

/// A pattern also kills a mutant if it is violated on at least one in so many of the inputs that do not reveal the mutant, because the
/// follow-up input reveals it. That is one group in a hundred of what people test with, while an input that reveals a mutant is often
/// rarer.
pub(super) const OTHERS_SHARE: usize = 100;

/// The most conditions that one pattern joins by `or`. Three alternatives nobody writes or reads. With fewer, one rule of a program becomes several relations, which take
/// the places of others.
pub(super) const MOST_JOINED: usize = 2;

/// A condition is joined only if at least so many mutants are killed under it and not under the conditions before it. A single further
/// mutant is often killed by chance.
pub(super) const JOINED_GAIN: usize = 2;
