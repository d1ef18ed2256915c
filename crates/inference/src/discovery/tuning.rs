//! The numbers by which the search for output relations is tuned, with their units and what each trades.
//!
//! Where nothing else is said, a value is a choice: no measurement of it against other values is on record. Whoever measures one says
//! here what was measured, and with which result. What a user can set stands with its default in [`Settings`](super::Settings), where
//! the values are those of GenMorph (its Table III), and in [`EnumerateOptions`](super::EnumerateOptions).

// Memory.

/// Bytes of columns that an evaluator keeps, and about as many of texts and sequences. With more of them fewer columns are computed
/// twice; there is an evaluator for each input transformation.
pub(super) const COLUMN_MEMORY: usize = 128 << 20;

/// The same for evaluators of few rows, or whose columns are kept elsewhere.
pub(super) const SMALL_COLUMN_MEMORY: usize = 1 << 24;

// Enumeration of small terms.

/// Rows of each kind, correct and incorrect, on which terms are told apart. With more of them fewer different terms look the same,
/// and each term takes longer.
pub(super) const PROBES: usize = 128;

/// Probes on which two terms are compared first. Most comparisons end there; with more of them each takes longer, and fewer pass for
/// nothing.
pub(super) const HEAD: usize = 8;

/// Constants of the code that terms are built from: the most frequent. Each of them multiplies the terms of a size.
pub(super) const BANK_CONSTANTS: usize = 6;

/// Nodes of a stored term that mentions a follow-up output, at most. Larger terms find more, and there are ten times as many with
/// each node.
pub(super) const FOLLOW_UP_SIZE: usize = 3;

/// Nodes of each of the two terms of an inequality, at most. Most inequalities of larger terms say little.
pub(super) const INEQUALITY_SIZE: usize = 3;

/// Nodes of the two terms of `contains`, `is_prefix_of` and `is_suffix_of`, at most on average.
pub(super) const CONTAINMENT_SIZE: usize = 2;

/// Comparisons of inputs that occur in formulas of Boolean outputs, at most. Each is combined with each output in 24 ways.
pub(super) const FORMULA_ATOMS: usize = 1_000;

/// Conjectures that hold on the same probes which are kept, since the rows outside the probes may tell them apart.
pub(super) const ALIKE_CONJECTURES: usize = 4;

/// The tolerances for numbers that are equal except for rounding, the narrower first. A wider one lets faults pass.
pub(super) const ROUNDING: [f64; 2] = [1e-9, 1e-6];

// Conditions.

/// Comparisons of a condition, at most. Longer conditions exclude more precisely, and are harder to read.
pub(super) const CONDITION_COMPARISONS: usize = 3;

/// Partial conjunctions that each step of the search for a condition extends. More of them find better conditions in more time.
pub(super) const CONDITION_BEAM: usize = 24;

/// How much a further comparison has to improve a condition to be worth it, as a share of the rows kept.
pub(super) const COMPARISON_COST: f64 = 0.05;

/// A condition keeps at least one in so many of the correct rows: 5%. A narrower one says nothing about most inputs.
pub(super) const CONDITION_KEEPS_ONE_IN: u64 = 20;

/// The size of the sample on which conditions are chosen, in words of 64 rows of each kind. The choice is then checked on all rows,
/// and made again on all of them if it does not hold there.
pub(super) const CONDITION_SAMPLE: usize = 32;

/// Constants of the code that conditions compare with: the most frequent.
pub(super) const CONDITION_CONSTANTS: usize = 8;

/// Values that are excluded by comparisons such as `x != 3`, at most.
pub(super) const EXCLUDED_VALUES: usize = 3;

/// The largest absolute value of an integer that functions often treat as a special case, which a condition may exclude alone.
pub(super) const SPECIAL_INTEGERS: f64 = 8.0;

/// Refuted relations for which a condition is sought, at most, when executions are added. A condition takes long to find.
pub(super) const MOST_REPAIRS: usize = 40;

// Random trees.

