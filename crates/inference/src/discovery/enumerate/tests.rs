//! Relations of sample functions with known mutants.

use dodona_relations::plan::{Element, Ty};
use dodona_target::{Column, Ragged, SequenceColumn, Value};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::discovery::samples;

/// The relations found, as text `condition: expectation`, with the share of incorrect rows that each reveals.
fn found(pairs: &Pairs, options: &EnumerateOptions) -> Vec<(String, f64)> {
    let mut terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
    let mut evaluator = Evaluator::new(pairs);
    let enumeration = enumerate(&mut terms, &mut evaluator, pairs, options, &|| true);
    assert!(!enumeration.was_stopped);
    let names: Vec<_> = pairs.variables.iter().map(|v| v.expression.clone()).collect();
    for found in &enumeration.found {
        assert_eq!(evaluator.score_when(&terms, found.condition, found.expect), found.score);
        assert_eq!(found.score.false_positives, 0);
        assert!(is_metamorphic(&terms, found.expect, pairs));
    }
    let write = |term| terms.write(term, &names).to_string();
    let rate = |f: &EnumeratedRelation| 1.0 - f.score.false_negative_rate(evaluator.incorrect());
    let text =
        |f: &EnumeratedRelation| f.condition.map_or(String::new(), |c| write(c) + ": ") + &write(f.expect);
    enumeration.found.iter().map(|f| (text(f), rate(f))).collect()
}

fn is_found(found: &[(String, f64)], relation: &str, least: f64) {
    assert!(found.iter().any(|(text, rate)| text == relation && *rate >= least), "{relation}: {found:#?}");
}

#[test]
fn the_relation_of_pow_is_found_with_its_condition() {
    let found = found(&samples::pow(3000), &EnumerateOptions::default());
    // For e = 0 the follow-up call does not return; for k = 0 the expectation divides by zero.
    is_found(&found, "k != 0 and e != 0: k == o / o'", 0.5);
    is_found(&found, "e != 0: o == k * o'", 0.4);
}

#[test]
fn the_symmetry_of_gcd_is_found() {
    is_found(&found(&samples::gcd(1000), &EnumerateOptions::default()), "o == o'", 0.3);
}

#[test]
fn where_the_output_is_handed_on_the_follow_up_output_says_enough() {
    use dodona_relations::ast::{Expression, Node, UnaryOperator};
    let negated = |e: Expression| Expression::new(Node::Unary(UnaryOperator::Negate, Box::new(e)));
    let variable = |place, expression| crate::discovery::Variable { place, ty: Ty::Int, expression };
    let mut pairs = pairs(Ty::Int, [0, 1, 2].map(|i| Column::Int(vec![i, i + 1])), 2);
    let once = negated(Expression::name("x"));
    pairs.variables = vec![
        variable(Place::SourceInput(0), Expression::name("x")),
        variable(Place::SourceOutput(0), once.clone()),
        variable(Place::FollowUpOutput(0), negated(once)),
    ];
    assert_eq!(outputs(&pairs), [0b100]);
    pairs.variables[2].expression = negated(Expression::name("y"));
    assert_eq!(outputs(&pairs), [0b110]);
}

/// Pairs of one input and one output of these types and values; the incorrect rows follow the correct rows.
fn pairs(ty: Ty, columns: [Column; 3], correct: usize) -> Pairs {
    let mut pairs = samples::pairs(["x", "y"], &[], |x, y| (x, y), &[], 0, |_, _, _| None);
    pairs.variables.remove(1);
    pairs.variables.iter_mut().for_each(|v| v.ty = ty);
    (pairs.correct, pairs.mutants, pairs.mutant_count) = (correct, vec![0; columns[0].len() - correct], 1);
    (pairs.columns, pairs.refused) = (columns.to_vec(), vec![]);
    pairs
}

