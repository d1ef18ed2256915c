//! Every type that a manifest with a crate has, as a parameter and as a result, and what relations see of it.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dodona_native::{Metamorphic, function, shown};
use dodona_records::RelationVerdict;
use dodona_target::{Number, NumberRange, Predicate, Value};

/// The decimal of a number, which the language has no word for.
fn digits() -> Metamorphic {
    function!(digits(n: i64) -> String = n.to_string())
}

/// The relations hold; each was eligible.
fn hold(test: Metamorphic, relations: &[&str]) {
    let test = test.with(digits());
    let test = relations.iter().fold(test, |test, relation| test.holds(relation));
    for relation in test.keep_nothing().run().expect("valid").relations {
        assert_eq!(relation.verdict(), RelationVerdict::Holds, "{}: {relation:?}", relation.name);
    }
}

/// The relation is violated.
fn fails(test: Metamorphic, relation: &str) {
    let record = test.holds(relation).keep_nothing().run().expect("valid");
    assert_eq!(record.relations[0].verdict(), RelationVerdict::Violated, "{relation}");
}

#[derive(Debug, PartialEq)]
struct Negative(i32);

/// A type of one's own that shows itself.
struct Price(u32);

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cents", self.0)
    }
}

fn half(n: u32) -> Option<u32> {
    n.is_multiple_of(2).then_some(n / 2)
}

fn root(n: i32) -> Result<u16, Negative> {
    u32::try_from(n).map(|n| n.isqrt() as u16).map_err(|_| Negative(n))
}

fn nested(n: i8) -> Result<Option<u8>, String> {
    if n < 0 {
        return Err(format!("{n} is negative"));
    }
    Ok((n % 2 == 0).then_some(n as u8))
}

fn parts(n: u32) -> (u32, char, Option<bool>) {
    (n / 10, char::from(b'0' + (n % 10) as u8), half(n).map(|n| n > 100))
}

#[test]
fn an_option_is_the_value_inside_or_nothing() {
    hold(
        function!(half(n: u32 in 0..=1000) -> Option<u32>),
        &[
            "half(2 * n) == n",
            "half(2 * n) == some(n)",
            "half(2 * n + 1) == none",
            "half(n) is some implies n mod 2 == 0",
            "(half(n) is none) == (n mod 2 == 1)",
            "not defined(half(2 * n + 1))",
            "when half(n) is some: half(n) * 2 == n",
            "half(n) == half(n)",
            "defined(half(n)) == (half(n) is some)",
        ],
    );
    fails(function!(half(n: u32 in 0..=1000) -> Option<u32>), "half(n) is some");
    // A call that gives nothing has returned.
    fails(function!(half(n: u32 in 0..=1000) -> Option<u32>), "half(2 * n + 1) traps");
}

#[test]
fn a_result_is_the_value_or_its_error() {
    hold(
        function!(root(n: i32) -> Result<u16, Negative>),
        &[
            "when n < 0: root(n) is err",
            "when n < 0: root(n).err == concat(\"Negative(\", digits(n), \")\")",
            "when n >= 0: root(n) is ok and root(n) * root(n) <= n",
            "when n > 0: root(-n) == err(concat(\"Negative(\", digits(-n), \")\"))",
            "root(9) == ok(3) and n == n",
            "root(n) is ok or not defined(root(n))",
        ],
    );
    hold(
        function!(nested(n: i8) -> Result<Option<u8>, String>),
        &[
            "when n < 0: nested(n) is err and not (nested(n) is some)",
            "when n >= 0 and n mod 2 == 0: nested(n) == n",
            "when n >= 0 and n mod 2 == 1: nested(n) is ok and nested(n) is none",
            "when n < 0: nested(n).err == concat(digits(n), \" is negative\")",
        ],
    );
}

#[test]
fn a_tuple_has_parts() {
    hold(
        function!(parts(n: u32 in 0..=10000) -> (u32, char, Option<bool>)),
        &[
            "10 * parts(n).0 + to_number(parts(n).1) == n",
            "len(parts(n).1) == 1",
            "parts(n).2 is some iff n mod 2 == 0",
            "when n mod 2 == 0: parts(n).2 == (n > 200)",
            "parts(n) == parts(n)",
        ],
    );
    hold(
        function!(swapped(a: i32, b: i8) -> (i8, i32) = (b, a)),
        &["swapped(a, b).0 == b and swapped(a, b).1 == a"],
    );
}

