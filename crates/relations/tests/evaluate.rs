//! What relations mean: source and follow-up calls, eligibility, verdicts, and which calls are made.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::*;
use dodona_relations::ast::{BinaryOperator, binary, int as int_of};
use dodona_relations::{
    Ineligible, Precondition, Program, Role, Verdict, Violation, evaluate_expression, parse_expression,
};
use dodona_target::{CallError, Caller, Calls, Column, Outcome, Value};

const FALSE: Verdict = Verdict::Violated(Violation::False);
const OUT_OF_DOMAIN: Verdict = Verdict::Ineligible(Ineligible::OutOfDomain);
const SKIPPED: Verdict = Verdict::Ineligible(Ineligible::Skipped(TRAP));
const FOLLOW_UP: Verdict = Verdict::Violated(Violation::FollowUp(TRAP));
const CONDITION: Verdict = Verdict::Ineligible(Ineligible::Condition);

/// Every relation that the documentation shows, over inputs for its variables.
#[test]
fn the_relations_of_the_documentation_hold() {
    let xs = ints(&[3, 1, 2]);
    for (text, row) in [
        ("relation odd: sin(-x) ~= -sin(x)", vec![float(1.25)]),
        ("relation period: sin(x + 2*pi) ~= sin(x) within 1e-9", vec![float(1.25)]),
        ("relation pythagoras: sin(x)^2 + cos(x)^2 ~= 1", vec![float(1.25)]),
        (
            "relation falling(x: cos.x, y: cos.x):\n when 0 <= x and x <= y and y <= pi: cos(x) >= cos(y)",
            vec![float(0.5), float(2.5)],
        ),
        ("relation scale: for k in {2, 3, -1}: gcd(k*p, k*q) == abs(k) * gcd(p, q)", vec![int(12), int(18)]),
        ("relation idempotent: sort(sort(xs)) == sort(xs)", vec![xs.clone()]),
        ("relation shuffled: mean(reverse(xs)) ~= mean(xs)", vec![xs]),
        (
            "relation prefix: when len(text) > 0: tokens(text[..len(text)-1]).stdout is_prefix_of tokens(text).stdout",
            vec![text("a bc")],
        ),
        ("relation refuses: pow(k, -1 - abs(e)) traps", vec![int(2), int(3)]),
        ("relation commutes: given p' = q, q' = p expect out' == out", vec![int(12), int(18)]),
    ] {
        let mut world = library();
        let relation = &world.check(text)[0];
        let program = Program::compile(relation, &world.functions);
        let columns = world.columns(relation, &[row]);
        for group in 0..relation.group_count() {
            let verdicts = program.evaluate(group, &columns, &mut world).unwrap();
            // `prefix` is the one that does not: the last token loses a character.
            let expected = if relation.name() == "prefix" { FALSE } else { Verdict::Holds };
            assert_eq!(verdicts, [expected], "{text}, group {group}");
        }
    }
}

