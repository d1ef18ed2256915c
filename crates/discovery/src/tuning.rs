//! The numbers by which a discovery is tuned, with their units and what each trades.
//!
//! Where nothing else is said, a value is a choice: no measurement of it against other values is on record. Whoever measures one says
//! here what was measured, and with which result.

use std::time::Duration;

// Source inputs.

/// Inputs of a technique that is neither random nor a search along paths. More inputs reach more of the function; each is run on the
/// original, and with its follow-up inputs on the mutants.
pub(crate) const INPUTS_OF_A_TECHNIQUE: usize = 100;

/// Questions that a search along paths may ask its solver, at the usual effort. More questions find inputs of rarer paths, and take
/// the time of the searches for relations.
pub(crate) const PATH_QUERIES: u64 = 150;

/// Paths that a search along paths follows to their end. The same trade as [`PATH_QUERIES`].
pub(crate) const PATHS: u64 = 300;

/// The most work on one question, where a unit of work counts as about a microsecond. More time answers harder questions, and fewer of
/// them.
pub(crate) const QUERY_TIME: Duration = Duration::from_millis(20);

/// The time after which the clock ends the search along paths, at the usual effort. The counted bounds should end it long before: a
/// clock that decides makes two runs differ.
pub(crate) const PATH_TIME: Duration = Duration::from_secs(2);

/// The same where no time is asked for: so long that a busy machine finds the same as an idle one.
pub(crate) const UNTIMED_PATH_TIME: Duration = Duration::from_secs(60);

/// Inputs on which a function is run twice before the clock is first looked at. Each further slice is four times as large. Small
/// slices end in time, and large ones cost less.
pub(crate) const FIRST_REPEATED: usize = 32;

/// Source inputs on which transformations are tried. With more of them a rarely useful transformation is recognized as useful, and
/// each transformation takes longer.
pub(crate) const TRANSFORMATION_SAMPLE: usize = 200;

// Executions.

/// Random inputs on which mutants are run to see which of them stand for others. More inputs tell more mutants apart, and make the list of those that stand
/// for all longer: on the nine programs of the study of hierarchies a thousand reveal as many mutants as a hundred thousand do, on all but one.
pub(crate) const DOMINATOR_INPUTS: u64 = 1_000;

/// The time, in seconds, for which the counted bounds on executions and evidence are made. A discovery with less time does less.
pub(crate) const USUAL_TIME: f64 = 30.0;

/// The smallest share of the usual work, however little time is asked for. Less would find nothing.
pub(crate) const LEAST_EFFORT: f64 = 0.05;

/// The instructions of compiled mutants that are kept, because the same mutants are run several times: to record executions, to measure what relations
/// kill, and for the evidence. More of them take more memory; mutants beyond are compiled each time.
pub(crate) const KEPT_INSTRUCTIONS: usize = 500_000;

/// Mutants are compared with the original and with each other in one of so many equal parts of the time for executions; those that there is no time to
/// compare count as distinct. Without an end, the comparison of 1,200 mutants of the sine of libm and what it calls left no time to run any within 12 s.
pub(crate) const COMPARE_PARTS: usize = 3;

/// Mutants that are considered for each mutant that the search may see: enough for scoring, and few enough to compile quickly.
pub(crate) const LOOKED_AT: usize = 4;

/// Mutants that are considered at least, however few the search may see.
pub(crate) const FEWEST_LOOKED_AT: usize = 1_000;

/// Inputs that are run together. Large batches cost less a call; the calls of a batch are in memory at once.
pub(crate) const INPUTS_A_BATCH: usize = 4096;

/// Bytes and elements of all inputs, or of all outputs, of a call that the search uses. A relation of long texts shows on short texts
/// too, and these take less time and memory.
pub(crate) const LONGEST_VALUES: usize = 1024;

/// Incorrect executions that are wanted from each mutant, as a multiple of an even share. Mutants that have fewer leave room for
/// others.
pub(crate) const WANTED_SHARES: usize = 2;

/// Pairs of inputs in the first round of a transformation with a mutant. Each further round is four times as large. A mutant that
/// differs everywhere is done after the first, and small rounds cost more a pair.
pub(crate) const FIRST_PAIRS: usize = 2;