#[test]
fn values_of_other_types_are_shown() {
    hold(function!(price(n: u32) -> Price = Price(n)), &["price(n) == concat(digits(n), \" cents\")"]);
    hold(function!(error(n: i32) -> Negative = Negative(n)), &["error(1) == \"Negative(1)\" and n == n"]);
    hold(
        function!(both(n: i32) -> Result<Price, Negative> = u32::try_from(n).map(Price).map_err(|_| Negative(n))),
        &[
            "both(7) == ok(\"7 cents\") and n == n",
            "when n < 0: both(n) is err",
            "both(-7).err == \"Negative(-7)\" and n == n",
        ],
    );
    hold(
        function!(one_in_two(n: u32) -> Option<Price> = half(n).map(Price)),
        &["one_in_two(14) == some(\"7 cents\") and n == n", "one_in_two(n) is some iff n mod 2 == 0"],
    );
    hold(
        function!(list(n: u32) -> (String, u32) = (shown!([n]), n)),
        &["list(n).0 == concat(concat(\"[\", digits(n)), \"]\")"],
    );
    hold(
        function!(parsed(text: &str) -> Result<i64, std::num::ParseIntError> = text.parse()),
        &["parsed(\"\").err == \"cannot parse integer from empty string\" and text == text"],
    );
    hold(
        function!(boxed(n: i32) -> Result<u32, Box<dyn std::error::Error>> = Ok(u32::try_from(n)?)),
        &["when n < 0: boxed(n) is err and len(boxed(n).err) > 0"],
    );
}

#[test]
fn texts_are_passed_in_every_form() {
    let holds = ["f(text) == text", "f(concat(text, text)) == concat(f(text), f(text))"];
    hold(function!(f(text: &str) -> &str = text), &holds);
    hold(function!(f(text: String) -> String = text), &holds);
    hold(function!(f(text: &String) -> &String = text), &holds);
    hold(function!(f(text: Cow<str>) -> Cow<str> = text), &holds);
    hold(function!(f(text: &Cow<str>) -> String = text.to_string()), &holds);
    hold(function!(f(text: Box<str>) -> Box<str> = text), &holds);
    hold(function!(f(text: Rc<str>) -> Rc<str> = text), &holds);
    hold(function!(f(text: Arc<str>) -> Arc<str> = text), &holds);
    hold(function!(f(text: char) -> char = text), &["f(text) == text and len(text) == 1"]);
    hold(function!(f(text: &char) -> &char = text), &["f(text) == text and len(text) == 1"]);
}

#[test]
fn sequences_are_passed_in_every_form() {
    let holds = ["f(xs) == xs", "f(reverse(xs)) == reverse(f(xs))"];
    hold(function!(f(xs: &[u8]) -> &[u8] = xs), &holds);
    hold(function!(f(xs: Vec<i64>) -> Vec<i64> = xs), &holds);
    hold(function!(f(xs: &Vec<bool>) -> &Vec<bool> = xs), &holds);
    hold(function!(f(xs: Box<[u16]>) -> Box<[u16]> = xs), &holds);
    hold(function!(f(xs: Rc<[f32]>) -> Rc<[f32]> = xs), &holds);
    hold(function!(f(xs: Arc<[f64]>) -> Arc<[f64]> = xs), &holds);
    hold(function!(f(xs: Cow<[usize]>) -> Cow<[usize]> = xs), &holds);
    hold(function!(f(xs: [i8; 3]) -> [i8; 3] = xs), &["f(xs) == xs and len(xs) == 3"]);
    hold(function!(f(xs: &[i8; 3]) -> &[i8; 3] = xs), &["f(xs) == xs and len(xs) == 3"]);
}

