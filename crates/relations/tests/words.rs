//! Every word of the language on constants, and the laws of undefined values.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::{library, table, value};
use dodona_relations::{ExpressionError, evaluate_expression, parse_expression};
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn numbers() {
    table(&[
        ("1 + 2", "3"),
        ("1 + 0.5", "1.5"),
        ("2 - 5", "-3"),
        ("2.5 * 2", "5.0"),
        ("6 / 3", "2"),
        ("7 / 2", "3.5"),
        ("-7 / 2", "-3.5"),
        ("1.0 / 4", "0.25"),
        ("2 ^ 10", "1024"),
        ("2 ^ -1", "0.5"),
        ("2 ^ 0.5", "1.4142135623730951"),
        ("0 ^ 0", "1"),
        ("(-1) ^ 1_000_000_000_001", "-1"),
        ("1.5 ^ 2", "2.25"),
        ("7 div 2", "3"),
        ("-7 div 2", "-3"),
        ("7 div -2", "-3"),
        ("7 mod 3", "1"),
        ("-7 mod 3", "-1"),
        ("7 mod -3", "1"),
        ("(6 / 2) div 2", "1"),
        ("abs(-3)", "3"),
        ("abs(-0.5)", "0.5"),
        ("min(2, 3)", "2"),
        ("max(2, 3.5)", "3.5"),
        ("min(2, 3.5)", "2.0"),
        ("min(1.0, nan)", "nan"),
        ("max(nan, 1)", "nan"),
        ("min(0.0, -0.0)", "-0.0"),
        ("max(-0.0, 0.0)", "0.0"),
        ("floor(2.5)", "2"),
        ("floor(-2.5)", "-3"),
        ("ceil(2.5)", "3"),
        ("floor(7)", "7"),
        ("floor(1e300)", "1e300"),
        ("ceil(inf)", "inf"),
        ("floor(7 / 2)", "3"),
        ("sqrt(9)", "3.0"),
        ("sqrt(-1)", "nan"),
        ("exp(0)", "1.0"),
        ("ln(e)", "1.0"),
        ("ln(0)", "-inf"),
        ("sin(0.0)", "0.0"),
        ("cos(0)", "1.0"),
        ("pi", "3.141592653589793"),
        ("-inf", "-inf"),
        ("170141183460469231731687303715884105727 - 1", "170141183460469231731687303715884105726"),
        ("9223372036854775807 + 1", "9223372036854775808"),
    ]);
}

#[test]
fn what_is_undefined() {
    for text in [
        "1 / 0",
        "0.0 / 0",
        "1.5 / -0.0",
        "1 div 0",
        "1 mod 0",
        "170141183460469231731687303715884105727 + 1",
        "-170141183460469231731687303715884105728 - 1",
        "-(-170141183460469231731687303715884105728)",
        "abs(-170141183460469231731687303715884105728)",
        "-170141183460469231731687303715884105728 div -1",
        "-170141183460469231731687303715884105728 / -1",
        "2 ^ 127",
        "10 ^ 1_000_000_000_000",
        "sum([170141183460469231731687303715884105727, 1])",
        "[170141183460469231731687303715884105727] + 1",
        "[1, 2][2]",
        "[1, 2][-1]",
        "[1, 2][0.5]",
        "[1, 2][0..3]",
        "[1, 2][2..1]",
        "\"abc\"[3]",
        "\"abc\"[2..4]",
        "remove([1], 0.5)",
        "truncate([1], 1 / 0)",
        "count([1], 1 / 0)",
        "distinct([1 / 0])",
        "trim(text(1 / 0))",
        "[1 / 0, 2]",
        "gcd(7, 7) / 2 div 2",
        "1 / 0 == 1 / 0",
        "not (1 / 0 == 1)",
        "pow(2, -1)",
        "gcd(1 / 0, 2)",
        "1 / 0 == 1 xor true",
        "(1 / 0 == 1) iff true",
    ] {
        assert_eq!(value(text), "undefined", "{text}");
    }
    assert_eq!(value("-170141183460469231731687303715884105728 mod -1"), "0");
}