#[test]
fn float_relations_are_approximate() {
    let xs: Vec<f64> = (0..300).map(|i| f64::from(i) * 0.37 - 50.0).collect();
    let right = |x: f64| [x.sin(), (-x).sin() * (1.0 + 1e-13)];
    let wrong = |x: f64| [x.sin(), (-x).sin() + 0.25];
    let rows: Vec<[f64; 2]> = xs.iter().map(|x| right(*x)).chain(xs.iter().map(|x| wrong(*x))).collect();
    let column = |i: usize| Column::Float(rows.iter().map(|row| row[i]).collect());
    let inputs = Column::Float(xs.iter().chain(&xs).copied().collect());
    let found = found(&pairs(Ty::Float, [inputs, column(0), column(1)], 300), &EnumerateOptions::default());
    assert!(found[0].1 == 1.0, "{found:#?}");
    is_found(&found, "o' ~= -o", 1.0);
}

#[test]
fn equalities_of_a_few_rows_are_found() {
    for rows in [1, 2, 5, 12] {
        let call = |x: i64, y: i64, mutant: u32| Some(x * 3 + y + i64::from(mutant));
        let inputs: Vec<(i64, i64)> = (0..rows).map(|i| (i, 2 * i + 7)).collect();
        let pairs = samples::pairs(["x", "y"], &[], |x, y| (x + 1, y), &inputs, 1, call);
        let found = found(&pairs, &EnumerateOptions::default());
        assert!(found.iter().any(|(text, _)| text.contains("==")), "{rows} rows: {found:#?}");
    }
}

#[test]
fn not_a_number_is_the_same_as_not_a_number() {
    let xs: Vec<f64> = (0..300).map(|i| f64::from(i) - 250.5).collect();
    let row = |x: &f64, wrong: f64| [x.ln(), 2.0 * x.ln() + wrong];
    let rows: Vec<[f64; 2]> = [0.0, 0.3].iter().flat_map(|wrong| xs.iter().map(|x| row(x, *wrong))).collect();
    let column = |i: usize| Column::Float(rows.iter().map(|row| row[i]).collect());
    let inputs = Column::Float(xs.iter().chain(&xs).copied().collect());
    let pairs = pairs(Ty::Float, [inputs, column(0), column(1)], 300);
    // Five of six logarithms are NaN.
    let found = found(&pairs, &EnumerateOptions::default());
    assert!(found.iter().any(|(text, rate)| text.starts_with("o' ~=") && *rate > 0.1), "{found:#?}");
}

#[test]
fn what_differs_by_rounding_is_bounded() {
    let xs: Vec<f64> = (1..300).map(f64::from).collect();
    let rows: Vec<[f64; 2]> = xs.iter().map(|x| [x / 7.0, x / 7.0 + 3e-8]).collect();
    let wrong: Vec<[f64; 2]> = xs.iter().map(|x| [x / 7.0, x / 7.0 + 1e-4]).collect();
    let all: Vec<_> = rows.iter().chain(&wrong).collect();
    let column = |i: usize| Column::Float(all.iter().map(|row| row[i]).collect());
    let inputs = Column::Float(xs.iter().chain(&xs).map(|x| x * x).collect());
    let mut pairs = pairs(Ty::Float, [inputs, column(0), column(1)], 299);
    // Two thirds of the correct rows have no rounding error, so that `o' ~= o` becomes a candidate.
    let Column::Float(o) = &mut pairs.columns[2] else { unreachable!("of floats") };
    (0..200).for_each(|i| o[i] -= 3e-8);
    let found = found(&pairs, &EnumerateOptions::default());
    is_found(&found, "abs(o - o') <= 1e-6", 1.0);
}