/// Source inputs in the first slice on which a mutant is run. Each further slice is four times as large, as with [`FIRST_PAIRS`].
pub(crate) const FIRST_SOURCE_SLICE: usize = 8;

/// Inputs on which a mutant is run at once. A mutant may produce megabytes on each input.
pub(crate) const INPUTS_AT_ONCE: usize = 64;

/// Source inputs on which a mutant may stop, or give outputs that are too long, before it is run on no more source inputs. Most such
/// mutants run endlessly, and each call uses up its whole fuel; a mutant that stops on these inputs alone is lost.
pub(crate) const SOURCE_STOPS: usize = 8;

/// On how many more inputs it may stop, for each transformation, before it is not run at all.
pub(crate) const STOPS_A_TRANSFORMATION: usize = 2;

// Budgets. A unit of work is a unit of fuel, about a WebAssembly instruction.

/// Units that a call costs in addition to its fuel, if calls share an instance.
pub(crate) const SHARED_CALL: u64 = 100;

/// The same if the host undoes after each call what the call changed. The benchmark `groups` makes four such calls of `padStart` in the time of
/// one in a fresh instance.
pub(crate) const RESTORED_CALL: u64 = 700;

/// The same if each call gets a fresh instance.
pub(crate) const FRESH_CALL: u64 = 3_000;

/// What observation costs, as a multiple of a call: the observing version runs once, and the original twice.
pub(crate) const OBSERVING: u64 = 4;

/// Source inputs on which the cost of a call is measured. With few of them one slow input decides.
pub(crate) const COST_SAMPLE: usize = 100;

/// Units that the original and the observing version may take.
pub(crate) const UNITS_OF_ORIGINAL: u64 = 1_200_000_000;

/// Units that all mutants together may take. More units give more incorrect executions, by which relations are told apart.
pub(crate) const UNITS_OF_MUTANTS: u64 = 3_000_000_000;

/// Units that all mutants together may take on source inputs, before their pairs are chosen.
pub(crate) const UNITS_OF_SOURCES: u64 = 300_000_000;

/// Units that a relation may take on new inputs before it is chosen. More units let fewer relations through that do not hold.
pub(crate) const UNITS_OF_SCREENING: u64 = 400_000_000;

/// Units that a relation may take on new inputs after it is chosen.
pub(crate) const UNITS_OF_CONFIRMATION: u64 = 8_000_000_000;

/// Units that mutation analysis with the relations found may take.
pub(crate) const UNITS_OF_ANALYSIS: u64 = 16_000_000_000;

/// Units that the original may take on the inputs that patterns are looked for with, under all changes together.
pub(crate) const UNITS_OF_PATTERNS: u64 = 2_000_000_000;

/// Units that all mutants together may take on inputs that reveal them, under all changes together.
pub(crate) const UNITS_OF_PATTERN_MUTANTS: u64 = 5_000_000_000;

/// Inputs that patterns are looked for with, at most: on the function of twelve parameters `advise`, 16,000 leave few patterns that fresh inputs refute.
pub(crate) const MOST_PATTERN_INPUTS: usize = 16_384;

/// The same, at least. With fewer, most patterns that hold are false.
pub(crate) const FEWEST_PATTERN_INPUTS: usize = 400;

/// Inputs on which a mutant is run under every change, at most: those that reveal it, and others.
pub(crate) const MOST_REVEALING: usize = 256;

/// How many times its units some work may take, if it needs them to reach the smallest amount that is worthwhile.
pub(crate) const OVERDRAFT: u64 = 4;

/// Source inputs that are used at least, within the overdraft. Fewer show too little of the function.
pub(crate) const FEWEST_SOURCES: usize = 250;

/// Source inputs that are used at least if a call takes milliseconds, so that the usual minimum would take minutes. Little is found
/// with them, but it is found in time.
pub(crate) const LEAST_SOURCES: usize = 16;

/// Pairs of a transformation that each mutant is run on at least, within the overdraft.
pub(crate) const FEWEST_TRIES: usize = 8;

/// The same if a call takes milliseconds.
pub(crate) const LEAST_TRIES: usize = 4;

