//! Which relations can be read, and as what.

use super::world::reading;
use crate::composition::{Comparison, Unreadable};

/// The follow-up input and the expectation, as they are read.
fn read(text: &str) -> String {
    let basic = &reading(text).unwrap_or_else(|why| panic!("{text}: {why}"))[0];
    let arguments: Vec<String> = basic.arguments.iter().map(ToString::to_string).collect();
    format!("{} {} {}", arguments.join(", "), basic.comparison, basic.expectation)
}

fn refused(text: &str) -> Unreadable {
    reading(text).expect_err(text)
}

#[test]
fn a_relation_is_a_change_and_an_expectation() {
    assert_eq!(read("relation r: sin(-x) == -sin(x)"), "-#0 == -sin(#0)");
    assert_eq!(read("relation r: sin(x + pi/2) ~= cos(x)"), "#0 + pi / 2 ~= cos(#0)");
    assert_eq!(read("relation r: sin(2*x) ~= 2*sin(x)*cos(x)"), "2 * #0 ~= 2 * sin(#0) * cos(#0)");
    assert_eq!(read("relation r: gcd(p, 0) == abs(p)"), "#0, 0 == abs(#0)");
    assert_eq!(read("relation r: sort(reverse(xs)) == sort(xs)"), "reverse(#0) == sort(#0)");
    assert_eq!(
        read(r#"relation r: shout(concat(t, "a")) == concat(shout(t), "A")"#),
        r#"concat(#0, "a") == concat(shout(#0), "A")"#
    );
}

#[test]
fn the_follow_up_call_may_stand_on_either_side() {
    assert_eq!(read("relation r: sin(x) ~= sin(pi - x)"), "pi - #0 ~= sin(#0)");
    assert_eq!(read("relation r: length(x) + 1 >= length(x + 1)"), "#0 + 1 <= length(#0) + 1");
    assert_eq!(read("relation r: length(x + 1) > length(x) - 2"), "#0 + 1 > length(#0) - 2");
    assert_eq!(read("relation r: gcd(p, -q) == gcd(-p, q)"), "#0, -#1 == gcd(-#0, #1)");
}

#[test]
fn the_primed_notation_and_other_names_read_the_same() {
    let swapped = "#1, #0 == gcd(#0, #1)";
    assert_eq!(read("relation r of gcd: given p' = q, q' = p expect out' == out"), swapped);
    assert_eq!(read("relation r(a: gcd.p, b: gcd.q): gcd(b, a) == gcd(a, b)"), swapped);
}

#[test]
fn a_second_source_is_a_further_variable() {
    let text = "relation addition(y: sin.x): sin(x + y) ~= sin(x)*cos(y) + cos(x)*sin(y)";
    assert_eq!(read(text), "#0 + %0 ~= sin(#0) * cos(%0) + cos(#0) * sin(%0)");
    assert_eq!(reading(text).expect("it was read")[0].further[0].name, "y");
}

#[test]
fn each_constant_gives_a_relation() {
    let both = reading("relation r: for k in {2, -3}: when gcd(p, q) > k: gcd(k*p, k*q) == abs(k)*gcd(p, q)")
        .expect("two");
    let written: Vec<String> = both.iter().map(|b| format!("{} {}", b.name(), b.expectation)).collect();
    assert_eq!(written, ["r_1 abs(2) * gcd(#0, #1)", "r_2 abs(-3) * gcd(#0, #1)"]);
    assert_eq!(both[1].condition.as_ref().map(ToString::to_string), Some("gcd(#0, #1) > -3".to_owned()));
    assert_eq!(both[0].comparison(), Comparison::Equal);
}

#[test]
fn other_relations_are_refused_with_the_reason() {
    use Unreadable as U;
    assert!(matches!(refused("relation r: sin(-x, 1) == 0"), U::Wrong(_)));
    assert!(matches!(refused("relation r: sin(-x) != sin(x)"), U::NoComparison(_)));
    assert!(matches!(refused("relation r: sin(-x) == 0 and sin(x) == 0"), U::NoComparison(_)));
    assert!(matches!(refused("relation r: shout(t) is_prefix_of shout(concat(t, t))"), U::NoComparison(_)));
    assert_eq!(refused("relation r: sin(x)^2 + cos(x)^2 ~= 1"), U::NoFollowUp);
    assert_eq!(
        refused("relation r(y: cos.x): cos(x) >= cos(y)").to_string(),
        "it makes no follow-up call: no input is changed"
    );
    assert!(matches!(refused("relation r: sin(-x) + sin(x) == 0"), U::NotAlone(_)));
    assert!(
        matches!(refused("relation r: sin(-x) == 2*sin(-x) + sin(x)"), U::OnBothSides(call) if call == "sin(-x)")
    );
    assert!(matches!(refused("relation r: sort(sort(xs)) == sort(xs)"), U::FeedsBack(_)));
    assert!(matches!(refused("relation r(x: cos.x): sin(-x) == -sin(x)"), U::NoSource(f) if f == "sin"));
    assert!(matches!(refused("relation r: when defined(gcd(p, q)): gcd(q, p) == gcd(p, q)"), U::Observes(_)));
    assert!(matches!(refused("relation r: when sin(x) ~= 0: sin(-x) == -sin(x)"), U::SecondApproximation(_)));
}