#[test]
fn comparisons() {
    table(&[
        ("1 == 1.0", "true"),
        ("9007199254740993 == 9007199254740992.0", "false"),
        ("9007199254740993 > 9007199254740992.0", "true"),
        ("9007199254740993 >= 9007199254740992.0", "true"),
        ("9007199254740993 ~= 9007199254740992.0", "true"),
        ("170141183460469231731687303715884105727 < 1.7014118346046923e38", "true"),
        ("-5 < -4.5", "true"),
        ("-4.5 < -4", "true"),
        ("0.1 + 0.2 == 0.3", "false"),
        ("0.1 + 0.2 ~= 0.3", "true"),
        ("1e-13 ~= 0", "false"),
        ("1e-13 ~= 1.0000000001e-13", "true"),
        ("1e-11 ~= 0", "false"),
        ("nan == nan", "true"),
        ("nan != nan", "false"),
        ("nan ~= nan", "true"),
        ("nan ~= 1", "false"),
        ("nan <= nan", "false"),
        ("nan < 1", "false"),
        ("1 > nan", "false"),
        ("inf ~= inf", "true"),
        ("inf ~= 1e308", "false"),
        ("inf ~= -inf", "false"),
        ("0.0 == -0.0", "true"),
        ("true == false", "false"),
        ("true != false", "true"),
        ("\"ab\" == \"ab\"", "true"),
        ("\"ab\" ~= \"ac\"", "false"),
        ("[1, 2] == [1.0, 2.0]", "true"),
        ("[1, 2] == [1, 2, 3]", "false"),
        ("[1.0, nan] == [1.0, nan]", "true"),
        ("[0.1 + 0.2] ~= [0.3]", "true"),
        ("[0.1 + 0.2] == [0.3]", "false"),
        ("[1.0] ~= [1.0, 1.0]", "false"),
        ("[] == [true][1..]", "true"),
        ("[1] != []", "true"),
        ("is_nan(nan)", "true"),
        ("is_nan(1)", "false"),
        ("1 / 2 == 0.5", "true"),
        ("4 / 2 < 3", "true"),
    ]);
}

/// Three-valued logic as Kleene has it: T, F and U on either side.
#[test]
fn connectives() {
    let truth = |t| match t {
        'T' => "true",
        'F' => "false",
        _ => "1 div 0 == 1",
    };
    // For each connective the results of TT TF TU, FT FF FU, UT UF UU.
    for (word, results) in [
        ("and", "TFUFFFUFU"),
        ("or", "TTTTFUTUU"),
        ("implies", "TFUTTTTUU"),
        ("xor", "FTUTFUUUU"),
        ("iff", "TFUFTUUUU"),
    ] {
        let sides = "TFU".chars().flat_map(|a| "TFU".chars().map(move |b| (a, b)));
        for ((a, b), expected) in sides.zip(results.chars()) {
            let expected = if expected == 'U' { "undefined" } else { truth(expected) };
            assert_eq!(value(&format!("({}) {word} ({})", truth(a), truth(b))), expected, "{a} {word} {b}");
        }
    }
    table(&[("not true", "false"), ("not false", "true"), ("not (1 div 0 == 1)", "undefined")]);
    table(&[("defined(1 div 0)", "false"), ("defined(1 div 1)", "true"), ("defined(nan)", "true")]);
    table(&[("defined(1 div 0) or 1 div 0 == 1", "undefined"), ("not defined([1][1])", "true")]);
}

