//! The table of known forms. To add one, add a row: the type checker decides which functions it can be said of.

/// A form of relations, over functions that are called `F`, `G` and `H` in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// What it is called, which becomes the end of the names of its relations.
    pub name: &'static str,
    /// What it says, as the language has it. `F(x)` is a call of the function with `x` in place of the parameter that the form is about; its other
    /// parameters stay as they are. `y` and `z` are other values of that parameter. A form of two parameters has `a` and `b` in their places, `d`
    /// is another value of the first and `c` of the second.
    pub says: &'static str,
    /// The same in words, with `{f}`, `{g}`, `{h}` for the functions and the variables in braces for their parameters.
    pub words: &'static str,
    /// The forms of the same functions and parameters that this one follows from.
    pub follows_from: &'static [&'static str],
    /// Whether it is listed however few faults it catches: it is a law that textbooks have a name for.
    pub is_law: bool,
    /// Whether it says the same with its two parameters, or its two functions, exchanged.
    pub is_symmetric: bool,
    /// Whether it says all that there is to say: what else is true of the same parameters follows from it.
    pub is_complete: bool,
}

/// What a form is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The output of a function, whatever its parameters.
    Output,
    /// One parameter of a function.
    Parameter,
    /// Two parameters of a function.
    TwoParameters,
    /// A function that a type has, and that is meant to be true always.
    Promise,
    /// Two functions that take and give the same.
    Compared,
    /// Two functions, of which the second takes what the first gives.
    Composed,
    /// The same, where the name of the second asks for what the name of the first says that it makes.
    Answered,
    /// Three functions: the third takes what the first gives.
    ThreeFunctions,
    /// Two functions of two parameters.
    Operations,
}

/// The forms about each of these.
pub const FORMS: [(About, &[Form]); 9] = [
    (About::Output, OF_OUTPUT),
    (About::Parameter, OF_PARAMETER),
    (About::TwoParameters, OF_TWO_PARAMETERS),
    (About::Promise, OF_PROMISE),
    (About::Compared, OF_COMPARED),
    (About::Composed, OF_COMPOSED),
    (About::Answered, OF_ANSWERED),
    (About::ThreeFunctions, OF_THREE_FUNCTIONS),
    (About::Operations, OF_OPERATIONS),
];

impl Form {
    /// A form that is listed where it catches faults.
    const fn new(name: &'static str, says: &'static str, words: &'static str) -> Form {
        Form { name, says, words, follows_from: &[], is_law: false, is_symmetric: false, is_complete: false }
    }

    /// A form that textbooks have a name for.
    pub(super) const fn law(name: &'static str, says: &'static str, words: &'static str) -> Form {
        Form { is_law: true, ..Form::new(name, says, words) }
    }

    /// It says the same either way.
    const fn either_way(self) -> Form {
        Form { is_symmetric: true, ..self }
    }

    /// It says all that there is to say.
    const fn complete(self) -> Form {
        Form { is_complete: true, ..self }
    }

    /// The forms that it follows from.
    const fn from(self, follows_from: &'static [&'static str]) -> Form {
        Form { follows_from, ..self }
    }
}

/// A function that gives its argument.
const IDENTITY: &str = "is_its_argument";

/// A parameter that has no influence.
const NO_INFLUENCE: &str = "whatever";

/// The order of two parameters does not matter: whatever is true of one is true of the other.
pub(super) const EXCHANGED: &str = "of_exchanged";

const OF_OUTPUT: &[Form] = &[
    Form::new("from_0_to_1", "0.0 <= F() and F() <= 1.0", "the result lies between 0 and 1"),
    Form::law("is_upper", "upper(F()) == F()", "the result is in upper case").from(&["is_lower"]),
    // Where both are true there are no letters, and neither is worth a line.
    Form::law("is_lower", "lower(F()) == F()", "the result is in lower case").from(&["is_upper"]),
    Form::new("is_trimmed", "trim(F()) == F()", "the result has no white space around it"),
    Form::law("in_order", "sorted(F()) == F()", "the result is in order"),
    Form::law("nothing_twice", "distinct(F()) == F()", "nothing is in the result twice"),
];

