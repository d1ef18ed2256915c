//! Inequalities chain where the expectation rises or falls with what they speak of.

use super::world::{composed, counts, expectation, numbers, verdicts};
use crate::composition::{Counts, Incomposable};

/// True relations of the absolute value, the function `length`.
const LENGTH: &str = "
relation even:    length(-x) == length(x)
relation step:    length(x + 1) <= length(x) + 1
relation back:    length(x - 2) >= length(x) - 2
relation twice:   length(2*x) == 2*length(x)
relation minus:   -(2 - length(x)) - 3 <= length(x + 1)
relation strict:  length(2*x) > length(x) - 1
relation near:    length(x + 0) ~= length(x)
relation square:  length(x*x) == length(x)^2
";

fn check(sequence: &[usize], expected: &str) {
    assert_eq!(expectation(LENGTH, "", sequence), expected);
    let composite = composed(LENGTH, "", sequence).expect("it was composed before");
    assert_eq!(
        counts(&verdicts(&composite.relation, &numbers())),
        Counts { eligible: 100, holds: 100, failing: 0 },
        "{expected}"
    );
}

#[test]
fn inequalities_keep_their_direction_through_what_is_monotone() {
    check(&[2, 2], "length(x + 1 + 1) <= length(x) + 1 + 1");
    check(&[2, 4], "length(2 * (x + 1)) <= 2 * (length(x) + 1)");
    check(&[1, 2], "length(-x + 1) <= length(x) + 1");
    check(&[3, 3], "length(x - 2 - 2) >= length(x) - 2 - 2");
    // The sides of `minus` are exchanged, and the output is negated twice.
    check(&[3, 5], "length(x - 2 + 1) >= -(2 - (length(x) - 2)) - 3");
}

#[test]
fn an_order_stays_strict_where_one_of_its_links_is() {
    check(&[6, 1], "length(-(2 * x)) > length(x) - 1");
    check(&[3, 6], "length(2 * (x - 2)) > length(x) - 2 - 1");
}

#[test]
fn nothing_follows_from_other_orders() {
    let why = |sequence: &[usize]| composed(LENGTH, "", sequence).map(|c| c.relation.to_string());
    assert_eq!(why(&[2, 3]), Err(Incomposable::OppositeOrders));
    assert_eq!(why(&[7, 2]), Err(Incomposable::ApproximateOrder));
    assert_eq!(why(&[2, 7]), Err(Incomposable::ApproximateOrder));
    assert_eq!(why(&[2, 8]), Err(Incomposable::NotMonotone));
}

#[test]
fn a_negative_factor_turns_an_order_round() {
    let text = "
relation step:   sin(x + 1) <= sin(x) + 2
relation mirror: sin(-x) == -1 * sin(x)
relation other:  sin(-x) == (0 - sin(x)) / 1
";
    for [mirror, expected] in
        [["2", "sin(-(x + 1)) >= -1 * (sin(x) + 2)"], ["3", "sin(-(x + 1)) >= (0 - (sin(x) + 2)) / 1"]]
    {
        let sequence = [1, mirror.parse().expect("a number")];
        assert_eq!(expectation(text, "", &sequence), expected);
        let composite = composed(text, "", &sequence).expect("it was composed before");
        assert!(verdicts(&composite.relation, &numbers()).iter().all(|v| v.holds()));
    }
}
