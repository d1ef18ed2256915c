//! Functions whose conditions are known.

use dodona_relations::{ast::Expression, plan::Ty};
use dodona_target::{Column, Ragged};
use proptest::prelude::*;

use super::*;
use crate::discovery::{Leaf, Place, Variable, samples};

/// Pairs of the inputs `p` and `q`, the output `o` and the follow-up output `o'`, all correct; `o'` is 1 where the expectation of
/// [`found`] holds, else 0.
fn pairs(rows: impl Iterator<Item = (i64, i64, bool)>) -> Pairs {
    let rows: Vec<_> = rows.collect();
    let mut pairs = samples::pairs(["p", "q"], &[], |p, q| (p, q), &[], 0, |_, _, _| None);
    let column =
        |f: &dyn Fn(&(i64, i64, bool)) -> i64| Column::Int(rows.iter().map(|row| f(row).into()).collect());
    pairs.columns = vec![column(&|r| r.0), column(&|r| r.1), column(&|_| 5), column(&|r| r.2.into())];
    pairs.correct = rows.len();
    pairs
}

/// The condition that is found for `o' == 1`, as text.
fn found(pairs: &Pairs) -> Option<String> {
    let mut terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
    let (o, one) = (terms.leaf(Leaf::Variable(3)), terms.leaf(Leaf::Int(1)));
    let expect = terms.apply(Operator::Equal, &[o, one]).expect("numbers");
    let mut evaluator = Evaluator::new(pairs);
    let found = condition(&mut evaluator, &mut terms, pairs, expect)?;
    let score = evaluator.score_when(&terms, found, expect);
    assert_eq!(score.false_positives, 0);
    let names: Vec<_> = pairs.variables.iter().map(|v| v.expression.clone()).collect();
    Some(found.map_or("none".into(), |c| terms.write(c, &names).to_string()))
}

fn grid() -> impl Iterator<Item = (i64, i64)> {
    (-9..=9).flat_map(|p| (-9..=9).map(move |q| (p, q)))
}

fn found_for(holds: impl Fn(i64, i64) -> bool) -> Option<String> {
    found(&pairs(grid().map(|(p, q)| (p, q, holds(p, q)))))
}

#[test]
fn the_weakest_condition_is_found() {
    assert_eq!(found_for(|_, _| true).as_deref(), Some("none"));
    assert_eq!(found_for(|p, _| p != 0).as_deref(), Some("p != 0"));
    assert_eq!(found_for(|_, q| q > 0).as_deref(), Some("0 < q"));
    assert_eq!(found_for(|_, q| q >= -1).as_deref(), Some("-1 <= q"));
    assert_eq!(found_for(|_, q| q < 7).as_deref(), Some("q < 7"));
    assert_eq!(found_for(|p, q| p < q).as_deref(), Some("p < q"));
    assert_eq!(found_for(|p, q| p != q).as_deref(), Some("p != q"));
    assert_eq!(found_for(|p, _| p % 2 == 0).as_deref(), Some("0 == p mod 2"));
    assert_eq!(found_for(|p, q| p != 0 && q > 0).as_deref(), Some("p != 0 and 0 < q"));
}

#[test]
fn a_condition_keeps_part_of_the_rows() {
    // No condition of three comparisons selects these rows.
    assert_eq!(found_for(|p, q| (p * 7 + q * 5) % 13 == 0), None);
    assert_eq!(found_for(|_, _| false), None);
    // The expectation holds on one row of 361, fewer than 5%.
    assert_eq!(found_for(|p, q| p == 3 && q == 3), None);
}

#[test]
fn refused_executions_are_excluded_whatever_is_expected() {
    let mut all = pairs(grid().filter(|(_, q)| *q > 0).map(|(p, q)| (p, q, true)));
    let refused: Vec<_> = grid().filter(|(_, q)| *q <= 0).collect();
    let column =
        |f: &dyn Fn(&(i64, i64)) -> i64| Column::Int(refused.iter().map(|row| f(row).into()).collect());
    all.refused = vec![column(&|r| r.0), column(&|r| r.1), column(&|_| 5)];
    assert_eq!(found(&all).as_deref(), Some("0 < q"));
    // Also where the expectation fails on some correct rows.
    let Column::Int(p) = &all.columns[0] else { unreachable!("of integers") };
    all.columns[3] = Column::Int(p.iter().map(|p| i128::from(*p != 0)).collect());
    assert_eq!(found(&all).as_deref(), Some("p != 0 and 0 < q"));
}

