//! Rules about two comparisons of the same term with literals: `and` keeps the stronger comparison, `or` the weaker
//! one.

use std::cmp::Ordering;

use dodona_relations::compare_numbers;
use dodona_target::Number;

use super::{Constant, Equation, Facts, integers, literal, same};

/// Comparisons of `?a` with a literal `C` that bounds it from above.
const BELOW: [&str; 2] = ["(< ?a C)", "(<= ?a C)"];
const ABOVE: [&str; 2] = ["(< C ?a)", "(<= C ?a)"];

pub(super) fn rules() -> Vec<Equation> {
    let mut rules = steps();
    for (sides, higher_is_stronger) in [(BELOW, false), (ABOVE, true)] {
        for first in sides {
            for second in sides {
                rules.extend(one_sided(first, second, higher_is_stronger));
            }
        }
    }
    rules.extend(two_sided());
    rules
}

/// For integers, `e <= 3` is `e < 4`.
fn steps() -> Vec<Equation> {
    let up: super::Compute = |c| integers(c).and_then(|[i]| i.checked_add(1)).map(Constant::Int);
    let down: super::Compute = |c| integers(c).and_then(|[i]| i.checked_sub(1)).map(Constant::Int);
    vec![
        same("(<= ?a ?c)", "(< ?a ?new)").ints("?a").compute("?c", up),
        same("(< ?a ?c)", "(<= ?a ?new)").ints("?a").compute("?c", down),
        same("(<= ?c ?a)", "(< ?new ?a)").ints("?a").compute("?c", down),
        same("(< ?c ?a)", "(<= ?new ?a)").ints("?a").compute("?c", up),
    ]
}

/// Two bounds on the same side, such as `e > 0 and e > -1`. The literals decide which bound is stronger; if they are
/// equal, the strict comparison is.
fn one_sided(first: &str, second: &str, higher_is_stronger: bool) -> [Equation; 2] {
    let (first, second) = (first.replace('C', "?c"), second.replace('C', "?d"));
    let strict = |e: &str| !e.contains("<=");
    let test: super::Test = match (higher_is_stronger, strict(&first) || !strict(&second)) {
        (true, true) => |f| order(f).is_some_and(Ordering::is_ge),
        (true, false) => |f| order(f).is_some_and(Ordering::is_gt),
        (false, true) => |f| order(f).is_some_and(Ordering::is_le),
        (false, false) => |f| order(f).is_some_and(Ordering::is_lt),
    };
    [
        same(&format!("(and {first} {second})"), &first).when("?c ?d", test),
        same(&format!("(or {first} {second})"), &second).when("?c ?d", test),
    ]
}

/// Bounds on opposite sides, such as `e > 3 and e < 2` or `e > 2 or e < 3`, and an equation beside a bound.
fn two_sided() -> Vec<Equation> {
    vec![
        same("(and (< ?c ?a) (< ?a ?d))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_ge)),
        same("(and (<= ?c ?a) (<= ?a ?d))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_gt)),
        same("(and (< ?c ?a) (<= ?a ?d))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_ge)),
        same("(and (<= ?c ?a) (< ?a ?d))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_ge)),
        same("(or (< ?c ?a) (< ?a ?d))", "true")
            .ints("?a")
            .when("?c ?d", |f| order(f).is_some_and(Ordering::is_lt)),
        same("(or (<= ?c ?a) (<= ?a ?d))", "true")
            .ints("?a")
            .when("?c ?d", |f| order(f).is_some_and(Ordering::is_le)),
        same("(and (== ?a ?c) (< ?d ?a))", "(== ?a ?c)")
            .when("?c ?d", |f| order(f).is_some_and(Ordering::is_gt)),
        same("(and (== ?a ?c) (< ?a ?d))", "(== ?a ?c)")
            .when("?c ?d", |f| order(f).is_some_and(Ordering::is_lt)),
        same("(and (== ?a ?c) (< ?d ?a))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_le)),
        same("(and (== ?a ?c) (< ?a ?d))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_ge)),
        same("(and (== ?a ?c) (== ?a ?d))", "false").when("?c ?d", |f| order(f).is_some_and(Ordering::is_ne)),
    ]
}

/// The order of two literals that are numbers.
fn order(facts: &[&Facts]) -> Option<Ordering> {
    let number = |facts: &Facts| match literal(facts)? {
        Constant::Int(i) => Some(Number::Int(i)),
        Constant::Float(bits) => Some(Number::Float(f64::from_bits(bits))),
        _ => None,
    };
    compare_numbers(number(facts[0])?, number(facts[1])?)
}