/// Pairs of a transformation that a mutant is run on at most, for each incorrect execution that is wanted: many pairs show nothing.
pub(crate) const TRIES_A_WANTED: usize = 4;

/// Source inputs that each mutant is run on at least before its pairs are chosen.
pub(crate) const FEWEST_SOURCE_TRIES: usize = 32;

/// Transformations that are used at least if a call takes milliseconds.
pub(crate) const FEWEST_TRANSFORMATIONS: usize = 3;

/// Units that a law over several calls may take on new inputs before it is listed: a second for functions that need an instance for each call, which get some
/// tens of thousands of inputs. Others get all that the options ask for.
pub(crate) const UNITS_OF_LAW: u64 = 200_000_000;

/// New inputs that a relation is run on at least. Fewer would refute too few relations.
pub(crate) const FEWEST_FRESH: u64 = 200;

/// Source inputs of a relation in mutation analysis, at least. Fewer show too little of what a relation kills.
pub(crate) const FEWEST_ANALYSED: u64 = 16;

/// Source inputs of a relation in mutation analysis, at most. More inputs kill more mutants, and every mutant is run on each.
pub(crate) const MOST_ANALYSED: u64 = 10_000;

/// Source inputs of a relation in the last mutation analysis, if even [`FEWEST_ANALYSED`] would take far too long.
pub(crate) const ANALYSED_IF_SLOW: u64 = 4;

// Searches. They take turns, so that the time goes to those under which relations kill many mutants.

/// Relations of one search that take part in a choice. More relations leave more to choose from, and each choice takes longer.
pub(crate) const CANDIDATES_OF_A_SEARCH: usize = 60;

/// Generations that a search runs in one turn. Long turns waste time on searches that gain nothing, short ones on choices.
pub(crate) const GENERATIONS_A_TURN: u32 = 10;

/// Searches that have a turn in one round, before the next choice. The same trade as [`GENERATIONS_A_TURN`].
pub(crate) const TURNS_A_ROUND: usize = 6;

/// Places that a turn without a gain costs a search: after its turn, the best search waits until so many searches behind it have had
/// theirs. A small number stays with the best searches, a large one gives all of them turns.
pub(crate) const PLACES_BEHIND: usize = 12;

/// Rounds without a gain after which the search ends. More rounds find what is rare, and take time when there is nothing to find.
pub(crate) const PATIENCE: u64 = 8;

// The choice of relations, first by recorded executions, then by what they kill on new inputs.

/// The number of nodes that halves the worth of a relation. A small number prefers short relations, which people read, to strong ones.
pub(crate) const HALVING_SIZE: usize = 16;

/// How many times as many relations are chosen by recorded executions as are wanted. What they kill on new inputs decides between
/// them; each of them costs a mutation analysis.
pub(crate) const POOL: usize = 3;

/// A relation is chosen for what it adds if it kills more than 1/60 of the mutants that can be killed. A smaller share keeps more
/// relations, each of which says less.
pub(crate) const SCREENING_LEAST_GAIN: usize = 60;

/// The same for measured relations: more than 1/16 of the mutants that all of them kill together.
pub(crate) const MEASURED_LEAST_GAIN: usize = 16;

/// The same where relations of known forms hold, which are short and say different things: more than 1/200. With 1/100, `charge` lists 12
/// relations instead of 15, which kill 0.77 instead of 0.79 of the held-out mutants; the list of `gcd` is the same.
pub(crate) const FORMS_LEAST_GAIN: usize = 200;

/// The same for relations beside those of textbooks: more than 1/100, and more than one mutant. They are harder to read, and a single mutant is often killed by chance.
pub(crate) const OTHERS_LEAST_GAIN: usize = 100;

/// Textbook relations that add no mutant are listed as long as the list has no more than this. They are worth reading, and with more of them the list is no longer read
/// at a glance.
pub(crate) const TEXTBOOK_ROOM: usize = 12;

/// A relation of a further transformation may kill 1/2 fewer mutants than the best. It says something else about the function, but a
/// weak one is not worth reading.
pub(crate) const SCREENING_SHORTFALL: usize = 2;

/// The same for measured relations: 1/3 fewer.
pub(crate) const MEASURED_SHORTFALL: usize = 3;