#[test]
fn variables_take_the_parameter_that_they_are_named_after() {
    let world = library();
    let of = |text: &str| -> Vec<(String, String)> {
        let relation = &world.check(text)[0];
        let place = |v: &dodona_relations::Variable| {
            let function = &world.functions[v.function];
            format!("{}.{}", function.name, function.parameters[v.parameter].name)
        };
        relation.variables().iter().map(|v| (v.name.clone(), place(v))).collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    assert_eq!(of("relation r: gcd(q, p) == gcd(p, q)"), pairs(&[("q", "gcd.q"), ("p", "gcd.p")]));
    assert_eq!(of("relation r: cos(x) == sin(x)"), pairs(&[("x", "cos.x")]));
    assert_eq!(of("relation r of sin: cos(x) == sin(x)"), pairs(&[("x", "sin.x")]));
    assert_eq!(of("relation r(z: sin.x): cos(z) == cos(x)"), pairs(&[("z", "sin.x"), ("x", "cos.x")]));
    assert_eq!(of("relation r: when p > 0: gcd(p, 1) == 1"), pairs(&[("p", "gcd.p")]));
    // A parameter or a constant of `for` hides a constant of the language.
    assert_eq!(of("relation r: pow(k, e) > 0"), pairs(&[("k", "pow.k"), ("e", "pow.e")]));
    assert_eq!(of("relation r: for pi in {3}: sin(x) < pi"), pairs(&[("x", "sin.x")]));
    assert_eq!(of("relation r: for x in {3}: sin(x) < 1"), pairs(&[]));
}

#[test]
fn source_calls_take_plain_variables_where_they_are_bound() {
    let world = library();
    let roles = |text: &str| -> Vec<(String, Role, bool)> {
        let sites = world.check(text)[0].calls().to_vec();
        sites.into_iter().map(|s| (s.text, s.role, s.observed)).collect()
    };
    let source = |text: &str| (text.to_owned(), Role::Source, false);
    let follow_up = |text: &str| (text.to_owned(), Role::FollowUp, false);
    assert_eq!(roles("relation r: gcd(p, q) == gcd(q, p)"), [source("gcd(p, q)"), follow_up("gcd(q, p)")]);
    assert_eq!(roles("relation r: gcd(p, p) == p"), [follow_up("gcd(p, p)")]);
    assert_eq!(roles("relation r: sin(x) == cos(x)"), [source("sin(x)"), source("cos(x)")]);
    let header = "relation r(x: cos.x, y: cos.x): cos(x) == cos(y) or sin(x) == 1";
    assert_eq!(roles(header), [source("cos(x)"), source("cos(y)"), follow_up("sin(x)")]);
    assert_eq!(
        roles("relation r: sort(sort(xs)) == sort(xs)"),
        [source("sort(xs)"), follow_up("sort(sort(xs))")]
    );
    assert_eq!(roles("relation r: for k in {1}: sin(k) == sin(x)"), [follow_up("sin(k)"), source("sin(x)")]);
    // What the condition asks is asked about the source input, whatever it calls.
    assert_eq!(
        roles("relation r: when gcd(q, p) > 1 and gcd(gcd(p, p), q) > 0: gcd(q, p) == gcd(p, q)"),
        [source("gcd(q, p)"), source("gcd(p, p)"), source("gcd(gcd(p, p), q)"), source("gcd(p, q)")]
    );
    assert_eq!(
        roles("relation r: pow(k, -e) traps and defined(pow(k, e)) and pow(k, -e) == 1"),
        [("pow(k, -e)".to_owned(), Role::FollowUp, true), ("pow(k, e)".to_owned(), Role::Source, true)]
    );
}

/// Functions of which some have no parameters.
fn constants() -> World {
    World::new(vec![
        (function("answer() -> i32"), |_| Ok(vec![int(42)])),
        (function("fails() -> i32"), |_| Err(TRAP)),
        (function("id(x: i32) -> i32"), |arguments| Ok(vec![arguments[0].clone()])),
    ])
}

#[test]
fn a_function_without_parameters_has_its_output_in_every_row() {
    let mut world = constants();
    let rows = [vec![int(0)], vec![int(1)], vec![int(2)]];
    let holds = Verdict::Holds;
    let mut verdicts = |text: &str| world.verdicts(&format!("relation r: {text}"), &rows);
    assert_eq!(verdicts("answer() + id(x) == 42 + x"), [holds; 3]);
    assert_eq!(verdicts("answer() == 42 + id(x)"), [holds, FALSE, FALSE]);
    assert_eq!(verdicts("when id(x) > 0: answer() + id(x) == 42 + x"), [CONDITION, holds, holds]);
    assert_eq!(verdicts("id(answer()) + id(x) == 42 + x"), [holds; 3]);
    assert_eq!(verdicts("fails() == id(x)"), [FOLLOW_UP; 3]);
    assert_eq!(verdicts("fails() traps and id(x) == x"), [holds; 3]);
}

/// Notes which source input each call of a function without parameters is made for.
struct OfWhichSource {
    world: World,
    sources: Vec<usize>,
}

impl Caller for OfWhichSource {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.world.call(function, arguments)
    }

    fn call_at(
        &mut self,
        _call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let calls = self.call(function, arguments)?;
        if arguments.is_empty() {
            self.sources.extend((0..calls.outcomes.len()).map(source));
        }
        Ok(calls)
    }
}

