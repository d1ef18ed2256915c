//! How far a metamorphic group is from a violation: what a search for a counterexample makes small.

use dodona_relations::{Comparison, Explanation};
use dodona_subject::Value;

/// What lies beyond any distance of two sides: a group that is not eligible is further than one that holds.
const INELIGIBLE: f64 = f64::MAX;

/// The distance of a group that holds to a violation, at least 0 where it can be told, and the same for all where the
/// expectation is no comparison of numbers.
///
/// Of `a <= b` it is b - a: 0 is the last that holds. Of an equality it grows less the more the sides differ within what is
/// allowed, so that rounding is driven to where it shows.
pub(super) fn margin(explanation: &Explanation) -> f64 {
    if !explanation.verdict.is_eligible() {
        return INELIGIBLE;
    }
    explanation.comparison.as_ref().and_then(of_comparison).unwrap_or(0.0)
}

fn of_comparison(comparison: &Comparison) -> Option<f64> {
    let left = number(comparison.left.value.as_ref()?)?;
    let right = number(comparison.right.value.as_ref()?)?;
    let larger = left.abs().max(right.abs());
    let distance = match comparison.operator {
        "<" | "<=" => right - left,
        ">" | ">=" => left - right,
        "!=" => (left - right).abs(),
        // How much of the larger side separates them: 0 for equal sides, where nothing is known.
        "==" | "~=" => -((left - right).abs() / larger.max(1e-300)),
        _ => return None,
    };
    Some(if distance.is_nan() { 0.0 } else { distance })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}
