//! Arithmetic on single numbers: the one place that defines the operators.

use std::cmp::Ordering;

use dodona_target::{Number, nearest_float, same_float};

use crate::ast::Bound;

/// 2^127, the first float above every `i128`.
const ABOVE_INTEGERS: f64 = 170141183460469231731687303715884105728.0;

/// A number as a 128-bit integer, if it is one.
pub(crate) fn to_integer(x: Number) -> Option<i128> {
    match x {
        Number::Int(i) => Some(i),
        Number::Float(x) => {
            let fits = x.trunc() == x && (-ABOVE_INTEGERS..ABOVE_INTEGERS).contains(&x);
            fits.then_some(x as i128)
        }
    }
}

/// Integers that divide exactly give an integer, all other numbers a float. Undefined for a zero divisor.
pub(crate) fn divide(a: Number, b: Number) -> Option<Number> {
    if let (Number::Int(a), Number::Int(b)) = (a, b) {
        return match b {
            0 => None,
            -1 => a.checked_neg().map(Number::Int),
            b if a % b == 0 => Some(Number::Int(a / b)),
            b => Some(Number::Float(nearest_float(a) / nearest_float(b))),
        };
    }
    divide_floats(a.as_f64(), b.as_f64()).map(Number::Float)
}

/// Undefined for a zero divisor of either sign.
pub(crate) fn divide_floats(a: f64, b: f64) -> Option<f64> {
    (b != 0.0).then(|| a / b)
}

/// An integer to an integer power >= 0 gives an integer, undefined on overflow; all other numbers give a float.
pub(crate) fn power(a: Number, b: Number) -> Option<Number> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) if b >= 0 => power_int(a, b).map(Number::Int),
        _ => Some(Number::Float(power_float(a.as_f64(), b.as_f64()))),
    }
}

/// `a` to the power `b` >= 0; `None` on overflow.
pub(crate) fn power_int(a: i128, b: i128) -> Option<i128> {
    match a {
        0 | 1 if b > 0 => Some(a),
        -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => a.checked_pow(u32::try_from(b).ok()?),
    }
}

/// The square is computed as `a * a`, so that it equals a written-out product to the last bit.
pub(crate) fn power_float(a: f64, b: f64) -> f64 {
    if b == 2.0 { a * a } else { a.powf(b) }
}

/// The smaller float; NaN if either is NaN.
pub(crate) fn min_float(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        Some(Ordering::Less) => a,
        Some(Ordering::Equal) if a.is_sign_negative() => a,
        _ => b,
    }
}

/// The greater float; NaN if either is NaN.
pub(crate) fn max_float(a: f64, b: f64) -> f64 {
    -min_float(-a, -b)
}

/// A float that is already rounded, as an integer if it fits into 128 bits.
pub(crate) fn rounded(x: f64) -> Number {
    to_integer(Number::Float(x)).map_or(Number::Float(x), Number::Int)
}

/// The exact order of two numbers, also of an integer and a float. `None` if either is NaN.
pub fn compare(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
        (Number::Int(a), Number::Float(b)) => compare_int_float(a, b),
        (Number::Float(a), Number::Int(b)) => compare_int_float(b, a).map(Ordering::reverse),
    }
}

fn compare_int_float(i: i128, x: f64) -> Option<Ordering> {
    if x.is_nan() {
        return None;
    }
    if x >= ABOVE_INTEGERS {
        return Some(Ordering::Less);
    }
    if x < -ABOVE_INTEGERS {
        return Some(Ordering::Greater);
    }
    let whole = x.trunc();
    Some(i.cmp(&(whole as i128)).then_with(|| whole.total_cmp(&x)))
}

/// Exact equality; NaN equals NaN.
pub(crate) fn equal(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => same_float(a, b),
        _ => compare(a, b) == Some(Ordering::Equal),
    }
}

/// The test that `~=` makes on two floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Nearness {
    /// `|a - b| <= this number * max(|a|, |b|)`.
    Relative(f64),
    /// As `Relative`, or `|a - b| <= absolute`.
    Either { relative: f64, absolute: f64 },
    /// At most this many units in the last place of an `f64`.
    Ulps(u64),
    /// At most this many units in the last place of an `f32`.
    SingleUlps(u64),
}

impl Nearness {
    /// The test for a tolerance; `single` if at least one side is of single precision.
    pub(crate) fn new(bound: Bound, single: bool) -> Self {
        match bound {
            Bound::Relative(relative) => Nearness::Relative(relative),
            Bound::Either { relative, absolute } => Nearness::Either { relative, absolute },
            Bound::Ulps(ulps) if single => Nearness::SingleUlps(ulps),
            Bound::Ulps(ulps) => Nearness::Ulps(ulps),
        }
    }

    /// Whether two floats pass the test. NaN is near NaN; an infinity is near only itself.
    #[inline]
    pub(crate) fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Nearness::Relative(relative) => near(a, b, relative),
            Nearness::Either { relative, absolute } => near(a, b, relative) || (a - b).abs() <= absolute,
            Nearness::Ulps(ulps) => near_ulps(a, b, ulps),
            Nearness::SingleUlps(ulps) => same_float(a, b) || near_single_ulps(a as f32, b as f32, ulps),
        }
    }

    /// How much of the difference that passes the test the difference of two floats takes: about 1 at the border, and 0 for equal ones.
    /// A difference of `allowance` passes too. For units in the last place the share is estimated from the larger float. `None` unless
    /// both are finite.
    pub(crate) fn share(self, a: f64, b: f64, allowance: f64) -> Option<f64> {
        let larger = a.abs().max(b.abs());
        let in_units = |ulps: u64, unit: f64| (ulps as f64 * unit * larger).max(f64::MIN_POSITIVE);
        let permitted = match self {
            Nearness::Relative(relative) => relative * larger,
            Nearness::Either { relative, absolute } => absolute.max(relative * larger),
            Nearness::Ulps(ulps) => in_units(ulps, f64::EPSILON),
            Nearness::SingleUlps(ulps) => in_units(ulps, f32::EPSILON.into()),
        };
        (a.is_finite() && b.is_finite()).then(|| match (a - b).abs() {
            0.0 => 0.0,
            difference => difference / permitted.max(allowance),
        })
    }
}

/// Written without branches, so that the compiler turns a loop over a column into vector code.
#[inline]
pub(crate) fn near(a: f64, b: f64, relative: f64) -> bool {
    let difference = (a - b).abs();
    let larger = if a.abs() > b.abs() { a.abs() } else { b.abs() };
    let within = (difference <= relative * larger) & (difference < f64::INFINITY);
    within | (a == b) | (a.is_nan() & b.is_nan())
}

fn near_ulps(a: f64, b: f64, ulps: u64) -> bool {
    // Positive floats are ordered like their bits. Negative floats are ordered the other way round, so their place is
    // negated; -0 and +0 have the same place.
    let place =
        |x: f64| if x < 0.0 { -((x.to_bits() & !(1 << 63)) as i128) } else { x.abs().to_bits().into() };
    same_float(a, b) || (a.is_finite() && b.is_finite() && place(a).abs_diff(place(b)) <= ulps.into())
}

fn near_single_ulps(a: f32, b: f32, ulps: u64) -> bool {
    let place =
        |x: f32| if x < 0.0 { -i64::from(x.to_bits() & !(1 << 31)) } else { x.abs().to_bits().into() };
    a.is_finite() && b.is_finite() && place(a).abs_diff(place(b)) <= ulps
}