#[test]
fn callers_that_keep_records_see_the_call_of_every_row() {
    let world = constants();
    let relation = &world.check("relation r: when id(x) != 7: answer() + id(x) == 42 + x")[0];
    let program = Program::compile(relation, &world.functions);
    let mut caller = OfWhichSource { world, sources: Vec::new() };
    program.evaluate(0, &[Column::Int(vec![1, 7, 3, 7, 5])], &mut caller).unwrap();
    assert_eq!(caller.sources, [0, 2, 4]);
}

#[test]
fn equal_calls_are_made_once() {
    let mut world = library();
    let rows = vec![vec![int(12), int(18)], vec![int(4), int(6)]];
    world.verdicts("relation r: gcd(p, q) == gcd(q, p) and gcd(q,p) <= abs(gcd(p, q)) + 0*gcd(p,q)", &rows);
    assert_eq!(world.log, [(0, 2), (0, 2)]);
}

#[test]
fn an_ineligible_source_makes_no_further_calls() {
    let mut world = library();
    let rows: Vec<_> = (0..10).map(|i| vec![int(i), int(2)]).collect();
    let verdicts = world.verdicts("relation r: when p mod 2 == 0: gcd(p, q) == gcd(q, p)", &rows);
    assert_eq!(world.log, [(0, 5), (0, 5)]);
    for (row, verdict) in verdicts.iter().enumerate() {
        assert_eq!(*verdict, if row % 2 == 0 { Verdict::Holds } else { CONDITION });
    }
    let mut world = library();
    let none = world.verdicts("relation r: when p < 0: gcd(p, q) == gcd(q, p)", &rows);
    assert_eq!((none, world.log), (vec![CONDITION; 10], vec![]));
}

#[test]
fn conditions() {
    let mut world = library();
    let relation = "relation r: when 10 div p > 1: gcd(p, q) == gcd(q, p)";
    let rows = [vec![int(2), int(2)], vec![int(9), int(2)], vec![int(0), int(2)]];
    let undefined = Verdict::Ineligible(Ineligible::ConditionUndefined);
    assert_eq!(world.verdicts(relation, &rows), [Verdict::Holds, CONDITION, undefined]);
    // On the output of a source call: where that traps, the source is skipped.
    let relation = "relation r: when pow(k, e) > 10: pow(k, e + 1) > 10";
    let rows = [vec![int(2), int(4)], vec![int(2), int(2)], vec![int(2), int(-2)]];
    assert_eq!(world.verdicts(relation, &rows), [Verdict::Holds, CONDITION, SKIPPED]);
    // A condition that asks about the trap sees it.
    let relation = "relation r: when not pow(k, e) traps: pow(k, e + 1) > 10";
    assert_eq!(world.verdict(relation, &[int(2), int(-2)]), CONDITION);
}

#[test]
fn traps() {
    let mut world = library();
    let square = "relation r: pow(k, 2 * e) == pow(k, e) ^ 2";
    assert_eq!(world.verdict(square, &[int(3), int(2)]), Verdict::Holds);
    assert_eq!(world.verdict(square, &[int(3), int(-1)]), SKIPPED);
    let negative = "relation r: pow(k, e) * pow(k, -e) == 1";
    assert_eq!(world.verdict(negative, &[int(3), int(2)]), FOLLOW_UP);
    // Relations that speak of trapping.
    let refuses = "relation r: pow(k, -1 - abs(e)) traps";
    assert_eq!(world.verdict(refuses, &[int(3), int(2)]), Verdict::Holds);
    let guarded = "relation r: defined(pow(k, e - 2)) implies pow(k, e - 2) <= 1";
    assert_eq!(world.verdict(guarded, &[int(1), int(1)]), Verdict::Holds);
    assert_eq!(world.verdict(guarded, &[int(1), int(2)]), Verdict::Holds);
    assert_eq!(world.verdict(guarded, &[int(2), int(4)]), FALSE);
    let both = "relation r: pow(k, e) traps iff pow(-k, e) traps";
    assert_eq!(world.verdict(both, &[int(2), int(-4)]), Verdict::Holds);
    assert_eq!(world.verdict(both, &[int(2), int(4)]), Verdict::Holds);
    // The value of a call that trapped is undefined.
    let used = "relation r: pow(k, -e) traps and pow(k, -e) == 1";
    assert_eq!(world.verdict(used, &[int(2), int(1)]), Verdict::Undefined);
    // Where an observed source call traps, a follow-up that traps too is no violation by itself.
    let excused = "relation r: pow(k, e) traps or pow(k, e + 0) == 1";
    assert_eq!(world.verdict(excused, &[int(2), int(-1)]), Verdict::Holds);
    assert_eq!(world.verdict(excused, &[int(2), int(1)]), FALSE);
}