const OF_PARAMETER: &[Form] = &[
    Form::law("sorts", "F(x) == sorted(x)", "{f} puts {x} in order").complete().from(&[IDENTITY]),
    Form::law("reverses", "F(x) == reverse(x)", "{f} turns {x} round").complete().from(&[IDENTITY]),
    Form::law("sums", "F(x) == sum(x)", "{f} is the sum of {x}").complete(),
    Form::law("same_as_length", "F(x) == len(x)", "{f} is the length of {x}").complete(),
    Form::law("uppercases", "F(x) == upper(x)", "{f} turns {x} to upper case").complete().from(&[IDENTITY]),
    Form::law("lowercases", "F(x) == lower(x)", "{f} turns {x} to lower case").complete().from(&[IDENTITY]),
    Form::law("trims", "F(x) == trim(x)", "{f} takes white space away at both ends of {x}")
        .complete()
        .from(&[IDENTITY]),
    Form::law("without_repeats", "F(x) == distinct(x)", "{f} is {x} without what came before")
        .complete()
        .from(&[IDENTITY]),
    Form::law("absolute_value", "F(x) == abs(x)", "{f} is the absolute value of {x}")
        .complete()
        .from(&[IDENTITY]),
    Form::law("negates", "F(x) == -x", "{f} is the negative of {x}").complete(),
    Form::new(IDENTITY, "F(x) == x", "{f} gives {x} as it is").complete(),
    Form::law("again", "F(F(x)) == F(x)", "doing {f} twice is doing it once"),
    Form::law("and_back", "F(F(x)) == x", "{f} undoes itself"),
    Form::new("three_times", "F(F(F(x))) == F(x)", "doing {f} three times is doing it once")
        .from(&["again", "and_back"]),
    Form::new(NO_INFLUENCE, "F(x) == F(y)", "{x} does not change the result").complete(),
    // Order, parts and lengths of texts and sequences.
    Form::law("of_reversed", "F(reverse(x)) == F(x)", "{x} read backwards gives the same")
        .from(&["of_any_order"]),
    Form::law("of_any_order", "F(sorted(x)) == F(x)", "the order of {x} does not matter"),
    Form::new(
        "turns_round",
        "F(reverse(x)) == reverse(F(x))",
        "{x} read backwards gives the result read backwards",
    ),
    Form::law("of_doubled", "F(concat(x, x)) == F(x)", "{x} twice over gives the same"),
    Form::law(
        "of_parts",
        "F(concat(x, y)) == concat(F(x), F(y))",
        "the result of two parts is the results of both, one after the other",
    ),
    Form::law(
        "of_sum_of_parts",
        "F(concat(x, y)) == F(x) + F(y)",
        "the result of two parts is the sum of their results",
    ),
    Form::new(
        "of_exchanged_parts",
        "F(concat(x, y)) == F(concat(y, x))",
        "the order of two parts does not matter",
    )
    .from(&["of_any_order", "of_sum_of_parts"]),
    Form::new(
        "keeps_beginning",
        "F(x) is_prefix_of F(concat(x, y))",
        "what stands behind {x} leaves the beginning of the result alone",
    )
    .from(&["of_parts"]),
    Form::new("grows", "F(concat(x, y)) >= F(x)", "more behind {x} never gives less"),
    Form::new("shrinks", "F(concat(x, y)) <= F(x)", "more behind {x} never gives more"),
    Form::new(
        "stays_with_more",
        "F(x) implies F(concat(x, y))",
        "what is true of {x} is true with more behind it",
    ),
    Form::new("is_beginning", "F(x) is_prefix_of x", "the result is a beginning of {x}"),
    Form::new("is_end", "F(x) is_suffix_of x", "the result is an end of {x}"),
    Form::new("is_within", "x contains F(x)", "the result is found in {x}").from(&["is_beginning", "is_end"]),
    Form::new("has_argument", "F(x) contains x", "{x} is found in the result")
        .from(&["begins_with", "ends_with"]),
    Form::new("begins_with", "x is_prefix_of F(x)", "the result begins with {x}"),
    Form::new("ends_with", "x is_suffix_of F(x)", "the result ends with {x}"),
    Form::law(
        "rearranged",
        "sorted(F(x)) == sorted(x)",
        "the result has the elements of {x}, in whatever order",
    ),
    Form::new("keeps_length", "len(F(x)) == len(x)", "the result is as long as {x}")
        .from(&["rearranged", "turns_round"]),
    Form::new("never_longer", "len(F(x)) <= len(x)", "the result is never longer than {x}").from(&[
        "keeps_length",
        "rearranged",
        "is_beginning",
        "is_end",
        "is_within",
    ]),
    Form::new("never_shorter", "len(F(x)) >= len(x)", "the result is never shorter than {x}").from(&[
        "keeps_length",
        "rearranged",
        "has_argument",
        "begins_with",
        "ends_with",
    ]),
    Form::new("at_most_length", "F(x) <= len(x)", "the result is at most the length of {x}"),
    Form::new("at_least_length", "F(x) >= len(x)", "the result is at least the length of {x}"),
    // Case and white space.
    Form::law("of_upper", "F(upper(x)) == F(x)", "{x} in upper case gives the same"),
    Form::law("of_lower", "F(lower(x)) == F(x)", "{x} in lower case gives the same"),
    Form::law("of_trimmed", "F(trim(x)) == F(x)", "white space around {x} does not matter"),
    Form::new(
        "turns_upper",
        "F(upper(x)) == upper(F(x))",
        "{x} in upper case gives the result in upper case",
    )
    .from(&["of_parts"]),
    Form::new(
        "turns_lower",
        "F(lower(x)) == lower(F(x))",
        "{x} in lower case gives the result in lower case",
    )
    .from(&["of_parts"]),
    // Signs, order and steps of numbers, and of the elements of sequences.
    Form::law("of_negative", "F(-x) == F(x)", "the sign of {x} does not matter"),
    Form::law("odd", "F(-x) == -F(x)", "the negative of {x} gives the negative of the result")
        .from(&["of_sums", "scaled"]),
    Form::law("always_higher", "when x < y: F(x) < F(y)", "a greater {x} gives more").from(&["step_1"]),
    Form::law("always_lower", "when x < y: F(x) > F(y)", "a greater {x} gives less").from(&["step_1"]),
    Form::law("never_lower", "when x <= y: F(x) <= F(y)", "a greater {x} never gives less")
        .from(&["always_higher", "step_1"]),
    Form::law("never_higher", "when x <= y: F(x) >= F(y)", "a greater {x} never gives more")
        .from(&["always_lower", "step_1"]),
    Form::law(
        "stays_true",
        "when x <= y: F(x) implies F(y)",
        "what is true of {x} is true of everything greater",
    ),
    Form::law(
        "stays_false",
        "when x <= y: F(y) implies F(x)",
        "what is true of {x} is true of everything less",
    ),
    // Rounding makes neighbours change places.
    Form::law(
        "never_lower_but_for_rounding",
        "when x <= y: max(F(x), F(y)) == F(y)",
        "a greater {x} never gives less, but for rounding",
    )
    .from(&["always_higher", "never_lower"]),
    Form::law(
        "never_higher_but_for_rounding",
        "when x <= y: max(F(x), F(y)) == F(x)",
        "a greater {x} never gives more, but for rounding",
    )
    .from(&["always_lower", "never_higher"]),
    Form::law("as_long_as", "len(F(x)) == x", "the result is as long as {x} says"),
    Form::law("at_most_as_long_as", "len(F(x)) <= x", "the result is at most as long as {x} says")
        .from(&["as_long_as"]),
    Form::law("more_if_so", "F(false) <= F(true)", "{x} never gives less"),
    Form::law("less_if_so", "F(true) <= F(false)", "{x} never gives more"),
    Form::law("true_if_so", "F(false) implies F(true)", "{x} never makes it false"),
    Form::law("shifted", "for k in {1, 7}: F(x + k) == F(x) + k", "adding to {x} adds as much to the result"),
    Form::law("same_if_shifted", "for k in {1, 7}: F(x + k) == F(x)", "adding to {x} changes nothing"),
    Form::law(
        "scaled",
        "for k in {2, 10}: F(k * x) == k * F(x)",
        "{x} taken k times gives k times the result",
    )
    .from(&["of_sums"]),
    Form::law(
        "scaled_by_square",
        "for k in {2, 10}: F(k * x) == k ^ 2 * F(x)",
        "{x} taken k times gives k times k times the result",
    ),
    Form::law("same_if_scaled", "for k in {2, 10}: F(k * x) == F(x)", "{x} taken k times gives the same"),
    Form::law("of_sums", "F(x + y) == F(x) + F(y)", "the result of a sum is the sum of the results"),
    Form::law(
        "affine",
        "F(bitxor(bitxor(x, y), z)) == bitxor(bitxor(F(x), F(y)), F(z))",
        "{f} is affine: exclusive or of three values gives that of their results",
    ),
];

