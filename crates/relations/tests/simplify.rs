//! What simplification makes of relations, family by family of rules.
#![allow(clippy::unwrap_used, reason = "what fails here has failed the test")]

mod common;

use common::*;
use dodona_relations::{equivalent, is_tautology, parse, simplify};

fn world() -> World {
    let nothing: Body = |_| Err(TRAP);
    let signatures = [
        "f(x: i32, y: i32) -> i32",
        "sin(x: f64) -> f64",
        "sort(xs: [i32]) -> [i32]",
        "scale(ys: [f64]) -> [f64]",
        "shout(t: text) -> text",
        "pow(k: i64, e: i32) -> i64",
        "is_odd(b: bool, n: i32) -> bool",
    ];
    World::new(signatures.into_iter().map(|s| (function(s), nothing)).collect())
}

fn relation(text: &str) -> dodona_relations::ast::Relation {
    let text = format!("relation r: {text}");
    parse(&text).unwrap_or_else(|problems| panic!("{text}: {problems:?}")).relations.remove(0)
}

/// What a relation becomes, without its name.
fn simple(text: &str) -> String {
    let world = world();
    world.check(&format!("relation r: {text}"));
    let simple = simplify(&relation(text), &world.functions).to_string();
    simple.trim_start_matches("relation r").trim_start_matches(": ").to_owned()
}

#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(simple(text), expected, "{text}");
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

#[test]
fn the_example() {
    becomes("not (pow(k, e - 1) * k != pow(k, e)) and (true or e < 3)", "pow(k, e) == k * pow(k, e - 1)");
}

#[test]
fn logic() {
    becomes("not not (f(y, x) == 1)", "f(y, x) == 1");
    becomes("f(y, x) == 1 and true", "f(y, x) == 1");
    becomes("true == (f(y, x) == 1)", "f(y, x) == 1");
    becomes("(f(y, x) == 1) iff false", "f(y, x) != 1");
}
