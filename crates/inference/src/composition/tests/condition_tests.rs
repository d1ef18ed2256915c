//! Conditions, domains, further variables, and values that are no numbers.

use dodona_relations::Verdict;
use dodona_target::{Sequence as Elements, Value};

use super::world::{composed, expectation, verdicts};
use crate::composition::Incomposable;

#[test]
fn the_outer_condition_is_moved_and_the_inner_one_added() {
    let text = "
relation up:   when x >= 0: length(x + 1) ~= length(x) + 1
relation odd:  when x < 100: length(-x) == length(x)
";
    assert_eq!(
        expectation(text, "", &[2, 1]),
        "when -x >= 0 and x < 100: length(-x + 1) ~= length(x) + 1 within 1e-9"
    );
    assert_eq!(
        expectation(text, "", &[1, 2]),
        "when x + 1 < 100 and x >= 0: length(-(x + 1)) ~= length(x) + 1 within 1e-9"
    );
}

#[test]
fn a_condition_on_an_output_needs_an_exact_relation() {
    let text = "
relation big:    when length(x) > 3: length(2*x) == 2*length(x)
relation mirror: length(-x) == length(x)
relation near:   length(x + 0) ~= length(x)
";
    assert_eq!(expectation(text, "", &[2, 1]), "when length(x) > 3: length(2 * -x) == 2 * length(x)");
    assert_eq!(composed(text, "", &[3, 1]).map(|c| c.runs), Err(Incomposable::ConditionOnFollowUp));
}

/// `grow` doubles the numbers of its domain [0, 100], and is 0 elsewhere.
const GROW: &str = "
relation more: grow(n + 50) == grow(n) + 100
relation less: grow(n - 60) == grow(n) - 120
relation same: grow(n + 0) == grow(n)
";

#[test]
fn inputs_between_the_steps_stay_in_the_domain() {
    let text = expectation(GROW, "", &[1, 2]);
    assert_eq!(text, "when n + 50 <= 100: grow(n + 50 - 60) == grow(n) + 100 - 120");
    let composite = composed(GROW, "", &[1, 2]).expect("it was composed before");
    let rows: Vec<Vec<Value>> = (-20..120).map(|n| vec![Value::Int(n)]).collect();
    let verdicts = verdicts(&composite.relation, &rows);
    assert!(verdicts.iter().all(|v| !v.is_violation()));
    // Those from 10, where the last input is in the domain, to 50, where the one between is.
    assert_eq!(verdicts.iter().filter(|v| v.holds()).count(), 41);
}

#[test]
fn the_source_input_stays_in_the_domain_of_the_innermost_relation() {
    // `late` has no domain, `grow` has [0, 100], and the relation of `grow` says nothing beyond.
    let text = "
relation before: late(n + 2) == grow(n)
relation less:   grow(n - 60) == 2*n - 120
";
    let between = "0 <= n - 60 and n - 60 <= 100";
    // `n` is any 32-bit number, so that `n - 60` is never above them.
    let whole = "-2147483648 <= n - 60";
    assert_eq!(
        expectation(text, "", &[2, 1]),
        format!("when {whole} and ({between}) and (0 <= n and n <= 100): late(n - 60 + 2) == 2 * n - 120")
    );
    let composite = composed(text, "", &[2, 1]).expect("it was composed before");
    let rows: Vec<Vec<Value>> = (0..200).map(|n| vec![Value::Int(n)]).collect();
    let held = verdicts(&composite.relation, &rows).iter().filter(|v| v.holds()).count();
    assert_eq!(held, 41, "from 60 to 100");
}

#[test]
fn inputs_between_the_steps_satisfy_the_precondition() {
    let text = "
relation more: share(a + b, b) <= share(a, b) + 1
relation away: share(a, b - 1) <= abs(a)
relation back: share(a, b + 1) <= abs(a)
";
    // The precondition of `share` is that b is not 0, here for the input between the two.
    let text = expectation(text, "", &[2, 3]);
    assert!(text.starts_with("when -2147483648 <= b - 1 and b - 1 != 0: "), "{text}");
    assert!(text.ends_with("share(a, b - 1 + 1) <= abs(a)"), "{text}");
}

