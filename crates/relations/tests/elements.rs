//! Words for the elements of two sequences: of both together, and of one in the order of the other.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::{World, library, table, value};
use dodona_relations::parse_expression;

#[test]
fn union_has_each_element_of_both_once() {
    table(&[
        ("union([], [])", "[]"),
        ("union([2, 1, 2], [])", "[2, 1]"),
        ("union([], [2, 1, 2])", "[2, 1]"),
        ("union([3, 1], [2, 3, 4, 2])", "[3, 1, 2, 4]"),
        ("union([true, true], [false])", "[true, false]"),
        ("union([], [true])", "[true]"),
        ("union([1, 2], [2.0, 0.5])", "[1.0, 2.0, 0.5]"),
        ("union([nan, -0.0], [0.0, nan])", "[nan, -0.0]"),
        // An integer beside floats becomes one before it is compared, as in `concat`.
        ("union([9007199254740993], [9007199254740992.0])", "[9007199254740992.0]"),
        ("union(\"abca\", \"cdé\")", "\"abcdé\""),
        ("union(\"\", \"\")", "\"\""),
        ("union([1], [1 / 0])", "undefined"),
        ("len(union([1], union([2], [1])))", "2"),
    ]);
}

#[test]
fn union_is_the_distinct_elements_of_both_in_a_row() {
    let sequences = ["[]", "[1, 2, 1]", "[2.0, 3]", "[nan, 0.0]", "[-0.0, nan, 1]"];
    let texts = ["\"\"", "\"aba\"", "\"é\\xc3\"", "\"\\xa9b\""];
    for group in [&sequences[..], &texts] {
        for (s, t) in group.iter().flat_map(|s| group.iter().map(move |t| (s, t))) {
            assert_eq!(value(&format!("union({s}, {t})")), value(&format!("distinct(concat({s}, {t}))")));
        }
    }
}

#[test]
fn union_is_written_as_it_was_read() {
    let text = "union(s, union(t, [1]))";
    assert_eq!(parse_expression(text).unwrap().to_string(), text);
}

#[test]
fn sorted_by_has_the_order_of_the_keys() {
    table(&[
        ("sorted_by([], [])", "[]"),
        ("sorted_by([10, 20, 30], [3, 1, 2])", "[20, 30, 10]"),
        ("sorted_by([0.5, nan], [2, 1])", "[nan, 0.5]"),
        ("sorted_by([true, false], [2, 1])", "[false, true]"),
        ("sorted_by([1, 2, 3], [0.5, -inf, 0.25])", "[2, 3, 1]"),
        ("sorted_by([1, 2, 3], [true, false, true])", "[2, 1, 3]"),
        ("sorted_by([1, 2, 3], \"béa\")", "[3, 1, 2]"),
        ("sorted_by(\"aé\u{1f600}\", [2, 3, 1])", "\"\u{1f600}aé\""),
        ("sorted_by(\"\\xffa\", [2, 1])", "\"a\\xff\""),
        (
            "sorted_by([1, 2], [170141183460469231731687303715884105727, -170141183460469231731687303715884105728])",
            "[2, 1]",
        ),
        ("sorted_by([1, 2], [9007199254740993, 9007199254740992])", "[2, 1]"),
    ]);
}

#[test]
fn sorted_by_keeps_the_order_of_equal_keys() {
    table(&[
        ("sorted_by([5, 4, 3, 2, 1], [1, 0, 1, 0, 1])", "[4, 2, 5, 3, 1]"),
        ("sorted_by([1, 2, 3], [0.0, -0.0, 0.0])", "[1, 2, 3]"),
        // NaN comes last, as in `sorted`, and one is not before another.
        ("sorted_by([1, 2, 3, 4], [nan, inf, nan, 0.0])", "[4, 2, 1, 3]"),
        ("sorted_by(\"ba\", \"xx\")", "\"ba\""),
    ]);
}

#[test]
fn sorted_by_its_own_elements_is_sorted() {
    for s in ["[]", "[3, 1, 2, 1]", "[nan, 0.0, -0.0, -inf]", "[true, false]", "\"béa\\xff\""] {
        assert_eq!(value(&format!("sorted_by({s}, {s})")), value(&format!("sorted({s})")), "{s}");
    }
}

#[test]
fn sorted_by_needs_a_key_for_each_element() {
    table(&[
        ("sorted_by([1, 2], [1])", "undefined"),
        ("sorted_by([1], [1, 2])", "undefined"),
        ("sorted_by([], [1])", "undefined"),
        ("sorted_by([1], [])", "undefined"),
        ("sorted_by(\"é\", [1, 2])", "undefined"),
        ("sorted_by([1 / 0], [1])", "undefined"),
        ("sorted_by([1], [1 / 0])", "undefined"),
        ("defined(sorted_by([1, 2], [1]))", "false"),
    ]);
}

#[test]
fn sorted_by_knows_rows_with_and_without_a_value() {
    let mut world = library();
    let relation = "relation r: mean(xs) > 0 and sorted_by(xs, [2, 1]) == reverse(xs)";
    let rows: [&[i128]; 3] = [&[1, 2], &[1], &[3, 4]];
    let rows: Vec<_> = rows.iter().map(|row| vec![common::ints(row)]).collect();
    let verdicts = world.verdicts(relation, &rows);
    let holds: Vec<bool> = verdicts.iter().map(|verdict| verdict.holds()).collect();
    assert_eq!(holds, [true, false, true], "{verdicts:?}");
}

#[test]
fn operands_that_do_not_go_together() {
    let mut world = library();
    let mut problem = |expression: &str| problem(&mut world, expression);
    for (expression, message) in [
        ("union([1])", "`union` takes 2 arguments, found 1"),
        ("union(1, [1])", "`union` does not go with `integer` and `[integer]`"),
        ("union([1], 1)", "`union` does not go with `[integer]` and `integer`"),
        ("union([1], [true])", "`union` does not go with `[integer]` and `[bool]`"),
        ("union([1], \"a\")", "`union` does not go with `[integer]` and `text`"),
        ("sorted_by([1])", "`sorted_by` takes 2 arguments, found 1"),
        ("sorted_by(1, [1])", "`sorted_by` takes a sequence or text, found `integer`"),
        ("sorted_by([1], 1)", "`sorted_by` takes a sequence or text, found `integer`"),
        ("sort_by([1], [1])", "unknown function `sort_by`"),
    ] {
        assert_eq!(problem(expression).0, message, "{expression}");
    }
    let hint = problem("union([1], 1)").1;
    assert_eq!(hint, "both are texts, or sequences of the same kind; `[x]` is a sequence of one");
    assert!(problem("sort_by([1], [1])").1.contains("`sorted_by(s, keys)`"));
    assert!(problem("set_union([1], [1])").1.contains("`union(s, t)`"));
}

/// The message and the hint of the first problem.
fn problem(world: &mut World, expression: &str) -> (String, String) {
    let problem = world.problems(&format!("relation r: sin(x) == 1 and defined({expression})")).remove(0);
    (problem.message, problem.hint.unwrap_or_default())
}