#[test]
fn a_call_without_an_argument_is_not_made() {
    let mut world = library();
    let relation = "relation r: p == 0 or gcd(12 div p, q) >= 0";
    let rows = [vec![int(0), int(1)], vec![int(3), int(1)], vec![int(0), int(2)]];
    assert_eq!(world.verdicts(relation, &rows), [Verdict::Holds; 3]);
    assert_eq!(world.log, [(0, 1)]);
    let relation = "relation r: gcd(12 div p, q) >= 0";
    let rows = [vec![int(0), int(1)], vec![int(3), int(1)]];
    assert_eq!(world.verdicts(relation, &rows), [Verdict::Undefined, Verdict::Holds]);
    let relation = "relation r: defined(fill(xs, 1 div x))";
    let world = &mut library();
    assert_eq!(
        world.verdicts(relation, &[vec![ints(&[1]), int(0)], vec![ints(&[1]), int(1)]]),
        [FALSE, Verdict::Holds]
    );
    assert_eq!(world.verdict("relation r: defined(fill(xs, 1 div x))", &[ints(&[1]), int(0)]), FALSE);
}

#[test]
fn arguments_outside_the_domain() {
    let mut world = library();
    let double = "relation r: gcd(2 * p, q) > 0";
    assert_eq!(world.verdict(double, &[int(1 << 30), int(1)]), OUT_OF_DOMAIN);
    assert_eq!(world.verdict(double, &[int((1 << 30) - 1), int(1)]), Verdict::Holds);
    assert_eq!(world.verdict(double, &[int(-(1 << 30)), int(1)]), Verdict::Holds);
    let half = "relation r: gcd(p / 2, q) >= 0";
    assert_eq!(
        world.verdicts(half, &[vec![int(4), int(2)], vec![int(5), int(2)]]),
        [Verdict::Holds, OUT_OF_DOMAIN]
    );
    let rounded = "relation r(x: sin.x): gcd(x, floor(x)) >= 0";
    let rows = [2.0, 2.5, f64::NAN, 3e9].map(|x| vec![float(x)]);
    assert_eq!(world.verdicts(rounded, &rows), [Verdict::Holds, OUT_OF_DOMAIN, OUT_OF_DOMAIN, OUT_OF_DOMAIN]);
    let elements = "relation r: sort(xs * 2) == sort(xs) * 2";
    assert_eq!(world.verdict(elements, &[ints(&[1 << 30])]), OUT_OF_DOMAIN);
    let fractions = "relation r: len(sort(xs * 0.5)) == len(xs)";
    assert_eq!(
        world.verdicts(fractions, &[vec![ints(&[2, 4])], vec![ints(&[2, 3])]]),
        [Verdict::Holds, OUT_OF_DOMAIN]
    );
    let text_bytes = "relation r: tokens(concat(text, \"\\xff\")).exit == 0";
    assert_eq!(world.verdict(text_bytes, &[text("a")]), OUT_OF_DOMAIN);
}

