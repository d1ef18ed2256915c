//! What `~=` permits: a relative difference, an absolute one where the relation gives it, and what the rounding of numbers on the way to
//! its sides explains.
#![allow(clippy::unwrap_used, reason = "a test that goes wrong here has failed")]

mod common;

use common::{World, as_float, float, floats, function};
use dodona_relations::{Allowance, Program, Verdict, Violation};
use dodona_target::{Sequence, Value};

const FALSE: Verdict = Verdict::Violated(Violation::False);
const ROUNDED: Verdict = Verdict::Allowed(Allowance::Rounding);
const ABSOLUTE: Verdict = Verdict::Allowed(Allowance::Absolute);

fn world() -> World {
    World::new(vec![
        (function("sin(x: f64) -> f64"), |v| Ok(vec![float(as_float(&v[0]).sin())])),
        (function("cos(x: f64) -> f64"), |v| Ok(vec![float(as_float(&v[0]).cos())])),
        // A charge in coulombs, in which more than five elementary charges are forgotten.
        (function("charge(n: f64) -> f64"), |v| {
            let n = as_float(&v[0]);
            Ok(vec![float(if n > 5.0 { 0.0 } else { n * 1.602176634e-19 })])
        }),
        (function("mean(xs: [f64]) -> f64"), |v| {
            let Value::Sequence(Sequence::Float(xs)) = &v[0] else { panic!("a sequence") };
            Ok(vec![float(xs.iter().sum::<f64>() / xs.len() as f64)])
        }),
        (function("scaled(xs: [f64]) -> [f64]"), |v| {
            let Value::Sequence(Sequence::Float(xs)) = &v[0] else { panic!("a sequence") };
            Ok(vec![floats(&xs.iter().map(|x| x * 3.0).collect::<Vec<_>>())])
        }),
        (function("add(a: f64, b: f64, c: f64) -> f64"), |v| {
            let [a, b, c] = [0, 1, 2].map(|i| as_float(&v[i]));
            Ok(vec![float(a + b + c)])
        }),
        // The discount is meant for prices above 1000, and the last one for prices above 99.99.
        (function("price(x: f64) -> f64"), |v| {
            let x = as_float(&v[0]);
            Ok(vec![float(if x >= 1000.0 { x * 0.5 } else { x })])
        }),
        (function("odd(x: f64) -> f64"), |v| {
            let x = as_float(&v[0]);
            Ok(vec![float(if x == -1.1 || x == -1.0 { 7.0 } else { x })])
        }),
        (function("cheap(x: f64) -> f64"), |v| {
            let x = as_float(&v[0]);
            Ok(vec![float(if x >= 99.99 { x * 0.5 } else { x })])
        }),
        // The fee rises at a weight of 0.3.
        (function("fee(w: f64) -> f64"), |v| Ok(vec![float(if as_float(&v[0]) > 0.3 { 7.0 } else { 5.0 })])),
    ])
}

#[test]
fn small_numbers_are_compared_like_large_ones() {
    let mut world = world();
    let row = [float(3.0)];
    for relation in [
        "relation r: charge(2*n) ~= 2 * charge(n)",
        "relation r: charge(n) ~= -7 * charge(n + 1) within 1e-15",
        "relation r: charge(n) ~= 0",
    ] {
        assert_eq!(world.verdict(relation, &row), FALSE, "{relation}");
    }
    assert_eq!(world.verdict("relation r: charge(n) ~= n * 1.602176634e-19", &row), Verdict::Holds);
    assert_eq!(world.verdict("relation r: charge(2*n) ~= 2 * charge(n)", &[float(2.0)]), Verdict::Holds);
}