#[test]
fn numbers_have_the_values_that_rust_has() {
    hold(function!(f(n: NonZero<u8>) -> NonZero<u8> = n), &["f(n) == n and n != 0"]);
    hold(
        function!(f(n: &NonZero<i64> in -3..=3) -> i64 = n.get()),
        &["f(n) == n and n != 0 and abs(n) <= 3"],
    );
    hold(function!(f(n: Ordering) -> Ordering = n.reverse()), &["f(n) == -n and abs(n) <= 1"]);
    hold(function!(f(n: Duration) -> Duration = n), &["f(n) == n"]);
    hold(function!(f(n: Duration) -> Duration = n * 1_000_000), &["when n > 2^50: f(n) == 2^64 - 1"]);
    hold(function!(f(n: &u32) -> u32 = *n), &["f(n) == n"]);
    hold(function!(f(n: bool) -> bool = !n), &["f(f(n)) == n"]);
}

#[test]
fn what_a_function_changes_is_an_output() {
    fn sort(xs: &mut [i32]) -> usize {
        xs.sort_unstable();
        xs.len()
    }
    hold(
        function!(sort(xs: &mut [i32]) -> usize),
        &["sort(xs) == len(xs)", "sort(reverse(xs)).xs == sort(xs).xs", "sum(sort(xs).xs) == sum(xs)"],
    );
    hold(function!(Vec::dedup(xs: &mut Vec<u8>)), &["len(dedup(xs).xs) <= len(xs)"]);
    hold(
        function!(taken(text: &mut String) -> Option<char> = text.pop()),
        &[
            "when len(text) > 0: concat(taken(text).text, taken(text)) == text",
            "taken(\"\") is none and text == text",
        ],
    );
}

#[test]
fn a_panic_while_a_value_is_shown_is_one_of_the_call() {
    #[derive(Clone, Copy)]
    struct Shy(u8);
    impl fmt::Display for Shy {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            assert!(self.0 > 9, "not shown");
            write!(f, "{}", self.0)
        }
    }
    hold(
        function!(shy(n: u8) -> Option<Shy> = (n != 5).then_some(Shy(n))),
        &["when n > 9: shy(n) == some(digits(n))", "shy(5) is none and n == n", "when n < 5: shy(n) traps"],
    );
}

#[test]
fn a_function_has_the_name_that_is_declared() {
    mod r#type {
        pub(crate) fn r#match(r#in: u8) -> u8 {
            r#in
        }
    }
    hold(function!(r#type::r#match(x: u8) -> u8), &["match(x) == x"]);
    hold(function!(other(r#type: u8) -> u8 = r#type::r#match(r#type)), &["other(type) == type"]);
    hold(function!(f64::sqrt(x: f64 in 0.0..=1e6) -> f64), &["sqrt(x)^2 ~= x"]);
    // What is declared to return nothing may return what nobody asks for.
    hold(function!(none(x: u8) = x.checked_add(1)), &["not (none(x) traps)"]);
}

#[test]
fn domains_and_samplings_are_those_of_a_manifest() {
    let record = function!(f(x: i32 in [1..=3, 7..=7, 9..=9], flag: bool in [true], text: &str) -> i32 = x)
        .domain("x", |it| it.numbers.except = vec![Number::Int(2)])
        .domain("text", |it| it.alphabet = Some("ab".chars().collect()))
        .domain("text", |it| it.predicates = vec![Predicate::Sorted])
        .sampling("x", |it| it.favour = vec![Value::Int(9)])
        .sampling("x", |it| it.range = Some(NumberRange { low: Number::Int(3), high: Number::Int(9) }))
        .sampling("text", |it| it.length = Some((2, 3)))
        .holds("(x == 1 or x == 3 or x == 7 or x == 9) and flag and count(text, \"c\") == 0 and f(x, flag, text) == x")
        .keep_nothing()
        .run()
        .expect("valid");
    assert_eq!(record.relations[0].verdict(), RelationVerdict::Holds, "{:?}", record.relations[0]);
}

#[test]
#[should_panic(expected = "no value that is said of `n` is one of its type in Rust")]
fn a_domain_without_a_value_of_the_type_is_refused() {
    function!(f(n: Ordering in 5..=9) -> Ordering = n).holds("f(n) == n").keep_nothing().check();
}

#[test]
#[should_panic(expected = "`f` has no parameter `m`")]
fn a_parameter_that_is_not_there_is_refused() {
    let _ = function!(f(n: u8) -> u8 = n).length("m", 0..=1);
}