const OF_TWO_PARAMETERS: &[Form] = &[
    Form::law("sum_of_both", "F(a, b) == a + b", "the result is the sum of {a} and {b}").either_way().complete(),
    Form::law("difference_of_both", "F(a, b) == a - b", "the result is {a} without {b}").complete(),
    Form::law("product_of_both", "F(a, b) == a * b", "the result is the product of {a} and {b}").either_way().complete(),
    Form::law("joins", "F(a, b) == concat(a, b)", "{b} is put behind {a}").complete(),
    Form::law("tells_beginning", "F(a, b) == (b is_prefix_of a)", "{f} tells whether {a} begins with {b}").complete(),
    Form::law("tells_end", "F(a, b) == (b is_suffix_of a)", "{f} tells whether {a} ends with {b}").complete(),
    Form::law("tells_part", "F(a, b) == (a contains b)", "{f} tells whether {b} is in {a}").complete(),
    Form::law(EXCHANGED, "F(b, a) == F(a, b)", "the order of {a} and {b} does not matter").either_way(),
    Form::law("negated_if_exchanged", "F(b, a) == -F(a, b)", "{a} and {b} exchanged give the negative").either_way(),
    Form::law("not_both_ways", "not (F(a, b) and F(b, a))", "it is never true both ways").either_way(),
    Form::law("one_way_or_other", "F(a, b) or F(b, a)", "it is true at least one way").either_way(),
    Form::law("zero_of_equals", "F(a, a) == 0", "{a} and {b} that are equal give 0").either_way().from(&["zero_for_equals_only"]),
    Form::law("one_of_equals", "F(a, a) == 1", "{a} and {b} that are equal give 1").either_way().from(&["one_for_equals_only"]),
    Form::law("same_of_equals", "F(a, a) == a", "{a} and {b} that are equal give themselves").either_way(),
    Form::law("true_of_equals", "F(a, a)", "it is true of equal {a} and {b}").either_way().from(&["true_for_equals_only", "true_of_ending", "true_of_beginning"]),
    Form::law("false_of_equals", "not F(a, a)", "it is not true of equal {a} and {b}").either_way().from(&["not_both_ways"]),
    Form::law("zero_for_equals_only", "(F(a, b) == 0) == (a == b)", "the result is 0 where {a} and {b} are equal, and nowhere else").either_way(),
    Form::law("one_for_equals_only", "(F(a, b) == 1) == (a == b)", "the result is 1 where {a} and {b} are equal, and nowhere else").either_way(),
    Form::law("true_for_equals_only", "F(a, b) == (a == b)", "it is true where {a} and {b} are equal, and nowhere else").complete().either_way(),
    Form::law("associative", "F(F(a, b), c) == F(a, F(b, c))", "of three, it does not matter which two come first").either_way(),
    Form::law("same_again", "F(F(a, b), b) == F(a, b)", "the same {b} once more changes nothing"),
    Form::law("undone_by_the_same", "F(F(a, b), b) == a", "the same {b} once more undoes it"),
    Form::law("undone_by_negative", "F(F(a, b), -b) == a", "the negative of {b} undoes it").from(&["goes_on"]),
    Form::law("same_with_zero", "F(a, 0) == a", "with 0, {a} stays as it is"),
    Form::law("same_with_one", "F(a, 1) == a", "with 1, {a} stays as it is"),
    Form::law("zero_with_zero", "F(a, 0) == 0", "with 0 the result is 0"),
    Form::law("one_with_one", "F(a, 1) == 1", "with 1 the result is 1"),
    Form::law("one_with_zero", "F(a, 0) == 1", "with 0 the result is 1"),
    Form::law("same_with_empty", "F(a, \"\") == a", "with nothing, {a} stays as it is"),
    Form::law("same_with_none", "F(a, []) == a", "with nothing, {a} stays as it is"),
    Form::law("true_with_empty", "F(a, \"\")", "it is true with nothing").from(&["true_of_ending", "true_of_beginning"]),
    Form::law("length_with_empty", "F(a, \"\") == len(a)", "with nothing, the result is the length of {a}"),
    Form::law("length_with_none", "F(a, []) == len(a)", "with nothing, the result is the length of {a}"),
    // Distances, similarities and orders.
    Form::law("triangle", "F(a, c) <= F(a, b) + F(b, c)", "a way over a third is never shorter").either_way(),
    Form::law("transitive", "when F(a, b) and F(b, c): F(a, c)", "what is true of a first and a second, and of the second and a third, is true of the first and the third").either_way()
        .from(&["true_for_equals_only"]),
    Form::law("order_transitive", "when F(a, b) <= 0 and F(b, c) <= 0: F(a, c) <= 0", "the order of three agrees").either_way(),
    Form::law("of_both_reversed", "F(reverse(a), reverse(b)) == F(a, b)", "{a} and {b} read backwards give the same").either_way(),
    Form::new("of_both_upper", "F(upper(a), upper(b)) == F(a, b)", "{a} and {b} in upper case give the same").either_way(),
    Form::law("after_the_same", "F(concat(c, a), concat(c, b)) == F(a, b)", "the same before both changes nothing").either_way(),
    Form::law("before_the_same", "F(concat(a, c), concat(b, c)) == F(a, b)", "the same behind both changes nothing").either_way(),
    Form::law("of_part", "F(a, concat(a, b)) == len(b)", "what is put behind counts by its length"),
    Form::law("true_of_ending", "F(concat(a, b), b)", "it is true of what {b} is put behind"),
    Form::law("true_of_beginning", "F(concat(b, a), b)", "it is true of what {b} is put before"),
    Form::law("at_most_longer", "F(a, b) <= max(len(a), len(b))", "the result is at most the greater length").either_way(),
    Form::law("at_least_difference", "abs(len(a) - len(b)) <= F(a, b)", "the result is at least the difference of the lengths").either_way(),
    // Numbers.
    Form::law("both_scaled", "for k in {2, 3, 10}: F(k * a, k * b) == k * F(a, b)", "{a} and {b} taken k times give k times the result").either_way(),
    Form::law("same_if_both_scaled", "for k in {2, 3, 10}: F(k * a, k * b) == F(a, b)", "{a} and {b} taken k times give the same").either_way(),
    Form::law("same_if_both_shifted", "for k in {1, 10}: F(a + k, b + k) == F(a, b)", "adding the same to {a} and {b} changes nothing").either_way(),
    Form::law("both_shifted", "for k in {1, 10}: F(a + k, b + k) == F(a, b) + k", "adding to {a} and {b} adds as much to the result").either_way(),
    Form::law("of_sum", "F(a + b, b) == F(a, b)", "adding {b} to {a} changes nothing"),
    Form::law("divides", "when F(a, b) != 0: a mod F(a, b) == 0", "the result divides {a}"),
    Form::law("is_multiple", "when a != 0: F(a, b) mod a == 0", "the result is a multiple of {a}"),
    Form::law("between_both", "min(a, b) <= F(a, b) and F(a, b) <= max(a, b)", "the result lies between {a} and {b}").either_way().from(&["one_of_both"]),
    Form::law("one_of_both", "F(a, b) == a or F(a, b) == b", "the result is {a} or {b}").either_way().from(&["smaller_of_both", "greater_of_both"]),
    Form::law("smaller_of_both", "F(a, b) == min(a, b)", "the result is the smaller one of {a} and {b}").complete().either_way(),
    Form::law("greater_of_both", "F(a, b) == max(a, b)", "the result is the greater one of {a} and {b}").complete().either_way(),
    Form::law("at_most_both", "F(a, b) <= min(a, b)", "the result is at most {a} and at most {b}").either_way().from(&["smaller_of_both"]),
    Form::law("at_least_both", "F(a, b) >= max(a, b)", "the result is at least {a} and at least {b}").either_way().from(&["greater_of_both"]),
    // A value that is changed in steps.
    Form::law("continues", "F(F(a, b), c) == F(a, concat(b, c))", "going on with the rest gives what all at once gives"),
    Form::law("goes_on", "F(F(a, b), c) == F(a, b + c)", "two steps are one step of their sum"),
    Form::new("any_order_of_steps", "F(F(a, b), c) == F(F(a, c), b)", "the order of two steps does not matter").from(&["goes_on", "associative"]),
    Form::law("steps_multiply", "F(F(a, b), c) == F(a, b * c)", "two steps are one step of their product"),
];