#[test]
fn rounding_is_allowed_where_arguments_or_terms_cancel() {
    let mut world = world();
    let pythagoras = |x: &f64| x.sin() * x.sin() + x.cos() * x.cos() != 1.0;
    let unequal = (1..100).map(f64::from).find(pythagoras).unwrap();
    for (relation, row) in [
        ("relation r: sin(x + 2*pi) ~= sin(x)", float(std::f64::consts::PI)),
        ("relation r: sin(x + 2*pi) ~= sin(x)", float(0.0)),
        ("relation r: sin(x + 2*pi) ~= sin(x)", float(1e-10 - std::f64::consts::TAU)),
        ("relation r: sin(x + 2*pi) ~= sin(x) within 1e-15", float(1e6)),
        ("relation r: sin(x)^2 + cos(x)^2 - 1 ~= 0", float(unequal)),
        ("relation r: sin(x) - sin(x + 2*pi) ~= 0", float(2.0)),
    ] {
        assert_eq!(world.verdict(relation, &[row]), ROUNDED, "{relation}");
    }
    // The same sum in another order.
    let cancel = floats(&[0.1, 0.2, -0.3]);
    assert_eq!(world.verdict("relation r: mean(reverse(xs)) ~= mean(xs)", &[cancel]), ROUNDED);
}

#[test]
fn rounding_explains_no_fault() {
    let mut world = world();
    let third = [float(1.0 / 3.0)];
    for relation in [
        "relation r: sin(x + 3) ~= sin(x)",
        "relation r: sin(x)^2 + cos(x)^2 ~= 1.00000001",
        "relation r: sin(x)^2 + cos(x)^2 - 1 ~= 1e-13",
        "relation r(x: fee.w): fee(x + 0.1) ~= fee(x)- 2",
    ] {
        assert_eq!(world.verdict(relation, &third), FALSE, "{relation}");
    }
    // Just at the step the sum decides which fee it is, and nobody knows the sum to the last digit: 0.1 + 0.2 is above 0.3.
    assert_eq!(world.verdict("relation r(x: fee.w): fee(x + 0.1) ~= fee(x)", &[float(0.2)]), ROUNDED);
}

#[test]
fn an_absolute_tolerance_is_written_and_told() {
    let mut world = world();
    let row = [float(3.0)];
    let verdict = |world: &mut World, within: &str| {
        world.verdict(&format!("relation r: charge(2*n) ~= 2 * charge(n) within {within}"), &row)
    };
    assert_eq!(verdict(&mut world, "1e-9 or 1e-15 absolute"), ABSOLUTE);
    assert_eq!(verdict(&mut world, "1e-15 absolute"), ABSOLUTE);
    assert_eq!(verdict(&mut world, "1e-9 or 1e-20 absolute"), FALSE);
    assert_eq!(
        world.verdict("relation r: charge(n) ~= charge(n) within 0 or 1 absolute", &row),
        Verdict::Holds
    );
}

#[test]
fn an_allowance_counts_only_where_it_decides() {
    let mut world = world();
    let row = [float(3.0)];
    let far = "charge(2*n) ~= 2 * charge(n)";
    let within = "within 1e-9 or 1e-15 absolute";
    for (relation, verdict) in [
        (format!("relation r: {far} or n > 2 {within}"), Verdict::Holds),
        (format!("relation r: {far} or n > 4 {within}"), ABSOLUTE),
        (format!("relation r: {far} and n > 2 {within}"), ABSOLUTE),
        (format!("relation r: n > 4 implies {far} {within}"), Verdict::Holds),
        (format!("relation r: not {far} {within}"), FALSE),
        (format!("relation r: not {far}"), Verdict::Holds),
    ] {
        assert_eq!(world.verdict(&relation, &row), verdict, "{relation}");
    }
}

#[test]
fn sequences_are_compared_element_by_element() {
    let mut world = world();
    let xs = floats(&[1.0, 0.1 + 0.2 - 0.3, 1e-30]);
    let relation = "relation r: scaled(xs + 0.1) ~= scaled(xs) + 0.3";
    assert!(world.verdict(relation, &[xs]).holds());
    let wrong = "relation r: scaled(xs + 0.1) ~= scaled(xs) + 0.31";
    assert_eq!(world.verdict(wrong, &[floats(&[1.0])]), FALSE);
    assert_eq!(
        world.verdict("relation r: scaled(xs) ~= concat(scaled(xs), [1.0])", &[floats(&[1.0])]),
        FALSE
    );
}

