//! Rules about sums and products. Few rules that hold for integers without overflow also hold for floats, which
//! round.

use dodona_relations::check::Ty;

use super::{Constant, Equation, Facts, Test, both, integers, same, total};

pub(super) fn rules() -> Vec<Equation> {
    let mut rules = of_all_numbers();
    rules.extend(of_floats());
    rules.extend(sums());
    rules.extend(products());
    rules.extend(sizes());
    rules
}

/// Rules that are exact on floats too, and whose sides are undefined together on integers.
fn of_all_numbers() -> Vec<Equation> {
    let mut rules = vec![
        same("(+ ?a ?b)", "(+ ?b ?a)"),
        same("(* ?a ?b)", "(* ?b ?a)"),
        same("(* ?a 1)", "?a"),
        same("(/ ?a 1)", "?a"),
        same("(- ?a 0)", "?a"),
        same("(div ?a 1)", "?a").ints("?a"),
        same("(mod ?a 1)", "0").ints("?a"),
        same("(/ ?a ?a)", "1").ints("?a").when("?a", |f| !f[0].range.contains(0)),
        same("(^ ?a 1)", "?a").ints("?a"),
        same("(^ ?a 0)", "1").ints("?a"),
        same("(* ?a -1)", "(neg ?a)"),
        same("(min ?a ?a)", "?a"),
        same("(max ?a ?a)", "?a"),
        same("(abs (abs ?a))", "(abs ?a)"),
        same("(floor ?a)", "?a").ints("?a"),
        same("(ceil ?a)", "?a").ints("?a"),
        same("(min ?a ?b)", "(min ?b ?a)"),
        same("(max ?a ?b)", "(max ?b ?a)"),
    ];
    rules.extend(both(same, "(+ ?a ?a)", "(* 2 ?a)", |rule| rule.numbers("?a")));
    rules.extend(both(same, "(* ?a ?a)", "(^ ?a 2)", |rule| rule.numbers("?a")));
    rules
}

fn of_floats() -> Vec<Equation> {
    let mut rules = vec![
        same("(neg (neg ?a))", "?a").floats("?a"),
        same("(* ?a ?k)", "?a").floats("?a").when("?k", |f| is_float(f[0], 1.0)),
        same("(/ ?a ?k)", "?a").floats("?a").when("?k", |f| is_float(f[0], 1.0)),
        same("(* ?a ?k)", "(neg ?a)").floats("?a").when("?k", |f| is_float(f[0], -1.0)),
        same("(abs (neg ?a))", "(abs ?a)").floats("?a"),
        same("(abs (- ?a ?b))", "(abs (- ?b ?a))").floats("?a ?b"),
        same("(* (abs ?a) (abs ?b))", "(abs (* ?a ?b))").floats("?a ?b"),
    ];
    rules.extend(both(same, "(- ?a ?b)", "(+ ?a (neg ?b))", |rule| rule.floats("?a ?b")));
    rules.extend(both(same, "(* (neg ?a) ?b)", "(neg (* ?a ?b))", |rule| rule.floats("?a ?b")));
    rules
}

fn is_float(facts: &Facts, x: f64) -> bool {
    facts.constant == Some(Constant::Float(x.to_bits()))
}

fn sums() -> Vec<Equation> {
    let mut rules = vec![
        same("(+ ?a 0)", "?a").ints("?a"),
        same("(- ?a ?a)", "0").ints("?a"),
        total("(+ (+ ?a ?b) ?c)", "(+ ?a (+ ?b ?c))").ints("?a ?b ?c"),
        total("(neg (neg ?a))", "?a").ints("?a"),
        total("(neg (- ?a ?b))", "(- ?b ?a)").ints("?a ?b"),
        total("(+ ?a ?c)", "(- ?a ?new)").ints("?a").compute("?c", |c| negative(c, true)),
        total("(- ?a ?c)", "(+ ?a ?new)").ints("?a").compute("?c", |c| negative(c, false)),
        same("(+ ?a ?c)", "(- ?a ?new)").floats("?a").compute("?c", |c| negative(c, true)),
        same("(- ?a ?c)", "(+ ?a ?new)").floats("?a").compute("?c", |c| negative(c, true)),
    ];
    rules.extend(both(total, "(- ?a ?b)", "(+ ?a (neg ?b))", |rule| rule.ints("?a ?b")));
    rules.extend(both(total, "(neg (+ ?a ?b))", "(+ (neg ?a) (neg ?b))", |rule| rule.ints("?a ?b")));
    rules
}

/// The literal with the opposite sign; with `only_below` only if the literal is negative.
fn negative(constants: &[Constant], only_below: bool) -> Option<Constant> {
    match constants {
        [Constant::Int(i)] if *i < 0 || !only_below => i.checked_neg().map(Constant::Int),
        [Constant::Float(bits)] => {
            let x = f64::from_bits(*bits);
            (x < 0.0 || !only_below).then(|| Constant::Float((-x).to_bits()))
        }
        _ => None,
    }
}

fn products() -> Vec<Equation> {
    let literal: Test = |f: &[&Facts]| f[0].constant.is_some();
    let mut rules = vec![
        same("(* ?a 0)", "0").ints("?a"),
        total("(* (* ?a ?b) ?c)", "(* ?a (* ?b ?c))").ints("?a ?b ?c"),
        total("(+ (* ?a ?b) ?a)", "(* ?a (+ ?b 1))").ints("?a ?b"),
        total("(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))").ints("?a ?b ?c"),
        total("(* ?k (+ ?b ?c))", "(+ (* ?k ?b) (* ?k ?c))").ints("?k ?b ?c").when("?k", literal),
        total("(* ?a (^ ?a ?n))", "(^ ?a ?new)").ints("?a").compute("?n", |c| {
            integers(c).filter(|[n]| (1..i128::MAX).contains(n)).map(|[n]| Constant::Int(n + 1))
        }),
    ];
    rules.extend(both(total, "(* (neg ?a) ?b)", "(neg (* ?a ?b))", |rule| rule.ints("?a ?b")));
    rules
}

/// Rules about `abs`, `min` and `max`.
fn sizes() -> Vec<Equation> {
    let not_above: Test = |f| f[0].ty == Ty::Int && f[1].ty == Ty::Int && f[0].range.high <= f[1].range.low;
    vec![
        same("(abs ?a)", "?a").ints("?a").when("?a", |f| f[0].range.low >= 0),
        total("(abs (neg ?a))", "(abs ?a)").ints("?a"),
        total("(abs (- ?a ?b))", "(abs (- ?b ?a))").ints("?a ?b"),
        total("(* (abs ?a) (abs ?b))", "(abs (* ?a ?b))").ints("?a ?b"),
        same("(min ?a ?b)", "?a").when("?a ?b", not_above),
        same("(max ?a ?b)", "?b").when("?a ?b", not_above),
        same("(min (min ?a ?b) ?c)", "(min ?a (min ?b ?c))").ints("?a ?b ?c"),
        same("(max (max ?a ?b) ?c)", "(max ?a (max ?b ?c))").ints("?a ?b ?c"),
        same("(max ?a (min ?a ?b))", "?a").ints("?a ?b"),
        same("(min ?a (max ?a ?b))", "?a").ints("?a ?b"),
        total("(+ (min ?a ?b) (max ?a ?b))", "(+ ?a ?b)").ints("?a ?b"),
        total("(- (max ?a ?b) (min ?a ?b))", "(abs (- ?a ?b))").ints("?a ?b"),
    ]
}
