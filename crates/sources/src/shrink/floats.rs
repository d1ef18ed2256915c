//! Candidates that are simpler than a float.

use dodona_target::Scalar;

use super::order::{self, decimal, is_small_integer};
use crate::set::Set;

/// The number of ranges of the domain whose ends are tried.
const MOST_PIECES: usize = 16;

/// The members of a set that are simpler than `x` and are tried in its place, simplest first.
pub(super) fn candidates(scalar: Scalar, set: &Set, x: f64) -> Vec<f64> {
    let mut wanted =
        vec![0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 10.0, f64::from(f32::MAX), f64::MAX, f64::INFINITY, -x];
    wanted.extend(ends(set));
    if is_small_integer(x) {
        wanted.extend(nearer_integers(set, x));
    } else if x.is_finite() {
        wanted.extend([x.trunc(), x.floor(), x.ceil(), x.round()]);
        wanted.extend(fewer_digits(x));
        wanted.extend(nearer_powers(x));
    }
    let of_type = |v: f64| if scalar == Scalar::F32 { f64::from(v as f32) } else { v };
    let mut found: Vec<f64> = wanted.into_iter().map(of_type).collect();
    found.retain(|v| set.contains(set.grid.index(*v)) && order::floats(v, &x).is_lt());
    found.sort_unstable_by(order::floats);
    found.dedup_by(|a, b| a.to_bits() == b.to_bits());
    found
}

/// The ends of the domain's ranges and the integers just inside them; a domain without zero has its simplest members
/// there.
fn ends(set: &Set) -> impl Iterator<Item = f64> {
    let pieces = set.pieces().iter().take(MOST_PIECES);
    pieces.flat_map(|&(low, high)| {
        let (low, high) = (set.grid.float(low), set.grid.float(high));
        [low, high, low.ceil(), high.floor()]
    })
}

/// Integers between the domain's simplest integer and `x`, found by bisection.
fn nearer_integers(set: &Set, x: f64) -> impl Iterator<Item = f64> {
    let integers =
        ends(set).chain([0.0]).filter(|v| is_small_integer(*v) && set.contains(set.grid.index(*v)));
    let target = integers.min_by(order::floats).unwrap_or(0.0);
    let distance = x - target;
    let steps = (0..54).map(move |k| (distance / (1u64 << k) as f64).trunc()).take_while(|d| *d != 0.0);
    steps.map(move |d| x - d).chain([x - x.signum(), x - 2.0 * x.signum()])
}

/// The float with these decimal digits and this power of ten, and with the sign of `x`.
fn compose(x: f64, digits: &str, power: i32) -> Option<f64> {
    let (first, rest) = digits.split_at_checked(1)?;
    let magnitude: f64 = format!("{first}.{rest}0e{power}").parse().ok()?;
    Some(magnitude.copysign(x))
}

/// Floats with fewer digits than `x`: `x` cut and rounded to each shorter number of digits, and smaller floats with a
/// single digit.
fn fewer_digits(x: f64) -> Vec<f64> {
    let (digits, power) = decimal(x);
    let cut = |n: usize| compose(x, &digits[..n], power);
    let rounded = |n: usize| format!("{x:.*e}", n - 1).parse().ok();
    let leading = digits.chars().next().and_then(|c| c.to_digit(10)).unwrap_or(1);
    let only = (1..leading).filter_map(|d| compose(x, &d.to_string(), power));
    // The float with the same number of digits and the last digit reduced by one, for conditions that fewer digits
    // cannot satisfy.
    let last = digits.parse::<u64>().ok().and_then(|n| compose(x, &(n - 1).to_string(), power));
    (1..digits.len()).flat_map(|n| [cut(n), rounded(n)]).flatten().chain(only).chain(last).collect()
}

/// The float with its power of ten moved nearer to 0, by bisection.
fn nearer_powers(x: f64) -> Vec<f64> {
    let (digits, power) = decimal(x);
    let steps = (0..10).map(|k| power / (1 << k)).take_while(|d| *d != 0);
    steps.filter_map(|d| compose(x, &digits, power - d)).collect()
}