const OF_PROMISE: &[Form] = &[Form::law("always", "F()", "a value is read back from its own text")];

/// Two functions are the same.
pub(super) const AGREES: &str = "agrees_with";

const OF_COMPARED: &[Form] = &[
    Form::law(AGREES, "F(x) == G(x)", "{f} and {g} agree").either_way(),
    Form::new("implies", "F(x) implies G(x)", "where {f} is true, {g} is"),
    Form::new("never_more_than", "F(x) <= G(x)", "{f} is never more than {g}"),
    Form::new("excludes", "not (F(x) and G(x))", "{f} and {g} are never both true").either_way(),
];

/// That a function undoes another one.
pub(super) const UNDOES: &str = "undoes";

const OF_COMPOSED: &[Form] = &[
    Form::law(UNDOES, "G(F(x)) == x", "{g} undoes {f}"),
    Form::new("unchanged_by", "G(F(x)) == F(x)", "{g} changes nothing in what {f} gives"),
    Form::new("the_same_before", "G(F(x)) == G(x)", "{f} before {g} makes no difference"),
    Form::new("in_any_order_with", "F(G(x)) == G(F(x))", "the order of {f} and {g} does not matter")
        .either_way()
        .from(&[UNDOES]),
];

const OF_ANSWERED: &[Form] = &[Form::law("confirmed_by", "G(F(x))", "{g} is true of what {f} gives")];