#[test]
fn domains_and_preconditions() {
    let mut world = library();
    world.functions[0] = requires(with_range(world.functions[0].clone(), "p", 0, 100), "p != 7 or q != 7");
    let successor = "relation r: gcd(p + 1, q) > 0";
    let rows = [[99, 1], [100, 1], [6, 7], [6, 8]].map(|[p, q]| vec![int(p), int(q)]);
    assert_eq!(
        world.verdicts(successor, &rows),
        [Verdict::Holds, OUT_OF_DOMAIN, OUT_OF_DOMAIN, Verdict::Holds]
    );
    // The precondition is asked of the source input too.
    assert_eq!(world.verdict("relation r: gcd(p, q) > 0", &[int(7), int(7)]), OUT_OF_DOMAIN);
    // A name shared by two functions must suit both.
    world.functions[2] = with_range(world.functions[2].clone(), "x", -1, 1);
    let shared = "relation r: sin(x)^2 + cos(x)^2 ~= 1";
    assert_eq!(
        world.verdicts(shared, &[vec![float(0.5)], vec![float(2.0)]]),
        [Verdict::Holds, OUT_OF_DOMAIN]
    );
    assert_eq!(world.log[world.log.len() - 2..], [(1, 1), (2, 1)]);
}

#[test]
fn rows_of_and_and_or_may_be_of_any_length() {
    let mut world = library();
    for count in [49, 50, 51, 52, 20_000] {
        let differs: Vec<String> = (1..=count).map(|i| format!("x != {i}")).collect();
        let equals: Vec<String> = (1..=count).map(|i| format!("sin(x) == {i} + sin(x)")).collect();
        let text = format!("relation r: when {}: {}", differs.join(" and "), equals.join(" or "));
        let rows = [vec![float(0.0)], vec![float(f64::from(count))], vec![float(1.0)]];
        let ineligible = Verdict::Ineligible(Ineligible::Condition);
        let violated = Verdict::Violated(Violation::False);
        assert_eq!(world.verdicts(&text, &rows), [violated, ineligible, ineligible], "{count}");
        let file = dodona_relations::parse(&text).unwrap();
        assert_eq!(dodona_relations::parse(&file.to_string()).unwrap(), file, "{count}");
    }
}

#[test]
fn out_of_domain_comes_before_a_failed_follow_up() {
    let mut world = library();
    let relation = "relation r: pow(k, -e) == 1 and gcd(p, 2147483647 + e) == 1";
    // Bound in the order in which they are written: k, e, p.
    assert_eq!(world.verdict(relation, &[int(1), int(1), int(1)]), OUT_OF_DOMAIN);
    let relation = "relation r: pow(k, -e) == 1 and gcd(p, 2147483646 + e) == 1";
    assert_eq!(world.verdict(relation, &[int(1), int(1), int(1)]), FOLLOW_UP);
}

#[test]
fn undefined_expectations() {
    let mut world = library();
    let relation = "relation r: 1 / gcd(p, q) > 0";
    assert_eq!(
        world.verdicts(relation, &[vec![int(0), int(0)], vec![int(2), int(4)]]),
        [Verdict::Undefined, Verdict::Holds]
    );
    assert_eq!(world.verdict("relation r: sort(xs)[0] <= 9", &[ints(&[])]), Verdict::Undefined);
    assert_eq!(world.verdict("relation r: len(xs) == 0 or sort(xs)[0] <= 9", &[ints(&[])]), Verdict::Holds);
    assert!(Verdict::Undefined.is_violation() && Verdict::Undefined.is_eligible());
}