/// The probability of a leaf where there is room for an operator. A greater one makes smaller trees.
pub(super) const LEAF_CHANCE: f64 = 0.4;

/// The probability that a leaf is a variable, if a variable fits.
pub(super) const VARIABLE_CHANCE: f64 = 0.75;

/// The probability that a number is a constant of the code, if there is any.
pub(super) const OF_CODE_CHANCE: f64 = 0.5;

/// The probability that a number may be a fraction where some variable is a float.
pub(super) const FRACTION_CHANCE: f64 = 0.5;

/// The same where none is.
pub(super) const FRACTION_CHANCE_OF_INTEGERS: f64 = 0.1;

/// The probability that a number is within [`SMALL_CONSTANT`], because small constants are frequent in relations.
pub(super) const SMALL_CHANCE: f64 = 0.75;

/// The largest absolute value of a small constant.
pub(super) const SMALL_CONSTANT: i64 = 10;

/// The largest absolute value of any random constant, as in GenMorph.
pub(super) const LARGEST_CONSTANT: i64 = 100;

// Genetic programming.

/// Tries after which the caller is asked whether to go on. Asking costs a look at the clock.
pub(super) const TRIES_BETWEEN_QUESTIONS: usize = 64;

/// Tries for each place of a population. After that the population stays smaller: there may be too few distinct trees.
pub(super) const TRIES_A_PLACE: usize = 8;

/// Nodes that are drawn before two parents count as having no subtrees to exchange.
pub(super) const CROSSOVER_TRIES: usize = 4;

// What is kept, and what is handed out.

/// Relations that miss the same incorrect rows which are kept. If the smallest is refuted later, another may replace it.
pub(super) const ALIKE_ARCHIVED: usize = 4;

/// Sets of missed rows that survive pruning because relations with them miss the fewest.
pub(super) const ARCHIVED_SETS: usize = 400;

/// Sets of missed rows that survive because relations with them are small.
pub(super) const ARCHIVED_SMALL_SETS: usize = ARCHIVED_SETS / 4;

/// Relations that survive pruning for each mutant because they kill it, in both orders.
pub(super) const ARCHIVED_A_MUTANT: usize = 4;

/// A mutant counts as killed if a relation reveals at least one in so many of its executions: other inputs would not show a rare
/// accident. A smaller number is stricter.
pub(super) const REVEALED_ONE_IN: u32 = 8;

/// The number of nodes that halves the worth of a single relation. This low value puts small relations first.
pub(super) const PART_HALVING_SIZE: usize = 1;

/// A further part of a conjunction has to kill at least one in so many new mutants, compared with the parts before it. A greater
/// number makes longer conjunctions.
pub(super) const PART_GAIN_ONE_IN: usize = 12;

// Input transformations.

/// Constants of the code that are used for one parameter: the most frequent.
pub(super) const CONSTANTS_OF_CODE: usize = 4;

/// The largest absolute value of an integer constant of the code; larger ones are mostly masks, magic numbers and bounds of types.
pub(super) const LARGEST_OF_CODE: i128 = 1000;

/// The largest factor: a larger one moves most inputs out of the domain, or outputs to the end of their range.
pub(super) const LARGEST_FACTOR: f64 = 16.0;

/// Constants that are tried for changing all elements of a sequence.
pub(super) const ELEMENT_CONSTANTS: usize = 4;

/// Transformations of each kind (GenMorph's, and further ones) that are combined in pairs. The pairs grow with its square.
pub(super) const PAIRED: usize = 40;

/// The same for pairs that chance orders.
pub(super) const PAIRED_BY_CHANCE: usize = 12;

// Bounds on what a user may set.

/// The largest size of enumerated terms: with each additional node there are ten times as many terms.
pub(super) const LARGEST_ENUMERATION: usize = 11;

/// The largest population. All individuals are in memory, each with its score.
pub(super) const LARGEST_POPULATION: usize = 1_000_000;

/// The most nodes of a relation. Nobody reads larger ones, and the relation language limits how deeply an expression may be nested.
pub(super) const LARGEST_RELATION: usize = 64;