const OF_THREE_FUNCTIONS: &[Form] = &[Form::new("made_by", "F(x) == H(G(x))", "{f} is {h} after {g}")];

const OF_OPERATIONS: &[Form] = &[
    Form::law("absorbs", "F(a, G(a, b)) == a", "{f} with what {g} gives of it leaves {a} as it is"),
    Form::law("distributes_over", "F(a, G(b, c)) == G(F(a, b), F(a, c))", "{f} distributes over {g}"),
    Form::law(
        "product_with",
        "F(a, b) * G(a, b) == a * b",
        "the product with {g} is the product of {a} and {b}",
    )
    .either_way(),
];

/// What a step of a whole number adds.
macro_rules! steps {
    ($($step:literal)+) => {
        &[$(($step, Form::law(concat!("step_", $step), concat!("F(x + ", $step, ") == F(x)"), ""))),+]
    };
}

/// Steps that are tried of each whole number: those of days, weeks, months, hours, letters, degrees, leap years, moon years and powers of two and ten. What each adds is read off
/// a few calls; of a result that repeats it is 0. A step follows from one that divides it.
pub(super) const STEPS: &[(i128, Form)] = steps!(
    1 2 3 4 5 6 7 8 9 10 12 14 15 16 19 20 24 25 26 28 30 32 36 48 50 52 60 64 72 90 97 100 120 128 180 256 300 360 365 400 500 512 600 1000 1024 1440 1461 3600 7200 10000 65536 86400 146097
);
