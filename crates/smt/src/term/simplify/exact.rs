//! Integers that were converted to floats without rounding. Operations on them become operations on integers, for which a
//! solver needs a thousandth of the time.

use super::{Op, Sort, Term, Terms, signed};

/// The number of bits of an integer that a float represents exactly, including the sign.
fn precision(sort: Sort) -> u8 {
    if sort == Sort::F32 { 25 } else { 54 }
}

/// The signed integer that the float is. It is never -0 or NaN.
fn integer(terms: &mut Terms, a: Term) -> Option<Term> {
    let most = precision(a.sort());
    if let Some(bits) = a.constant() {
        return known(a.sort(), bits).map(|value| Term::bits(most, value as u128));
    }
    if let Some(x) = terms.as_one(a, Op::FromSigned) {
        return (x.sort().width() <= most).then_some(x);
    }
    let x = terms.as_one(a, Op::FromUnsigned)?;
    let width = x.sort().width() + 1;
    (width <= most).then(|| terms.zero_extend(x, width))
}

fn known(sort: Sort, bits: u128) -> Option<i128> {
    let value = value_of(sort, bits);
    let limit = 2f64.powi(i32::from(precision(sort)) - 1);
    let is_exact =
        value == value.trunc() && value.abs() < limit && !(value == 0.0 && value.is_sign_negative());
    is_exact.then_some(value as i128)
}

fn value_of(sort: Sort, bits: u128) -> f64 {
    if sort == Sort::F32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits as u64) }
}

/// The smallest width that holds a constant integer, or the width of an integer that is not constant.
fn shrunk(a: Term) -> Term {
    let Some(bits) = a.constant() else { return a };
    let value = signed(a.sort().width(), bits);
    let width = 129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    Term::bits(width as u8, value as u128)
}

pub(super) fn one(terms: &mut Terms, op: Op, sort: Sort, a: Term) -> Option<Term> {
    match op {
        // The leading sign bit of a value extended with zeros is zero.
        Op::FromSigned => {
            let x = terms.as_one(a, Op::ZeroExtend)?;
            Some(terms.apply(Op::FromUnsigned, sort, &[x]))
        }
        Op::FromUnsigned => {
            let x = terms.as_one(a, Op::ZeroExtend)?;
            Some(terms.apply(op, sort, &[x]))
        }
        Op::ToSigned => {
            let x = integer(terms, a)?;
            (x.sort().width() <= sort.width()).then(|| terms.sign_extend(x, sort.width()))
        }
        Op::FloatConvert => {
            let x = integer(terms, a)?;
            (x.sort().width() <= precision(sort)).then(|| terms.apply(Op::FromSigned, sort, &[x]))
        }
        _ => None,
    }
}

pub(super) fn two(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    match op {
        Op::FloatEqual | Op::FloatLess | Op::FloatLessEqual => {
            compare(terms, op, a, b).or_else(|| between(terms, op, a, b))
        }
        Op::FloatAdd => sum(terms, Op::Add, a, b),
        Op::FloatSub => sum(terms, Op::Sub, a, b),
        Op::FloatMul => product(terms, a, b),
        _ => None,
    }
}

fn same_width(terms: &mut Terms, x: Term, y: Term, more: u8) -> (Term, Term) {
    let width = x.sort().width().max(y.sort().width()) + more;
    (terms.sign_extend(x, width), terms.sign_extend(y, width))
}

fn compare(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let (x, y) = (integer(terms, a)?, integer(terms, b)?);
    let (x, y) = same_width(terms, shrunk(x), shrunk(y), 0);
    Some(compared(terms, op, x, y))
}

fn compared(terms: &mut Terms, op: Op, x: Term, y: Term) -> Term {
    match op {
        Op::FloatEqual => terms.equal(x, y),
        Op::FloatLess => terms.compare(Op::SignedLess, x, y),
        _ => terms.compare(Op::SignedLessEqual, x, y),
    }
}

/// A comparison with a constant that is not an exact integer. The constant lies between two integers and is replaced by one of
/// them.
fn between(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let (variable, fixed, fixed_is_right) = match (a.constant(), b.constant()) {
        (None, Some(bits)) => (a, value_of(b.sort(), bits), true),
        (Some(bits), None) => (b, value_of(a.sort(), bits), false),
        _ => return None,
    };
    let x = integer(terms, variable)?;
    if fixed.is_nan() || (op == Op::FloatEqual && fixed != 0.0 && fixed.fract() != 0.0) {
        return Some(Term::bool(false));
    }
    let limit = (x.sort().mask() >> 1) as f64 + 1.0;
    let width = x.sort().width() + 1;
    // x < 2.5 is x <= 2, and 2.5 <= x is 2 < x. For a constant beyond all values its size does not matter.
    let floor = Term::bits(width, fixed.floor().clamp(-2.0 * limit, limit) as i128 as u128);
    let whole = fixed.floor() == fixed;
    let x = terms.sign_extend(x, width);
    let (less, less_equal) = (Op::SignedLess, Op::SignedLessEqual);
    Some(match op {
        Op::FloatEqual => terms.equal(x, floor),
        _ if fixed_is_right => {
            terms.compare(if whole && op == Op::FloatLess { less } else { less_equal }, x, floor)
        }
        _ => terms.compare(if whole && op == Op::FloatLessEqual { less_equal } else { less }, floor, x),
    })
}

/// Sum or difference: exact, and 0 instead of -0 if it is zero.
fn sum(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let sort = a.sort();
    let (x, y) = (integer(terms, a)?, integer(terms, b)?);
    let (x, y) = same_width(terms, shrunk(x), shrunk(y), 1);
    (x.sort().width() <= precision(sort)).then(|| {
        let sum = terms.binary(op, x, y);
        terms.apply(Op::FromSigned, sort, &[sum])
    })
}

/// A product with a positive constant, or a square. Other products may be -0.
fn product(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let sort = a.sort();
    let (x, y) = (integer(terms, a)?, integer(terms, b)?);
    let (x, y) = (shrunk(x), shrunk(y));
    let is_positive = y.constant().is_some_and(|bits| signed(y.sort().width(), bits) > 0);
    let width = x.sort().width() + y.sort().width();
    (width <= precision(sort) && (is_positive || x == y)).then(|| {
        let (x, y) = (terms.sign_extend(x, width), terms.sign_extend(y, width));
        let product = terms.binary(Op::Mul, x, y);
        terms.apply(Op::FromSigned, sort, &[product])
    })
}