#[test]
fn groups_of_constants() {
    let world = library();
    let relation = &world
        .check("relation r: for k in {2, -0.5, 2 * pi, true, [1], \"a\"}: defined(k) and sin(x) < 2")[0];
    let labels: Vec<_> =
        (0..relation.group_count()).map(|group| relation.group_label(group).unwrap()).collect();
    assert_eq!(labels, ["k = 2", "k = -0.5", "k = 6.283185307179586", "k = true", "k = [1]", "k = \"a\""]);
    assert_eq!(relation.groups()[0], Some(int(2)));
    let plain = &world.check("relation r: sin(x) < 2")[0];
    assert_eq!((plain.groups(), plain.group_label(0)), (&[None][..], None));
    // Each group has its own types: one passes an integer, one a float that is none.
    let mut world = library();
    let relation = &world.check("relation r: for k in {2, 0.5}: gcd(k * p, q) >= 0")[0];
    let program = Program::compile(relation, &world.functions);
    let columns = world.columns(relation, &[vec![int(3), int(1)], vec![int(4), int(1)]]);
    let verdicts = [0, 1].map(|group| program.evaluate(group, &columns, &mut world).unwrap());
    assert_eq!(verdicts, [[Verdict::Holds, Verdict::Holds], [OUT_OF_DOMAIN, Verdict::Holds]]);
}

#[test]
fn a_function_under_test_hides_a_word_of_as_many_arguments() {
    let entries: Vec<(_, Body)> = vec![
        (function("len(s: [i32]) -> i32"), |_| Ok(vec![int(77)])),
        (function("min(xs: [i32]) -> i32"), |v| Ok(vec![int(*as_ints(&v[0]).iter().min().unwrap())])),
    ];
    let mut world = World::new(entries);
    assert_eq!(world.verdict("relation r: len(s) == 77", &[ints(&[])]), Verdict::Holds);
    assert_eq!(world.verdict("relation r: min(xs) == min(xs[0], xs[1])", &[ints(&[4, 3])]), Verdict::Holds);
}

#[test]
fn single_precision() {
    let entries: Vec<(_, Body)> = vec![(function("third(x: f32) -> f32"), |v| {
        let x = as_float(&v[0]);
        assert_eq!(f64::from(x as f32), x, "arguments are rounded to single precision");
        Ok(vec![float(f64::from(x as f32 / 3.0))])
    })];
    let mut world = World::new(entries);
    let row = [float(f64::from(0.3f32))];
    assert_eq!(
        world.verdict("relation r: third(x + 0.1) ~= third(x) + 0.1 / 3 within 1e-6", &row),
        Verdict::Holds
    );
    // An ulp is one of the function's own precision.
    assert_eq!(world.verdict("relation r: third(3 * x) ~= x within 1 ulp", &row), Verdict::Holds);
    assert_eq!(world.verdict("relation r: abs(-third(3 * x)) ~= 0.3 within 1 ulp", &row), Verdict::Holds);
    assert_eq!(world.verdict("relation r: 1.0 * third(3 * x) ~= 0.3 within 1 ulp", &row), FALSE);
    assert_eq!(world.verdict("relation r: third(x + 1e39) == 0", &row), OUT_OF_DOMAIN);
    assert_eq!(world.verdict("relation r: third(x * inf) == inf", &row), Verdict::Holds);
}

#[test]
fn tolerances() {
    let mut world = library();
    let ulps = |n: u32| {
        let x = 1.0f64;
        (0..n).fold(x, |x, _| x.next_up())
    };
    for (distance, expected) in [(4, Verdict::Holds), (5, FALSE)] {
        let relation = "relation r(x: sin.x): x ~= 1 + 0 * cos(x) within 4 ulp";
        assert_eq!(world.verdict(relation, &[float(ulps(distance))]), expected);
    }
    let relation = "relation r(x: sin.x): x ~= 1 + 0 * cos(x) within 0.1";
    let rows = [0.9, 1.1, 0.89, 1.12, 1.0, f64::NAN, f64::INFINITY].map(|x| vec![float(x)]);
    let held: Vec<bool> = world.verdicts(relation, &rows).iter().map(|v| *v == Verdict::Holds).collect();
    assert_eq!(held, [true, true, false, false, true, true, false]);
}

