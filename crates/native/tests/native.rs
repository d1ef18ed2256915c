//! Relations of Rust functions, tested where they are.

use std::panic::catch_unwind;

use dodona_native::{Metamorphic, function};
use dodona_records::{RelationRecord, RelationVerdict};

fn haversine(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(f64::to_radians);
    let h = ((c - a) / 2.0).sin().powi(2) + a.cos() * c.cos() * ((d - b) / 2.0).sin().powi(2);
    2.0 * 6371.0 * h.sqrt().min(1.0).asin()
}

fn middle(a: i32, b: i32) -> i32 {
    a.wrapping_add(b) / 2
}

fn quotient(a: i32, b: i32) -> i32 {
    a.checked_div(b).unwrap_or_else(|| panic!("{a} divided by {b}"))
}

mod sequences {
    pub(crate) fn total(xs: &[u8]) -> u64 {
        xs.iter().map(|x| u64::from(*x)).sum()
    }

    pub(crate) fn sorted(mut xs: Vec<i16>) -> Vec<i16> {
        xs.sort_unstable();
        xs
    }

    pub(crate) fn trimmed(text: &str) -> &str {
        text.trim()
    }
}

fn one(test: Metamorphic) -> RelationRecord {
    test.keep_nothing().run().expect("valid").relations.remove(0)
}

fn why(test: Metamorphic) -> String {
    let test = std::panic::AssertUnwindSafe(test);
    let panic = catch_unwind(|| { test }.0.check()).expect_err("it fails");
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).expect("a message")
}

#[test]
fn relations_of_floats_hold() {
    function!(haversine(
        a: f64 in -90.0..=90.0, b: f64 in -180.0..=180.0, c: f64 in -90.0..=90.0, d: f64 in -180.0..=180.0,
    ) -> f64)
    .holds("haversine(c, d, a, b) ~= haversine(a, b, c, d)")
    .holds("haversine(a, b, a, b) == 0")
    .check();
}

#[test]
fn a_violation_is_shrunk_and_shown() {
    let found = why(function!(middle(a: i32, b: i32) -> i32)
        .holds("middle(-a, -b) == -middle(a, b)")
        .sources(100_000)
        .keep_nothing());
    assert!(found.contains("VIOLATED"), "{found}");
    assert!(found.contains("a = 1, b = 2147483647"), "{found}");
    assert!(found.contains("middle(-a, -b) = -1073741824"), "{found}");
}

#[test]
fn values_lie_where_the_declaration_says() {
    let record = one(function!(middle(a: i32 in 0..100, b: i32 in [7, 9]) -> i32)
        .holds("relation inside: a >= 0 and a < 100 and (b == 7 or b == 9) and middle(a, b) <= 54"));
    assert_eq!((record.name.as_str(), record.verdict()), ("inside", RelationVerdict::Holds));
    assert_eq!(record.tally.held, 1000);
}

#[test]
fn panics_are_outcomes() {
    assert_eq!(
        one(function!(quotient(a: i32, b: i32) -> i32).holds("quotient(a, 0) traps")).verdict(),
        RelationVerdict::Holds
    );
    let skipped =
        one(function!(quotient(a: i32, b: i32 in -1..=1) -> i32).holds("quotient(a, b) == quotient(a, b)"));
    let told: Vec<&str> = skipped.skipped().map(|(words, _)| words).collect();
    assert!(
        matches!(told[..], [one] if one.contains("panicked") && one.contains("divided by 0")),
        "{told:?}"
    );
    assert!(told[0].contains("native.rs:"), "the place of the panic is told: {told:?}");
}

#[test]
fn sequences_and_texts_cross() {
    function!(sequences::total(xs: &[u8]) -> u64)
        .length("xs", 0..=8)
        .holds("total(reverse(xs)) == total(xs)")
        .holds("total(xs) == sum(xs)")
        .keep_nothing()
        .check();
    function!(sequences::sorted(xs: Vec<i16>) -> Vec<i16>)
        .holds("sorted(sorted(xs)) == sorted(xs)")
        .keep_nothing()
        .check();
    function!(sequences::trimmed(text: &str) -> &str)
        .holds("trimmed(concat(\" \", text)) == trimmed(text)")
        .keep_nothing()
        .check();
}

#[test]
fn relations_speak_of_several_functions() {
    function!(f64::sin(x: f64 in -100.0..=100.0) -> f64)
        .with(function!(f64::cos(x: f64 in -100.0..=100.0) -> f64))
        .holds("sin(x)^2 + cos(x)^2 ~= 1")
        .keep_nothing()
        .check();
}

#[test]
fn what_is_wrong_with_a_relation_is_shown_with_its_place() {
    let why = why(function!(middle(a: i32, b: i32) -> i32).holds("midle(a, b) == 0"));
    assert!(why.contains("midle(a, b)") && why.contains("^^^^^"), "{why}");
}

#[test]
fn a_test_without_relations_tested_nothing() {
    let why = why(function!(middle(a: i32, b: i32) -> i32).keep_nothing());
    assert!(why.contains("nothing is tested: say a relation with `.holds("), "{why}");
}

#[test]
fn a_precondition_narrows_what_is_tested() {
    let record = one(function!(quotient(a: i32, b: i32) -> i32)
        .requires("b != 0 and (a != -2147483648 or b != -1)")
        .holds("quotient(a, b) * b + a mod b == a or a mod b != a - quotient(a, b) * b"));
    assert_eq!(record.verdict(), RelationVerdict::Holds);
    assert!(record.tally.skipped.is_empty(), "{:?}", record.tally.skipped);
}

#[test]
fn the_same_seed_gives_the_same_inputs() {
    let record = |seed| {
        one(function!(middle(a: i32, b: i32) -> i32)
            .seed(seed)
            .holds("middle(a, b) == middle(b, a) and middle(a, b) != 12345"))
    };
    assert_eq!(record(3).tally, record(3).tally);
}

#[test]
fn a_violation_is_kept_and_tried_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("test.rs");
    std::fs::write(&file, "").expect("written");
    let run = |sources, relation| {
        let test =
            function!(middle(a: i32, b: i32) -> i32).holds(relation).kept_beside(&file).sources(sources);
        test.run().expect("valid")
    };
    let opposite = "middle(-a, -b) == -middle(a, b)";
    assert_eq!(run(100_000, opposite).relations[0].verdict(), RelationVerdict::Violated);
    // Without a random input only the kept one is left.
    let again = run(0, opposite);
    assert_eq!(again.relations[0].verdict(), RelationVerdict::Violated);
    assert_eq!(again.relations[0].tally.violated, 1);
    // Another test of the same file has relations of its own.
    let other = run(10, "middle(a, b) == middle(b, a)");
    assert_eq!((other.relations[0].tally.held, other.unread), (10, 0));
}
