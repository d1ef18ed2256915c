//! Rules that relate comparisons to each other. NaN equals NaN, and is neither less nor greater than anything.

use dodona_relations::check::Ty;

use super::{Equation, both, same};

pub(super) fn rules() -> Vec<Equation> {
    let mut rules = alone();
    rules.extend(pairs());
    rules
}

fn alone() -> Vec<Equation> {
    let mut rules = vec![
        same("(== ?a ?b)", "(== ?b ?a)"),
        same("(!= ?a ?b)", "(!= ?b ?a)"),
        same("(~= ?a ?b)", "(~= ?b ?a)"),
        same("(== ?a ?a)", "true"),
        same("(~= ?a ?a)", "true"),
        same("(!= ?a ?a)", "false"),
        same("(< ?a ?a)", "false"),
        same("(<= ?a ?a)", "true").ints("?a"),
        same("(~= ?a ?b)", "(== ?a ?b)").when("?a ?b", |both| both.iter().all(|f| f.ty == Ty::Text)),
        same("(is_nan ?a)", "false").ints("?a"),
        same("(defined ?a)", "true"),
        same("(== (text ?a) (text ?b))", "(== ?a ?b)").ints("?a ?b"),
    ];
    rules.extend(both(same, "(not (== ?a ?b))", "(!= ?a ?b)", |rule| rule));
    rules.extend(both(same, "(not (< ?a ?b))", "(<= ?b ?a)", |rule| rule.ints("?a ?b")));
    rules
}

fn pairs() -> Vec<Equation> {
    vec![
        same("(and (<= ?a ?b) (!= ?a ?b))", "(< ?a ?b)"),
        same("(and (< ?a ?b) (!= ?a ?b))", "(< ?a ?b)"),
        same("(and (< ?a ?b) (<= ?a ?b))", "(< ?a ?b)"),
        same("(or (< ?a ?b) (<= ?a ?b))", "(<= ?a ?b)"),
        same("(or (< ?a ?b) (!= ?a ?b))", "(!= ?a ?b)").ints("?a ?b"),
        one_int("(or (< ?a ?b) (== ?a ?b))", "(<= ?a ?b)"),
        one_int("(or (<= ?a ?b) (== ?a ?b))", "(<= ?a ?b)"),
        one_int("(and (<= ?a ?b) (== ?a ?b))", "(== ?a ?b)"),
        one_int("(and (<= ?a ?b) (<= ?b ?a))", "(== ?a ?b)"),
        same("(or (< ?a ?b) (< ?b ?a))", "(!= ?a ?b)").ints("?a ?b"),
        same("(and (< ?a ?b) (< ?b ?a))", "false"),
        same("(and (< ?a ?b) (<= ?b ?a))", "false"),
        same("(and (< ?a ?b) (== ?a ?b))", "false"),
        same("(or (< ?a ?b) (<= ?b ?a))", "true").ints("?a ?b"),
        same("(or (<= ?a ?b) (<= ?b ?a))", "true").ints("?a ?b"),
    ]
}

/// A rule that would fail only if both sides were NaN: it requires that one side is an integer.
fn one_int(from: &str, to: &str) -> Equation {
    same(from, to).when("?a ?b", |both| both.iter().any(|f| f.ty == Ty::Int))
}
