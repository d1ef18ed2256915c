//! The rows of Table 4, with the signs that make them true, for the scan of the table has lost its minus signs.

use super::world::{COSINE, SINE, composed, counts, expectation, numbers, verdicts};
use crate::composition::Counts;

/// That the composition of relations is this text, and that it holds on 100 inputs.
fn row(text: &str, library: &str, sequence: &[usize], expected: &str) {
    assert_eq!(expectation(text, library, sequence), expected);
    let composite = composed(text, library, sequence).expect("it was composed before");
    assert_eq!(
        counts(&verdicts(&composite.relation, &numbers())),
        Counts { eligible: 100, holds: 100, failing: 0 },
        "{expected}"
    );
}

#[test]
fn rows_of_sine() {
    // cmr12, which Table 4 prints as cmr13: the plus sign that it kept is that of m2.
    row(SINE, COSINE, &[1, 2], "sin(-x + pi / 2) ~= cos(x) within 1e-9");
    row(SINE, COSINE, &[1, 3], "sin(-x - pi / 2) ~= -cos(x) within 1e-9");
    row(SINE, COSINE, &[1, 8], "sin(2 * -x) ~= 2 * -sin(x) * cos(x) within 1e-9");
    row(SINE, COSINE, &[3, 1], "sin(-(x - pi / 2)) ~= cos(x) within 1e-9");
    row(SINE, COSINE, &[3, 6], "sin(x - pi / 2 + 2 * pi) ~= -cos(x) within 2e-9");
    row(SINE, COSINE, &[5, 3], "sin(x - pi - pi / 2) ~= cos(x) within 2e-9");
    row(SINE, COSINE, &[7, 8], "sin(2 * (x - 2 * pi)) ~= 2 * sin(x) * cos(x) within 3e-9");
    row(
        SINE,
        COSINE,
        &[1, 8, 8],
        "sin(2 * (2 * -x)) ~= 2 * (2 * -sin(x) * cos(x)) * (2 * cos(x) ^ 2 - 1) within 3e-9",
    );
}

#[test]
fn a_call_of_another_function_stays_where_nothing_is_known_of_it() {
    // As the paper prints them: cmr13 keeps cos(-x), cmr78 cos(x - 2*pi), cmr88 and cmr188 cos(2*x).
    row(SINE, "", &[1, 2], "sin(-x + pi / 2) ~= cos(-x) within 1e-9");
    row(SINE, "", &[7, 8], "sin(2 * (x - 2 * pi)) ~= 2 * sin(x) * cos(x - 2 * pi) within 2e-9");
    row(SINE, "", &[8, 8], "sin(2 * (2 * x)) ~= 2 * (2 * sin(x) * cos(x)) * cos(2 * x) within 2e-9");
    row(SINE, "", &[1, 8, 8], "sin(2 * (2 * -x)) ~= 2 * (2 * -sin(x) * cos(-x)) * cos(2 * -x) within 2e-9");
}

#[test]
fn rows_of_cosine() {
    row(COSINE, SINE, &[1, 2], "cos(-x + pi / 2) ~= sin(x) within 1e-9");
    row(COSINE, SINE, &[3, 7], "cos(x - pi / 2 - 2 * pi) ~= sin(x) within 2e-9");
    row(COSINE, SINE, &[3, 8], "cos(2 * (x - pi / 2)) ~= 2 * sin(x) ^ 2 - 1 within 3e-9");
    row(COSINE, SINE, &[5, 3], "cos(x - pi - pi / 2) ~= -sin(x) within 2e-9");
    row(COSINE, SINE, &[8, 8], "cos(2 * (2 * x)) ~= 2 * (2 * cos(x) ^ 2 - 1) ^ 2 - 1 within 3e-9");
    // The paper writes the same polynomial out: 8*cos(x)^4 - 8*cos(x)^2 + 1.
    row(
        COSINE,
        SINE,
        &[5, 8, 8],
        "cos(2 * (2 * (x - pi))) ~= 2 * (2 * (-cos(x)) ^ 2 - 1) ^ 2 - 1 within 7e-9",
    );
}

#[test]
fn the_order_of_a_sequence_matters() {
    // Section 3.2: that m1 can be followed by m2 says nothing of m2 followed by m1.
    row(SINE, COSINE, &[8, 2], "sin(2 * x + pi / 2) ~= 2 * cos(x) ^ 2 - 1 within 2e-9");
    row(SINE, COSINE, &[2, 8], "sin(2 * (x + pi / 2)) ~= 2 * cos(x) * -sin(x) within 3e-9");
}

#[test]
fn what_is_composed_is_false_for_a_function_that_is_not_as_the_relations_say() {
    let wrong = SINE.replace("sin(x + pi) ~= -sin(x)", "sin(x + pi) ~= sin(x)");
    let composite = composed(&wrong, COSINE, &[1, 4]).expect("both are of sin");
    let Counts { eligible, holds, .. } = counts(&verdicts(&composite.relation, &numbers()));
    assert!(eligible == 100 && holds < 5, "{}", composite.relation);
}

#[test]
fn names_join_and_runs_are_counted() {
    let composite = composed(SINE, COSINE, &[3, 6]).expect("both are of sin");
    assert_eq!(composite.relation.name.text, "m3_then_m6");
    assert_eq!((composite.runs, composite.sequence.to_string()), (2, "3.6".to_owned()));
}
