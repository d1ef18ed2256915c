//! Defines which of two values is simpler: a well-founded order, so that shrinking ends.

use std::cmp::Ordering;

use dodona_target::{Sequence, Value};

/// Whether `a` is simpler than `b`. No value is simpler than itself, and there is no infinite sequence of ever
/// simpler values.
///
/// * Numbers: a number nearer to zero is simpler, a positive one simpler than its negative. Floats: integers are simpler
///   than fractions, fractions with fewer decimal digits than those with more, finite than infinite, infinite than NaN.
/// * Sequences and text: the shorter one is simpler; of two equally long ones, the one with the simpler element at the
///   first difference.
/// * Of two values of different kinds, neither is simpler.
///
/// ```
/// use dodona_sources::shrink::simpler;
/// use dodona_target::Value;
/// assert!(simpler(&Value::Int(2), &Value::Int(-2)));
/// assert!(simpler(&Value::Float(3.0), &Value::Float(0.5)));
/// assert!(simpler(&Value::Float(0.5), &Value::Float(0.25)));
/// assert!(!simpler(&Value::Int(7), &Value::Int(7)));
/// ```
pub fn simpler(a: &Value, b: &Value) -> bool {
    let order = match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => integers(a, b),
        (Value::Float(a), Value::Float(b)) => floats(a, b),
        (Value::Text(a), Value::Text(b)) => text(a, b),
        (Value::Sequence(a), Value::Sequence(b)) if a.len() != b.len() => a.len().cmp(&b.len()),
        (Value::Sequence(Sequence::Bool(a)), Value::Sequence(Sequence::Bool(b))) => rows(a, b, bool::cmp),
        (Value::Sequence(Sequence::Int(a)), Value::Sequence(Sequence::Int(b))) => rows(a, b, integers),
        (Value::Sequence(Sequence::Float(a)), Value::Sequence(Sequence::Float(b))) => rows(a, b, floats),
        _ => return false,
    };
    order.is_lt()
}

fn rows<T>(a: &[T], b: &[T], element: impl Fn(&T, &T) -> Ordering) -> Ordering {
    let elements = || a.iter().zip(b).map(|(a, b)| element(a, b)).find(|o| o.is_ne());
    a.len().cmp(&b.len()).then_with(|| elements().unwrap_or(Ordering::Equal))
}

pub(super) fn integers(a: &i128, b: &i128) -> Ordering {
    (a.unsigned_abs(), *a < 0).cmp(&(b.unsigned_abs(), *b < 0))
}

/// Integers from here on are ordered like fractions: halving them is not useful.
pub(super) const LARGE: f64 = (1u64 << 53) as f64;

/// Whether a float is ordered as an integer.
pub(super) fn is_small_integer(x: f64) -> bool {
    x.fract() == 0.0 && x.abs() < LARGE
}

/// The decimal digits and the power of ten of a finite float's shortest form: `1.25e-3` gives ("125", -3). The sign
/// is omitted. A float that an `f32` represents exactly is written as an `f32`, because its digits as an `f64` mean
/// nothing to people.
pub(super) fn decimal(x: f64) -> (String, i32) {
    let single = x as f32;
    let form = match f64::from(single) == x {
        true => format!("{:e}", single.abs()),
        false => format!("{:e}", x.abs()),
    };
    let (digits, power) = form.split_once('e').unwrap_or((&form, "0"));
    (digits.replace('.', ""), power.parse().unwrap_or(0))
}

pub(super) fn floats(a: &f64, b: &f64) -> Ordering {
    let class = |x: &f64| match x {
        _ if x.is_nan() => 3,
        _ if x.is_infinite() => 2,
        _ if is_small_integer(*x) => 0,
        _ => 1,
    };
    let sign = |x: &f64| x.is_sign_negative();
    let weight = |x: &f64| {
        let (digits, power) = decimal(*x);
        (digits.len(), power.abs())
    };
    class(a).cmp(&class(b)).then_with(|| match class(a) {
        3 => Ordering::Equal,
        2 => sign(a).cmp(&sign(b)),
        class => {
            let digits = if class == 1 { weight(a).cmp(&weight(b)) } else { Ordering::Equal };
            digits.then(a.abs().total_cmp(&b.abs())).then(sign(a).cmp(&sign(b)))
        }
    })
}

/// A character's place in the order: `a`, the space, the other small letters, digits, capitals, other printable
/// ASCII, control characters, and the rest by code.
pub(super) fn rank(c: char) -> (u8, u32) {
    let class = match c {
        'a' => 0,
        ' ' => 1,
        'b'..='z' => 2,
        '0'..='9' => 3,
        'A'..='Z' => 4,
        '!'..='~' => 5,
        _ if c.is_ascii() => 6,
        _ => 7,
    };
    (class, c.into())
}

pub(super) fn characters(a: &char, b: &char) -> Ordering {
    rank(*a).cmp(&rank(*b))
}

/// Compares texts that are UTF-8 by their characters; text that is not UTF-8 comes after all text that is.
fn text(a: &[u8], b: &[u8]) -> Ordering {
    match (std::str::from_utf8(a), std::str::from_utf8(b)) {
        (Ok(a), Ok(b)) => {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            rows(&a, &b, characters)
        }
        (Err(_), Err(_)) => rows(a, b, u8::cmp),
        (a, b) => a.is_err().cmp(&b.is_err()),
    }
}