/// Relations of one search that may be refuted before the search is asked again: the same inputs refute most of its others.
pub(crate) const REFUTED_AT_ONCE: usize = 4;

/// A relation that kills less than 1/8 as many mutants as the best relation is left out of the record: on new inputs it does not keep
/// what it promised on the recorded ones.
pub(crate) const WEAK: usize = 8;

// Relations of known forms.

/// A relation of which a smaller share of the groups was eligible is not proposed: its inputs were special ones, and hardly as varied as those of the function
/// itself. It is the share below which a check warns.
pub(crate) const FEWEST: f64 = 0.1;

/// The share of the time after which no more laws are looked for. A search for laws that ends early lists those that it has. With 0.35, the patterns of GenMorph's `pow`
/// had too little time in 30 seconds: none was found.
pub(crate) const LAWS_SHARE: f64 = 0.25;

/// The smallest share for laws, however long it took to make source inputs. The least shares of the steps before the search matter if calls are slow: then each
/// step takes its share, source inputs end at 0.2, laws at 0.45, executions at 0.5, patterns at 0.55, and the measurement at 0.6. With 0.15, nothing was found of a
/// function of 10 ms a call in 30 seconds.
pub(crate) const LEAST_LAWS_SHARE: f64 = 0.25;

/// Laws that are measured, those of a search first, the shortest ones before others, then those of known forms. Each is run on mutants, and these choose.
pub(crate) const MOST_LAWS: usize = 24;

/// Batches in which a relation of a known form is run on new inputs. The clock is looked at after each batch: with more batches a test
/// ends sooner after its time, and costs more.
pub(crate) const BATCHES_OF_FORMS: u64 = 10;

/// New inputs on which a more general relation is run before the tests that every relation has to pass. More of
/// them let fewer relations through to the costly tests.
pub(crate) const TRIED_MORE_GENERAL: u64 = 2_000;

/// How many of these are run even if calls are slow, and on how many of them the relation has to hold.
pub(crate) const LEAST_MORE_GENERAL: u64 = 500;

/// The greatest modulus that is tried for a relation with `mod`. Functions of 32 bits need no greater one.
pub(crate) const GREATEST_MODULUS: i128 = 1 << 32;

// Tests of relations.

/// New inputs on which every relation is run before it counts, if calls are quick. Chosen relations are run on many more. More inputs
/// here let fewer relations through to the costly tests.
pub(crate) const SCREENED: u64 = 20_000;

/// With a fresh instance for each call, it is one in so many of these inputs.
pub(crate) const SCREENED_IF_FRESH: u64 = 4;

/// New inputs on which a relation is run before it counts even if calls are slow.
pub(crate) const LEAST_SCREENED: u64 = 500;

/// Metamorphic groups on which a relation must have held if slow calls left no time for more. The report says on how many groups it
/// was tested.
pub(crate) const LEAST_HELD: u64 = 16;

/// New inputs of a chosen relation that are chosen to be far from each other. They are dear to make and differ more than samples do.
pub(crate) const CONFIRMED_ADAPTIVE: usize = 100;

/// If each call gets a fresh instance, a chosen relation is run on one in so many of the new inputs.
pub(crate) const CONFIRMED_IF_FRESH: u64 = 5;

/// A chosen relation has to be run on one in so many of the new inputs even when the time is up or somebody interrupts. One that is not counts as not
/// confirmed. A law of `gcd` that is false on one input in 10,000 held on 2,000 of 500,000 inputs.
pub(crate) const CONFIRMED_AT_LEAST: u64 = 10;

/// Inputs that are drawn from the whole domain if all parameters are scalars, even if samples are usually drawn from a part of it.
/// They are cheap to draw, and show what happens beyond the usual inputs.
pub(crate) const WIDE_SCALARS: usize = 1000;

/// The same for other parameters, which may be of any length.
pub(crate) const WIDE_OTHERS: usize = 32;

/// Samples that are run before any input from the whole domain, on which a call may use up all its fuel.
pub(crate) const FIRST_SAMPLED: usize = 256;

/// Samples that are run with special characters in each of their texts: with 22 characters in three places of each. Most texts of a
/// sample have none of them, and a function may treat a single letter of the thousands of Unicode in its own way. More samples would
/// only repeat the characters.
pub(crate) const SAMPLES_WITH_SPECIAL_CHARACTERS: usize = 3;