#[test]
fn incorrect_rows_that_are_revealed_are_kept() {
    // Both `p != 0` and `q != 0` exclude the only failing row, but all incorrect rows have a `p` of 0.
    let mut all = pairs(grid().map(|(p, q)| (p, q, (p, q) != (0, 0))));
    for (column, value) in all.columns.iter_mut().zip([0, 4, 5, 9]) {
        let Column::Int(column) = column else { unreachable!("of integers") };
        column.extend([value; 50]);
    }
    all.mutants = vec![0; 50];
    assert_eq!(found(&all).as_deref(), Some("q != 0"));
}

#[test]
fn lengths_and_round_bounds_are_compared() {
    let mut all = pairs((0..60).map(|i| (i, 0, i % 6 != 0)));
    let mut texts = Ragged::new();
    (0..60).for_each(|i| texts.push(&b"abcdef"[..i % 6]));
    all.columns[1] = Column::Text(texts);
    all.variables[1] =
        Variable { place: Place::SourceInput(1), ty: Ty::Text, expression: Expression::name("s") };
    assert_eq!(found(&all).as_deref(), Some("len(s) != 0"));
    let mut all = pairs((0..60).map(|i| (i, 0, i >= 23)));
    all.columns[1] = Column::Float((0..60).map(|i| f64::from(i) * 0.37 - 7.213).collect());
    all.variables[1].ty = Ty::Float;
    let Column::Int(p) = &mut all.columns[0] else { unreachable!("of integers") };
    p.fill(0);
    // The bound lies between 0.927 and 1.297.
    assert_eq!(found(&all).as_deref(), Some("1 < q"));
}

#[test]
fn rare_rows_are_excluded_too() {
    // There are more rows than the sample holds: the sample has to include the only row on which the expectation fails.
    let rows = (0..20_000).map(|i| (i % 100 - 50, i, i != 16_384));
    assert_eq!(found(&pairs(rows)).as_deref(), Some("q != 16384"));
    // Failing rows everywhere, and a single failing row of another kind.
    let p = |i: i64| if i == 13_577 { 7 } else { i % 5 };
    let rows = (0..20_000).map(|i| (p(i), i, i != 13_577 && i % 5 != 0));
    assert_eq!(found(&pairs(rows)).as_deref(), Some("p != 0 and p != 7"));
}

#[test]
fn a_value_that_is_there_by_chance_is_not_excluded_alone() {
    let rows = (0..20_000).map(|i| (i % 100 - 50, i, i != 13_577));
    let condition = found(&pairs(rows)).expect("a bound");
    assert!(!condition.contains("!="), "{condition}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Every condition that is found excludes all rows on which the expectation fails, and keeps one row in twenty.
    #[test]
    fn conditions_are_sound(
        rows in prop::collection::vec((-5i64..5, -5i64..5, prop::bool::weighted(0.8)), 1..90),
    ) {
        let pairs = pairs(rows.into_iter());
        let mut terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
        let (o, one) = (terms.leaf(Leaf::Variable(3)), terms.leaf(Leaf::Int(1)));
        let expect = terms.apply(Operator::Equal, &[o, one]).expect("numbers");
        let mut evaluator = Evaluator::new(&pairs);
        if let Some(Some(found)) = condition(&mut evaluator, &mut terms, &pairs, expect) {
            prop_assert_eq!(evaluator.score_when(&terms, Some(found), expect).false_positives, 0);
            prop_assert!(evaluator.holds(&terms, found).count() as usize * 20 >= pairs.correct);
            prop_assert_eq!(terms.variables(found) & 0b1000, 0, "it speaks of the source alone");
        }
    }
}