#[test]
fn sequences() {
    table(&[
        ("len([])", "0"),
        ("len([1, 2])", "2"),
        ("sum([1, 2, 3])", "6"),
        ("sum([0.5, 2])", "2.5"),
        ("sum([])", "0"),
        ("sum([1e300, 1.0, -1e300])", "0.0"),
        ("reverse([1, 2, 3])", "[3, 2, 1]"),
        ("sorted([3, 1, 2])", "[1, 2, 3]"),
        ("sorted([nan, 2.0, -inf])", "[-inf, 2.0, nan]"),
        ("sorted([true, false])", "[false, true]"),
        ("remove([1, 2, 3], 1)", "[1, 3]"),
        ("remove([1, 2, 3], -1)", "[1, 2]"),
        ("remove([1, 2, 3], -3)", "[2, 3]"),
        ("remove([1, 2, 3], -4)", "[1, 2, 3]"),
        ("remove([1, 2, 3], 3)", "[1, 2, 3]"),
        ("remove([], 0)", "[]"),
        ("truncate([1, 2, 3], 2)", "[1, 2]"),
        ("truncate([1, 2, 3], 4 / 2)", "[1, 2]"),
        ("truncate([1, 2, 3], 9)", "[1, 2, 3]"),
        ("truncate([1, 2, 3], -1)", "[]"),
        ("concat([1], [2, 3])", "[1, 2, 3]"),
        ("concat([1], [2.5])", "[1.0, 2.5]"),
        ("concat([], [true])", "[true]"),
        ("[1, 2, 3][0]", "1"),
        ("[true, false][1]", "false"),
        ("[1, 2, 3][1..]", "[2, 3]"),
        ("[1, 2, 3][..1]", "[1]"),
        ("[1, 2, 3][1..2]", "[2]"),
        ("[1, 2, 3][3..]", "[]"),
        ("[1, 2, 3][..]", "[1, 2, 3]"),
        ("[1, 2.5]", "[1.0, 2.5]"),
        ("[1, 2] + 1", "[2, 3]"),
        ("1 + [1, 2]", "[2, 3]"),
        ("[1, 2] - 1", "[0, 1]"),
        ("[1, 2] * 0.5", "[0.5, 1.0]"),
        ("2 * [1.5, 2]", "[3.0, 4.0]"),
        ("-[1, -2]", "[-1, 2]"),
        ("[] + 0.5", "[]"),
        ("[1, 2] contains 2", "true"),
        ("[1, 2] contains 2.0", "true"),
        ("[1.5, nan] contains nan", "true"),
        ("[1, 2] contains 3", "false"),
        ("[true] contains false", "false"),
        ("[] contains true", "false"),
        ("[1, 2, 3] contains [2, 3]", "true"),
        ("[1, 2, 3] contains [3, 2]", "false"),
        ("[1, 2, 3] contains []", "true"),
        ("distinct([2, 1, 2])", "[2, 1]"),
        ("distinct([])", "[]"),
        ("count([1, 2.5, 1], 1)", "2"),
        ("count([], true)", "0"),
        ("count([], 0.5)", "0"),
        ("count(distinct([nan, nan]), nan)", "1"),
        ("count([1] + 1, 4 / 2)", "1"),
        ("[1] is_prefix_of [1, 2]", "true"),
        ("[2] is_prefix_of [1, 2]", "false"),
        ("[2] is_suffix_of [1, 2]", "true"),
        ("[1.0] is_suffix_of [2, 1]", "true"),
        ("[1, 2] is_prefix_of [1]", "false"),
        ("[2, 2] is_subset_of [1, 2.0]", "true"),
        ("[3] is_subset_of [1, 2]", "false"),
        ("[] is_subset_of []", "true"),
        ("[nan] is_subset_of [nan, 1]", "true"),
        ("[1, 1] is_disjoint_from [2, 2]", "true"),
        ("[1, 2] is_disjoint_from [2.0]", "false"),
        ("[] is_disjoint_from [1]", "true"),
        ("[2, 1, 1] is_permutation_of [1, 2, 1]", "true"),
        ("[2, 1] is_permutation_of [1, 2, 1]", "false"),
        ("\"aéa\" is_permutation_of \"éaa\"", "true"),
    ]);
}

#[test]
fn texts() {
    table(&[
        ("len(\"\")", "0"),
        ("len(\"héß\u{1f600}\")", "4"),
        ("len(\"\\xff\\xc3a\")", "3"),
        ("reverse(\"aé\u{1f600}\")", "\"\u{1f600}éa\""),
        ("reverse(\"a\\xff\")", "\"\\xffa\""),
        ("sorted(\"hello\")", "\"ehllo\""),
        ("sorted(\"bé\u{1f600}a\")", "\"abé\u{1f600}\""),
        ("remove(\"abc\", -1)", "\"ab\""),
        ("remove(\"aéc\", 1)", "\"ac\""),
        ("remove(\"abc\", 3)", "\"abc\""),
        ("truncate(\"éa\", 1)", "\"é\""),
        ("truncate(\"\\xff\\xffa\", 1)", "\"\\xff\""),
        ("concat(\"a\", \"b\")", "\"ab\""),
        ("\"aéc\"[1]", "\"é\""),
        ("\"aéc\"[1..]", "\"éc\""),
        ("\"aéc\"[..2]", "\"aé\""),
        ("\"abc\" contains \"bc\"", "true"),
        ("\"abc\" contains \"\"", "true"),
        ("\"abc\" contains \"cb\"", "false"),
        // A byte of another character, and no character itself, stands in no valid text.
        ("\"hé\" contains \"\\xc3\"", "false"),
        ("\"\\xc3(\" contains \"\\xc3\"", "true"),
        ("\"ab\" is_prefix_of \"abc\"", "true"),
        ("\"bc\" is_suffix_of \"abc\"", "true"),
        ("\"abcd\" is_suffix_of \"abc\"", "false"),
        ("upper(\"straße é\")", "\"STRASSE É\""),
        ("lower(\"ÀB\\xff\")", "\"àb\\xff\""),
        ("trim(\" a b\\n\")", "\"a b\""),
        ("trim(\"\\u{a0}\")", "\"\\u{a0}\""),
        ("distinct(\"\\xffé\\xffé\")", "\"\\xffé\""),
        ("count(\"ababa\", \"aba\")", "1"),
        ("count(\"aé\\xff\", \"\")", "4"),
        ("count(\"é\", \"\\xa9\")", "1"),
        ("text(12)", "\"12\""),
        ("text(0.5)", "\"0.5\""),
        ("text(6 / 3)", "\"2\""),
        ("text(nan)", "\"nan\""),
        ("text(true)", "\"true\""),
    ]);
}