/// Rows whose sides are near cost no call more, and rows that differ by far cost two repetitions of the calls with moved arguments.
#[test]
fn calls_are_made_again_only_where_sides_differ() {
    let mut world = world();
    let relation = "relation r: sin(x + 2*pi) ~= sin(x)";
    world.verdicts(relation, &[vec![float(0.5)], vec![float(1.5)]]);
    assert_eq!(world.log, [(0, 2), (0, 2)]);
    world.log.clear();
    world.verdicts("relation r: sin(x + 1) ~= sin(x)", &[vec![float(0.5)], vec![float(1.5)]]);
    assert_eq!(world.log, [(0, 2), (0, 2), (0, 4)]);
}

#[test]
fn an_explanation_says_how_much_rounding_permits() {
    let mut world = world();
    let relation = &world.check("relation r: sin(x + 2*pi) ~= sin(x)")[0];
    let program = Program::compile(relation, &world.functions);
    let told = program.explain(0, &[float(std::f64::consts::PI)], &mut world).unwrap();
    assert_eq!(told.verdict, ROUNDED);
    let share = told.comparison.unwrap().share_of_tolerance.unwrap();
    assert!((0.0..=1.0).contains(&share), "{share}");
    assert_eq!(told.calls.len(), 2, "what is made again is no call of the group");
}

#[test]
fn a_step_of_the_function_is_no_rounding() {
    let mut world = world();
    for (relation, x) in [
        ("relation r: price(2*x) ~= 2*price(x)", 500.0),
        ("relation r: odd(-x) ~= -odd(x)", 1.0),
        ("relation r: odd(-x) ~= -odd(x)", 1.1),
        // Doubling rounds nothing, however many digits there are.
        ("relation r: cheap(2*x) ~= 2*cheap(x)", 49.995),
        ("relation r: cheap(x / 0.5) ~= 2*cheap(x)", 49.995),
    ] {
        assert_eq!(world.verdict(relation, &[float(x)]), FALSE, "{relation} at {x}");
    }
    // Here the sum is rounded up to the limit, and the function is right about it.
    let relation = "relation r: fee(w + 0.2) ~= fee(w)";
    assert_eq!(world.verdict(relation, &[float(0.1)]), ROUNDED);
}

#[test]
fn another_order_of_the_same_terms_is_rounding() {
    let mut world = world();
    let row = [0.1, 0.2, -0.3].map(float);
    assert_eq!(world.verdict("relation r: add(c, b, a) ~= add(a, b, c)", &row), ROUNDED);
    for sides in ["mean(reverse(xs)) ~= mean(xs)", "mean(xs) ~= mean(reverse(xs))"] {
        let relation = format!("relation r: {sides}");
        for xs in [&[7.8, 0.9, -8.7][..], &[0.1, 0.2, -0.3], &[3.3, -1.1, -2.2, 1e-3, -1e-3]] {
            let row = [floats(xs)];
            let verdict = world.verdict(&relation, &row);
            assert!(verdict == ROUNDED || verdict == Verdict::Holds, "{relation} at {xs:?}: {verdict:?}");
        }
    }
}

#[test]
fn an_explanation_has_the_verdict_of_the_run() {
    let mut world = world();
    let mut draw = 1_u64;
    let mut drawn = || {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((draw >> 40) as u32 % 200) / 10.0 - 10.0
    };
    let text = "relation r: mean(reverse(xs)) ~= mean(xs)";
    let program = Program::compile(&world.check(text)[0], &world.functions);
    let mut rounded = 0;
    for _ in 0..2000 {
        let mut xs: Vec<f64> = (0..4).map(|_| drawn()).collect();
        // The sum is 0 in decimal digits.
        xs.push(-(xs.iter().sum::<f64>() * 10.0).round() / 10.0);
        let row = [floats(&xs)];
        let verdict = world.verdict(text, &row);
        let explained = program.explain(0, &row, &mut world).unwrap().verdict;
        assert_eq!(explained, verdict, "{xs:?}");
        rounded += u32::from(verdict == ROUNDED);
        assert_ne!(verdict, FALSE, "{xs:?}");
    }
    assert!(rounded > 100, "{rounded} rows ask for it");
}