#[test]
fn what_a_call_looks_at_itself_needs_no_condition() {
    let text = "relation swap: gcd(q, p) == gcd(p, q)\nrelation less: gcd(p - q, q) == gcd(p, q)";
    assert_eq!(expectation(text, "", &[2, 1]), "gcd(q, p - q) == gcd(p, q)");
    assert_eq!(expectation(text, "", &[1, 2]), "gcd(q - p, p) == gcd(p, q)");
    let twice = "relation twice: gcd(p + p, q) == gcd(p, q)";
    assert_eq!(
        expectation(twice, "", &[1, 1]),
        "when -2147483648 <= p + p and p + p <= 2147483647: gcd(p + p + (p + p), q) == gcd(p, q)"
    );
}

#[test]
fn further_variables_get_names_of_their_own() {
    let text = "
relation addition(y: sin.x): sin(x + y) ~= sin(x)*cos(y) + cos(x)*sin(y) within 1e-9
relation odd: sin(-x) == -sin(x)
";
    let cosine = "relation more(z: sin.x): cos(x + z) ~= cos(x)*cos(z) - sin(x)*sin(z) within 1e-9";
    assert_eq!(
        expectation(text, cosine, &[1, 2]),
        "sin(-(x + y)) ~= -(sin(x) * cos(y) + cos(x) * sin(y)) within 1e-9"
    );
    let twice = composed(text, cosine, &[1, 1]).expect("both are of sin");
    assert_eq!(
        twice.relation.to_string(),
        "relation addition_then_addition(y: sin.x, y_2: sin.x): sin(x + y_2 + y) ~= \
         (sin(x) * cos(y_2) + cos(x) * sin(y_2)) * cos(y) + (cos(x) * cos(y_2) - sin(x) * sin(y_2)) * sin(y) within 3e-9"
    );
    let rows = super::world::numbers();
    assert!(verdicts(&twice.relation, &rows).iter().all(|v| v.holds()));
}

#[test]
fn sequences_and_text_are_composed_like_numbers() {
    let sorting =
        "relation reversed: sort(reverse(xs)) == sort(xs)\nrelation shifted: sort(xs + 1) == sort(xs) + 1";
    assert_eq!(expectation(sorting, "", &[1, 2]), "sort(reverse(xs) + 1) == sort(xs) + 1");
    assert_eq!(expectation(sorting, "", &[2, 2]), "sort(xs + 1 + 1) == sort(xs) + 1 + 1");
    let composite = composed(sorting, "", &[1, 2]).expect("it was composed before");
    let row = vec![Value::Sequence(Elements::Int(vec![3, 1, 2]))];
    assert_eq!(verdicts(&composite.relation, &[row]), [Verdict::Holds]);
    let shouting = r#"
relation more:  shout(concat(t, "a")) == concat(shout(t), "A")
relation lower: shout(lower(t)) == shout(t)
"#;
    assert_eq!(
        expectation(shouting, "", &[1, 2]),
        r#"shout(lower(concat(t, "a"))) == concat(shout(t), "A")"#
    );
    let composite = composed(shouting, "", &[1, 2]).expect("it was composed before");
    assert_eq!(verdicts(&composite.relation, &[vec![Value::Text("b!".into())]]), [Verdict::Holds]);
}

#[test]
fn a_variable_is_not_mistaken_for_a_constant() {
    // The parameter of `swap` is called `p`; were it called `pi`, the constant in the other relation would be hidden.
    let text = "relation neg(pi: sin.x): sin(-pi) == -sin(pi)\nrelation turn: sin(x + pi) ~= -sin(x)";
    assert_eq!(expectation(text, "", &[1, 2]), "sin(-x + pi) ~= sin(x) within 1e-9");
}

#[test]
fn an_expectation_that_grows_without_end_is_refused() {
    let text = "relation r: sin(2*x) ~= sin(x) * (sin(x) + sin(x)) - sin(x)";
    assert!(composed(text, "", &[1, 1, 1]).is_ok());
    assert_eq!(composed(text, "", &[1; 8]).map(|c| c.runs), Err(Incomposable::TooLarge));
}