#[test]
fn texts_are_compared_by_value() {
    let words = ["abc", "", "ba", "xyzzy", "aa", "abca", "q", "hello", "zz"];
    let reversed = |w: &str| w.chars().rev().collect::<String>();
    let mut columns = [(); 3].map(|()| Ragged::new());
    for (i, w) in words.iter().chain(&words).enumerate() {
        let out = if i < words.len() { reversed(w) } else { reversed(w) + "!" };
        for (column, text) in columns.iter_mut().zip([w.to_string(), w.to_uppercase(), out.to_uppercase()]) {
            column.push(text.as_bytes());
        }
    }
    let pairs = pairs(Ty::Text, columns.map(Column::Text), words.len());
    let found = found(&pairs, &EnumerateOptions::default());
    assert!(found.iter().any(|(text, rate)| text.contains("reverse") && *rate == 1.0), "{found:#?}");
}

#[test]
fn sequences_are_compared_by_value() {
    let lists: Vec<Vec<i128>> =
        (0..40i128).map(|i| (0..i % 5).map(|j| (i * 7 + j * 3) % 11).collect()).collect();
    let mut columns = [(); 3].map(|()| Ragged::new());
    for (row, list) in lists.iter().chain(&lists).enumerate() {
        let mut sorted = list.clone();
        sorted.sort_unstable();
        let doubled: Vec<i128> = sorted.iter().map(|x| x * 2 + i128::from(row >= lists.len())).collect();
        for (column, list) in columns.iter_mut().zip([list, &sorted, &doubled]) {
            column.push(list);
        }
    }
    let ints = |column| Column::Sequence(SequenceColumn::Int(column));
    let pairs = pairs(Ty::Sequence(Element::Int), columns.map(ints), lists.len());
    let found = found(&pairs, &EnumerateOptions::default());
    // The incorrect rows with an empty list cannot be revealed, because the mutant changes only elements.
    is_found(&found, "o' == o * 2", 0.79);
}

#[test]
fn formulas_relate_boolean_outputs() {
    let mut pairs = samples::pairs(
        ["x", "y"],
        &[],
        |x, y| (x, y),
        &samples::inputs(400, -9..9),
        1,
        |x, y, mutant| Some(x + y + i64::from(mutant)),
    );
    let rows: Vec<(i128, i128)> = (0..pairs.rows())
        .map(|row| match (pairs.columns[0].value(row), pairs.columns[1].value(row)) {
            (Value::Int(x), Value::Int(y)) => (x, y),
            other => unreachable!("of integers: {other:?}"),
        })
        .collect();
    let correct = pairs.correct;
    pairs.columns[2] = Column::Bool(rows.iter().map(|(x, y)| (x + y) % 3 == 0).collect());
    let follow_up = |(row, (x, y)): (usize, &(i128, i128))| ((x + y) % 3 == 0 && x < y) != (row >= correct);
    pairs.columns[3] = Column::Bool(rows.iter().enumerate().map(follow_up).collect());
    pairs.variables[2].ty = Ty::Bool;
    pairs.variables[3].ty = Ty::Bool;
    is_found(&found(&pairs, &EnumerateOptions::default()), "o' iff o and x < y", 1.0);
}

#[test]
fn inequalities_are_found() {
    let call = |x: i64, y: i64, mutant: u32| Some(x * x + (y * 31 % 17).abs() - 500 * i64::from(mutant));
    let shifted = |x: i64, y: i64| (x + if x < 0 { -1 } else { 1 } * (40 + y.abs()), y);
    let inputs = samples::inputs(300, -30..30);
    let mut pairs = samples::pairs(["x", "y"], &[], shifted, &inputs, 1, call);
    let Column::Int(o) = &mut pairs.columns[2] else { unreachable!("of integers") };
    (0..pairs.correct).for_each(|row| o[row] -= row as i128 % 3);
    (pairs.correct..o.len()).for_each(|row| o[row] += 100_000);
    is_found(&found(&pairs, &EnumerateOptions::default()), "o <= o'", 1.0);
}

#[test]
fn nothing_is_found_where_there_is_nothing() {
    let none = samples::gcd(0);
    assert_eq!(found(&none, &EnumerateOptions::default()), []);
    // Without mutants a relation can reveal nothing, but it is returned all the same.
    let mut right = samples::gcd(300);
    right.columns.iter_mut().for_each(|c| *c = c.select(&(0..right.correct as u32).collect::<Vec<_>>()));
    right.mutants.clear();
    is_found(&found(&right, &EnumerateOptions::default()), "o == o'", 0.0);
}