#[test]
fn calls_in_expressions() {
    table(&[
        ("gcd(12, 18)", "6"),
        ("gcd(24 / 2, 18.0)", "6"),
        ("gcd(gcd(12, 18), 4) + 1", "3"),
        ("pow(2, -1) traps", "true"),
        ("pow(2, 1) traps", "false"),
        ("defined(pow(2, -1))", "false"),
        ("mean([]) traps", "true"),
        ("mean([1, 2])", "1.5"),
        ("sort([3, 1, 2])", "[1, 2, 3]"),
        ("tokens(\"a b\").stdout", "\"a\\nb\\n\""),
        ("tokens(\"a b\").exit", "0"),
        ("fill([1, 2], 7).xs", "[7, 7]"),
        ("defined(fill([1, 2], 7))", "true"),
        ("pow(2, 1 div 0) traps", "undefined"),
    ]);
}

/// Any words and operators on any constants, well typed or not.
fn anything() -> impl Strategy<Value = String> {
    let constants = [
        "0",
        "1",
        "-1",
        "2.5",
        "1e300",
        "nan",
        "inf",
        "-170141183460469231731687303715884105728",
        "true",
        "false",
        "\"aé\"",
        "\"\\xff\"",
        "\"\"",
        "[]",
        "[1, 2]",
        "[0.5]",
        "[true]",
        "1 div 0",
        "gcd(4, 6)",
        "mean([])",
        "mean([3])",
        "sort([2, 1])",
        "tokens(\"a\").stdout",
        "fill([1], 2).xs",
    ];
    let leaf = select(constants.to_vec()).prop_map(str::to_owned);
    leaf.prop_recursive(4, 12, 3, |inner| {
        let one = [
            "abs", "floor", "ceil", "sqrt", "len", "sum", "reverse", "sorted", "text", "upper", "lower", "is_nan",
            "trim", "distinct", "defined", "not ", "-", "sort", "mean",
        ];
        let two = ["min", "max", "remove", "truncate", "concat", "union", "sorted_by", "count", "gcd", "pow"];
        let between = [
            "+", "-", "*", "/", "div", "mod", "^", "==", "!=", "<", ">=", "~=", "and", "or", "xor", "iff", "implies",
            "contains", "is_prefix_of", "is_suffix_of", "is_subset_of", "is_disjoint_from", "is_permutation_of",
        ];
        prop_oneof![
            2 => (select(one.to_vec()), inner.clone()).prop_map(|(w, a)| format!("{w}({a})")),
            2 => (select(two.to_vec()), inner.clone(), inner.clone()).prop_map(|(w, a, b)| format!("{w}({a}, {b})")),
            4 => (select(between.to_vec()), inner.clone(), inner.clone())
                .prop_map(|(w, a, b)| format!("(({a}) {w} ({b}))")),
            1 => (inner.clone(), inner.clone()).prop_map(|(s, i)| format!("({s})[{i}]")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(s, i, j)| format!("({s})[{i}..{j}]")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {b}]")),
            1 => inner.prop_map(|a| format!("(pow(2, {a}) traps)")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_words_on_any_constants_panic(text in anything()) {
        let mut world = library();
        let functions = world.functions.clone();
        let expression = parse_expression(&text).unwrap();
        let result = evaluate_expression(&expression, &functions, &mut world);
        prop_assert!(!matches!(result, Err(ExpressionError::Call(_))));
    }
}
