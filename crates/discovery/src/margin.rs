//! How far a metamorphic group is from a violation. A search for a counterexample minimizes this distance.

use dodona_relations::{Comparison, Explanation};
use dodona_target::Value;

/// Larger than any distance between two sides, because a group to which the relation does not apply is farther than one on which it
/// holds.
const INELIGIBLE: f64 = f64::MAX;

/// The distance from a violation of a group that holds: the smaller, the nearer. It is 0 if the expectation does not compare numbers.
///
/// For `a <= b` the distance is b - a, which is 0 just before a violation. For `a ~= b` it falls below 0 as the difference of the sides
/// takes more of the tolerance, so that the search drives rounding errors to where they show. The relative difference would lead it to
/// sides near 0 instead, where the absolute part of the tolerance permits any.
pub(super) fn margin(explanation: &Explanation) -> f64 {
    if !explanation.verdict.is_eligible() {
        return INELIGIBLE;
    }
    explanation.comparison.as_ref().and_then(of_comparison).unwrap_or(0.0)
}

fn of_comparison(comparison: &Comparison) -> Option<f64> {
    let left = number(comparison.left.value.as_ref()?)?;
    let right = number(comparison.right.value.as_ref()?)?;
    let distance = match comparison.operator {
        "<" | "<=" => right - left,
        ">" | ">=" => left - right,
        "!=" => (left - right).abs(),
        "~=" => -comparison.share_of_tolerance?,
        _ => return None,
    };
    Some(if distance.is_nan() { 0.0 } else { distance })
}

/// A number as a float.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}