#[test]
fn an_explanation_has_every_call_and_both_sides() {
    let mut world = library();
    let relation = &world.check("relation r: 2 * gcd(p, q) == gcd(2*p, q)")[0];
    let program = Program::compile(relation, &world.functions);
    let told = program.explain(0, &[int(3), int(6)], &mut world).unwrap();
    assert_eq!(told.verdict, Verdict::Holds);
    let told = program.explain(0, &[int(4), int(2)], &mut world).unwrap();
    assert_eq!(told.verdict, FALSE);
    let calls: Vec<_> = told.calls.iter().map(|c| (c.text.as_str(), c.role, c.outcome)).collect();
    assert_eq!(
        calls,
        [
            ("gcd(p, q)", Role::Source, Outcome::Returned),
            ("gcd(2 * p, q)", Role::FollowUp, Outcome::Returned)
        ]
    );
    assert_eq!(told.calls[1].arguments, [int(8), int(2)]);
    assert_eq!(told.calls[1].outputs[0].1, int(2));
    let comparison = told.comparison.unwrap();
    assert_eq!((comparison.operator, comparison.left.text.as_str()), ("==", "2 * gcd(p, q)"));
    assert_eq!((comparison.left.value, comparison.right.value), (Some(int(4)), Some(int(2))));
    let told = program.explain(0, &[int(1 << 30), int(2)], &mut world).unwrap();
    assert_eq!(told.verdict, OUT_OF_DOMAIN);
    assert_eq!(
        told.outside.as_deref(),
        Some("`p: i32` of `gcd(2 * p, q)` is 2147483648, outside its type or domain")
    );
    assert_eq!((told.calls.len(), told.comparison), (1, None));
}

/// The share is above 1 just where `~=` does not hold.
#[test]
fn an_explanation_says_how_much_of_the_tolerance_the_sides_take() {
    let mut world = library();
    for (x, most, least) in [(1.05, 0.5, 0.4), (1.1, 1.0, 0.8), (1.12, 1.2, 1.0), (1.0, 0.0, 0.0)] {
        let relation = &world.check("relation r(x: sin.x): x ~= 1 + 0 * cos(x) within 0.1")[0];
        let program = Program::compile(relation, &world.functions);
        let told = program.explain(0, &[float(x)], &mut world).unwrap();
        let share = told.comparison.unwrap().share_of_tolerance.unwrap();
        assert!((least..=most).contains(&share), "{x}: {share}");
        assert_eq!(told.verdict == Verdict::Holds, share <= 1.0, "{x}: {share}");
    }
    let relation = &world.check("relation r(x: sin.x): x == 1 + 0 * cos(x)")[0];
    let program = Program::compile(relation, &world.functions);
    let told = program.explain(0, &[float(1.0)], &mut world).unwrap();
    assert_eq!(told.comparison.unwrap().share_of_tolerance, None);
}

#[test]
fn an_explanation_of_a_trap() {
    let mut world = library();
    let relation = &world.check("relation r: pow(k, -e) / 0 == 1")[0];
    let program = Program::compile(relation, &world.functions);
    let told = program.explain(0, &[int(2), int(1)], &mut world).unwrap();
    assert_eq!((told.verdict, told.calls[0].outcome), (FOLLOW_UP, TRAP));
    assert!(told.calls[0].outputs.is_empty());
    assert_eq!(told.comparison.unwrap().left.value, None);
}

#[test]
fn an_expression_with_its_calls() {
    let mut world = library();
    let functions = world.functions.clone();
    let mut run =
        |text: &str| evaluate_expression(&parse_expression(text).unwrap(), &functions, &mut world).unwrap();
    let result = run("gcd(gcd(12, 18), 4)");
    assert_eq!(result.value, Some(int(2)));
    assert_eq!(
        result.calls.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(),
        ["gcd(12, 18)", "gcd(gcd(12, 18), 4)"]
    );
    let result = run("pow(2, -1)");
    assert_eq!((result.value, result.calls[0].outcome), (None, TRAP));
    let result = run("fill([1, 2], 3)");
    assert_eq!((result.value, result.calls[0].outputs[0].1.clone()), (None, ints(&[3, 3])));
    let result = run("tokens(\"a\")");
    assert_eq!((result.value, result.calls[0].outcome), (None, Outcome::Exited(0)));
    assert_eq!(result.calls[0].outputs.len(), 3);
    assert_eq!(run("1 + 1").value, Some(int(2)));
}