/// Inputs whose values are all favoured or special ones, such as 0 and the ends of the type, if all parameters are scalars. Among usual
/// samples one in 64 has such values for two parameters, and fewer for more.
pub(crate) const SPECIAL_SCALARS: usize = 1000;

/// The same for other parameters.
pub(crate) const SPECIAL_OTHERS: usize = 100;

/// Inputs from the whole domain that are run before the clock is looked at.
pub(crate) const WIDE_AT_ONCE: usize = 64;

/// Inputs in the first slice of a run; each further slice is four times as large. If calls take so long that a slice is given up, the
/// results of the slice are lost.
pub(crate) const FIRST_VERDICTS: usize = 32;

/// Source inputs from which the search for a counterexample starts.
pub(crate) const SEARCH_STARTS: usize = 24;

/// The absolute value below which outputs have to be where a relation within a tolerance does not hold for all of them. A function
/// with poles has larger outputs, where the rounding of its argument changes them by more than the tolerance. A greater value leaves
/// more of the function to the relation, and more of the rounding.
pub(crate) const LARGEST_OUTPUT: i128 = 1000;

/// Intervals of a parameter in which steep places of the function are looked for. Each ends at one place, so that a function with many
/// poles needs many.
pub(crate) const STEEP_INTERVALS: usize = 24;

/// The same if each call gets a fresh instance.
pub(crate) const STEEP_INTERVALS_IF_FRESH: usize = 4;

/// How often such an interval is halved. After 64 halvings the ends of most intervals of floats are neighbours.
pub(crate) const STEEP_HALVINGS: usize = 64;

/// The part of the time that is left for tests which the search for steep places may take.
pub(crate) const STEEP_PART: f64 = 0.05;

/// Rounds of the search for a counterexample, at most. More rounds come nearer to a violation that is hard to reach.
pub(crate) const SEARCH_ROUNDS: usize = 40;

/// Rounds of the search even when the time is up.
pub(crate) const LEAST_SEARCH_ROUNDS: usize = 4;

/// Inputs that a round passes on: those nearest to a violation. Few inputs get stuck, and many of them spread the work.
pub(crate) const SEARCH_KEPT: usize = 12;

/// Inputs that are tried near each of those of the round before.
pub(crate) const SEARCH_NEIGHBOURS: usize = 16;

/// How many times as many inputs are judged by their distance from a violation as are passed on. Each is evaluated alone, which is
/// dear.
pub(crate) const SEARCH_JUDGED: usize = 4;

/// One in so many neighbours of an input differs from it in two parameters; the others differ in one.
pub(crate) const TWO_CHANGES_IN: usize = 4;

/// One in so many neighbours of an input has one number raised and another one lowered by as much, if it has two numbers. More of them leave fewer
/// for changes of one number, by which most counterexamples are reached.
pub(crate) const OPPOSITE_IN: usize = 8;

/// One in so many changes of a parameter makes it equal to another, because equal arguments are a special case in much code.
pub(crate) const EQUAL_IN: usize = 8;

// Time. A share is of the whole time asked for.

/// The share after which no more source inputs are collected, if calls are so slow that the counted work takes longer.
pub(crate) const SOURCES_SHARE: f64 = 0.2;

/// The share after which the borders of comparisons are no longer looked for. Of most functions they are found in a tenth of a second.
pub(crate) const COMPARISONS_SHARE: f64 = 0.22;

/// The share after which no more executions are collected.
pub(crate) const EXECUTIONS_SHARE: f64 = 0.45;

/// The smallest share for executions, however late laws were found.
pub(crate) const LEAST_EXECUTIONS_SHARE: f64 = 0.1;

/// The share after which the search ends. The rest is for testing the relations that it found.
pub(crate) const SEARCH_SHARE: f64 = 0.6;

/// The smallest share for the search, however long it took to collect executions.
pub(crate) const LEAST_SEARCH_SHARE: f64 = 0.15;