#[test]
fn a_stopped_search_gives_what_it_has() {
    let pairs = samples::gcd(300);
    let mut terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
    let mut evaluator = Evaluator::new(&pairs);
    let stopped = enumerate(&mut terms, &mut evaluator, &pairs, &EnumerateOptions::default(), &|| false);
    assert!(stopped.was_stopped && stopped.found.is_empty());
    assert!(stopped.complete_to < 7);
}

#[test]
fn bounds_are_met_and_said() {
    let pairs = samples::gcd(300);
    let mut terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
    let options = EnumerateOptions { candidates: 10_000, ..EnumerateOptions::default() };
    let mut evaluator = Evaluator::new(&pairs);
    let bounded = enumerate(&mut terms, &mut evaluator, &pairs, &options, &|| true);
    assert!((3..7).contains(&bounded.complete_to), "{}", bounded.complete_to);
}

/// An integer term: a leaf (`a`, `b`, `o` or a constant), or operators on smaller terms.
fn planted() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0u8..7, 0u8..6), 1..=4)
}

/// The value of a planted term: each step applies an operator to the value so far and a leaf. A term of `n` steps has `2n - 1` nodes.
fn value(steps: &[(u8, u8)], a: i64, b: i64, o: i64) -> Option<i64> {
    let leaf = |n: u8| [a, b, o, 2, -1, 1][usize::from(n)];
    let (_, first) = steps[0];
    steps[1..].iter().try_fold(leaf(first), |x, &(operator, n)| {
        let y = leaf(n);
        match operator {
            0 => Some(x + y),
            1 => Some(x - y),
            2 => Some(x * y),
            3 => x.checked_div(y),
            4 => x.checked_rem(y),
            5 => Some(x.min(y)),
            _ => Some(x.max(y)),
        }
    })
}

proptest! {
    // The same terms each time. Terms are told apart on a sample of the rows, so that a few others lose their place to a smaller one:
    // `(b + o) mod 2` is `(2 + b + o) mod 2` except where `b + o` is -1.
    #![proptest_config(ProptestConfig { cases: 24, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// If the follow-up output equals any term of up to seven nodes, that equality is found.
    #[test]
    fn every_small_term_is_found(steps in planted()) {
        let inputs = samples::inputs(500, -20..20);
        let source = |a: i64, b: i64| a * 3 + b * b % 7;
        prop_assume!(inputs.iter().all(|&(a, b)| value(&steps, a, b, source(a, b)).is_some()));
        let mut pairs = samples::pairs(["a", "b"], &[], |a, b| (a, b), &inputs, 1, |a, b, mutant| {
            Some(source(a, b) + i64::from(mutant))
        });
        let outputs = inputs.iter().map(|&(a, b)| i128::from(value(&steps, a, b, source(a, b)).expect("it is defined")));
        let wrong: Vec<i128> = outputs.clone().enumerate().map(|(i, o)| o + 1 + (i * i % 9) as i128).collect();
        pairs.columns[3] = Column::Int(outputs.chain(wrong).collect());
        let Column::Int(o) = &pairs.columns[2] else { unreachable!("of integers") };
        let o: Vec<i128> = o[..inputs.len()].iter().chain(&o[..inputs.len()]).copied().collect();
        pairs.columns[2] = Column::Int(o);
        let mut with_output = false;
        for &(a, b) in &inputs {
            let o = source(a, b);
            with_output |= value(&steps, a, b, o) != value(&steps, a, b, o + 1);
        }
        prop_assume!(with_output);
        let found = found(&pairs, &EnumerateOptions::default());
        prop_assert!(found.first().is_some_and(|(_, rate)| *rate == 1.0), "{:?}: {:?}", steps, found);
    }
}