#[test]
fn a_flipped_comparison_says_the_same_of_exchanged_sides() {
    let mut world = library();
    let mut run = |operator: BinaryOperator, [a, b]: [i32; 2]| {
        evaluate_expression(&binary(operator, int_of(a), int_of(b)), &[], &mut world).unwrap().value
    };
    let (mut flipped, mut turned) = (0, 0);
    for operator in BinaryOperator::ALL {
        let Some(other) = operator.flipped() else { continue };
        for [a, b] in [[1, 2], [2, 1], [2, 2]] {
            assert_eq!(run(operator, [a, b]), run(other, [b, a]), "{operator:?} of {a} and {b}");
        }
        flipped += 1;
        turned += usize::from(other != operator);
    }
    assert_eq!((flipped, turned), (7, 4));
}

#[test]
fn preconditions_over_columns() {
    let plain = function("f(p: i32, q: i32) -> i32");
    assert!(Precondition::compile(&plain).unwrap().is_none());
    let predicate = Precondition::compile(&requires(plain, "q != 0 and p mod q == 0")).unwrap().unwrap();
    let columns = [Column::Int(vec![6, 7, 5]), Column::Int(vec![3, 3, 0])];
    assert_eq!(predicate.evaluate(&columns), [true, false, false]);
    assert!(predicate.holds(&[int(6), int(2)]));
    assert!(!predicate.holds(&[int(6), int(0)]));
    let always = requires(function("f(p: i32) -> i32"), "1 < 2");
    assert_eq!(
        Precondition::compile(&always).unwrap().unwrap().evaluate(&[Column::Int(vec![1, 2])]),
        [true; 2]
    );
}

/// A caller that cannot call, or answers with too little.
struct Broken(Option<Calls>);

impl Caller for Broken {
    fn call(&mut self, _: usize, _: &[Column]) -> Result<Calls, CallError> {
        self.0.clone().ok_or_else(|| CallError::new("the module is gone"))
    }
}

#[test]
fn failures_of_the_host_are_errors() {
    let world = library();
    let relation = &world.check("relation r: gcd(p, q) > 0")[0];
    let program = Program::compile(relation, &world.functions);
    let columns = world.columns(relation, &[vec![int(1), int(2)]]);
    let error = program.evaluate(0, &columns, &mut Broken(None)).unwrap_err();
    assert_eq!(error.to_string(), "could not call the function under test: the module is gone");
    for answer in [
        Calls { outcomes: vec![], outputs: vec![Column::Int(vec![])] },
        Calls { outcomes: vec![Outcome::Returned], outputs: vec![] },
        Calls { outcomes: vec![Outcome::Returned], outputs: vec![Column::Int(vec![])] },
    ] {
        assert!(program.evaluate(0, &columns, &mut Broken(Some(answer))).is_err());
    }
}

#[test]
fn a_wrong_answer_of_a_function_without_parameters_is_an_error() {
    let world = constants();
    let relation = &world.check("relation r(x: id.x): answer() == x")[0];
    let program = Program::compile(relation, &world.functions);
    let columns = [Column::Int(vec![1, 2])];
    for answer in [
        Calls { outcomes: vec![Outcome::Returned; 2], outputs: vec![Column::Int(vec![42; 2])] },
        Calls { outcomes: vec![Outcome::Returned], outputs: vec![] },
        Calls { outcomes: vec![Outcome::Returned], outputs: vec![Column::Int(vec![])] },
    ] {
        assert!(program.evaluate(0, &columns, &mut Broken(Some(answer))).is_err());
    }
}

#[test]
fn no_rows_and_no_variables() {
    let mut world = library();
    assert_eq!(world.verdicts("relation r: gcd(p, q) > 0", &[]), []);
    assert_eq!(world.verdict("relation r: gcd(12, 18) == 6", &[]), Verdict::Holds);
    assert_eq!(world.verdict("relation r: gcd(12, 3000000000) == 6", &[]), OUT_OF_DOMAIN);
    let none: [Value; 0] = [];
    assert_eq!(world.verdict("relation r: pow(2, -1) == 6", &none), FOLLOW_UP);
}