/// Of a search that enumerates and evolves, the share of its time that enumeration leaves to genetic programming. A larger share leaves more transformations without a
/// look. Without one, `auto` ran no generation in 12 s on GenMorph's `gcd` and `center`: the first look under 64 transformations took all of the 2 s of the search. With a half
/// (seed 1, 60 s, a build without optimisation on a busy machine, so no generation without a share), relations of `center`, `stirling`, `sort` and `padStart` caught 97, 76, 128 and
/// 90 searched mutants on average instead of 82, 68, 124 and 86; together those of `stirling` caught fewer (114 instead of 147), those of the others more.
/// `experiments/genmorph/run.sh --searches "auto0 auto25 auto50"` compares shares on all methods.
pub(crate) const EVOLUTION_SHARE: f64 = 0.5;

/// What follows the search has the time from its end to [`TEST_END`]. This part of it may go to candidates that are not run yet: the more are run, the better
/// the choice is, and the less time there is to measure what the chosen ones kill, and to test them.
pub(crate) const CHOICE_PART: f64 = 0.3;

/// Candidates for which this time suffices at least. Few of them let each be run on more inputs.
pub(crate) const RUN_AFTER_SEARCH: u32 = 6;

/// What relations of the search kill is measured in this part of the time that is left until [`TEST_END`]; the rest is for testing the best ones. With 12 s on slow
/// functions, a measurement without an end left no time for tests, and a relation without a test is not reported.
pub(crate) const MEASURED_PART: f64 = 0.5;

/// The share after which no mutant is run on patterns.
pub(crate) const PATTERN_MUTANTS_SHARE: f64 = 0.4;

/// The smallest share for this, however long it took to collect executions.
pub(crate) const LEAST_PATTERN_MUTANTS_SHARE: f64 = 0.1;

/// The share after which no more patterns are tested on fresh inputs, and relations of known forms are no longer measured. Without it, a discovery of GenMorph's `pow` in
/// 20 seconds had no time left for tests and evidence behind the search, and reported nothing.
pub(crate) const FORMS_SHARE: f64 = 0.55;

/// The smallest share for measuring relations of known forms, however late they are found.
pub(crate) const LEAST_FORMS_SHARE: f64 = 0.05;

/// The calls of the evidence, as a multiple of those that there is time for. Below 1, because mutants are compiled, and values made and compared, too: with 2, a second was too
/// little for 500 of 700 mutants of a mean; with 0.5 it suffices.
pub(crate) const CALLS_OF_EVIDENCE: f64 = 0.5;

/// If the evidence took less time than there was, it is gathered again with more inputs, which are to take this part of what is left. A larger part would reveal more mutants;
/// but how long the inputs take is a guess, and if the second analysis does not end, the first one counts. With seed 1, relations of `charge` caught 506 of 664 mutants on the
/// first 343 inputs, and 553 of 669 on what six seconds sufficed for.
pub(crate) const PART_OF_SECOND_EVIDENCE: f64 = 0.4;

/// But only with at least so many times the inputs. With fewer it would say nearly the same again.
pub(crate) const LEAST_TIMES: f64 = 1.5;

/// The calls of a measurement, as a multiple of those that there is time for. A mutant that was not run counts with the recorded executions. A relation that kills a mutant is not run on further inputs, so that
/// there are fewer calls than this says.
pub(crate) const CALLS_OF_MEASUREMENT: f64 = 1.0;

/// The share for which a candidate is run on new inputs before it is chosen, after the fewest inputs.
pub(crate) const SCREEN_SHARE: f64 = 0.02;

/// The share that one candidate may take before it is chosen, even if it was run on few inputs.
pub(crate) const CANDIDATE_SHARE: f64 = 0.1;

/// The share after which the relations found are run only on as many new inputs as is necessary.
pub(crate) const TEST_SHARE: f64 = 0.85;

/// The share after which nothing is run on new inputs.
pub(crate) const TEST_END: f64 = 0.9;

/// The share that proofs of all relations together have in any case. More of it would leave less time to see which mutants the relations catch. In 30 seconds with 16
/// relations it is a tenth of a second for each, which suffices to refute an equation of two calls without loops.
pub(crate) const LEAST_PROOFS_SHARE: f64 = 0.05;

/// How long the relations found are tested after an interruption: the user has to be answered within two seconds.
pub(crate) const GRACE: Duration = Duration::from_millis(800);
