//! The domains of parameters as assumptions on the variables of an input.

use dodona_smt::term::{Op, Sort, Term, Terms};
use dodona_target::{Kind, Number, NumberRange, Parameter, Predicate, Scalar, Type};

use super::{Size, stored, text};

/// Adds what a parameter's domain assumes of its variables.
pub(super) fn assume(
    terms: &mut Terms,
    parameter: &Parameter,
    size: &Size,
    variables: &[Term],
    into: &mut Vec<Term>,
) {
    let scalar = match parameter.ty {
        Type::Text => {
            if let Size::Characters(widths) = size {
                into.extend(text::valid(terms, &parameter.domain, widths, variables));
            }
            return;
        }
        Type::Scalar(scalar) | Type::Sequence(scalar) => scalar,
    };
    let numbers = &parameter.domain.numbers;
    for variable in variables {
        if scalar.kind() == Kind::Float {
            into.push(one_nan(terms, *variable, numbers.contains_nan()));
        }
        if !numbers.ranges.is_empty() {
            let mut inside = Term::bool(false);
            if numbers.ranges.iter().any(NumberRange::is_nan) {
                let x = exact(terms, scalar, *variable);
                let number = terms.compare(Op::FloatEqual, x, x);
                inside = terms.not(number);
            }
            for range in numbers.ranges.iter().filter(|range| !range.is_nan()) {
                let within = within(terms, scalar, *variable, range);
                inside = terms.or(inside, within);
            }
            into.push(inside);
        }
        for except in &numbers.except {
            let is = is(terms, scalar, *variable, *except);
            into.push(terms.not(is));
        }
    }
    for predicate in &parameter.domain.predicates {
        self::predicate(terms, scalar, *predicate, variables, into);
    }
    into.retain(|assumption| !assumption.is(true));
}

/// Not NaN, or (where it may be) the canonical one: an input has no other.
fn one_nan(terms: &mut Terms, bits: Term, allowed: bool) -> Term {
    let (infinity, nan) = match bits.sort() {
        Sort::Bits(32) => (0x7f80_0000, 0x7fc0_0000),
        _ => (0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000),
    };
    let width = bits.sort().width();
    let magnitude = terms.binary(Op::BitAnd, bits, Term::bits(width, u128::MAX >> (129 - u32::from(width))));
    let number = terms.compare(Op::UnsignedLessEqual, magnitude, Term::bits(width, infinity));
    if !allowed {
        return number;
    }
    let canonical = terms.equal(bits, Term::bits(width, nan));
    terms.or(number, canonical)
}

/// Whether a scalar lies in a range.
fn within(terms: &mut Terms, scalar: Scalar, variable: Term, range: &NumberRange) -> Term {
    if scalar.kind() == Kind::Float {
        let x = exact(terms, scalar, variable);
        let low = terms.compare(Op::FloatLessEqual, float(range.low.as_f64()), x);
        let high = terms.compare(Op::FloatLessEqual, x, float(range.high.as_f64()));
        return terms.and(low, high);
    }
    let (least, greatest) = scalar.integer_range().unwrap_or((0, 1));
    let low = ceiling(range.low).max(least);
    let high = floor(range.high).min(greatest);
    if low > high {
        return Term::bool(false);
    }
    if scalar == Scalar::Bool {
        let not = terms.not(variable);
        return match (low, high) {
            (0, 0) => not,
            (1, 1) => variable,
            _ => Term::bool(true),
        };
    }
    let op = if least < 0 { Op::SignedLessEqual } else { Op::UnsignedLessEqual };
    let width = variable.sort().width();
    let mut inside = Term::bool(true);
    if low > least {
        inside = terms.compare(op, Term::bits(width, low as u128), variable);
    }
    if high < greatest {
        let below = terms.compare(op, variable, Term::bits(width, high as u128));
        inside = terms.and(inside, below);
    }
    inside
}

fn is(terms: &mut Terms, scalar: Scalar, variable: Term, number: Number) -> Term {
    if scalar.kind() == Kind::Float {
        let x = exact(terms, scalar, variable);
        return terms.compare(Op::FloatEqual, x, float(number.as_f64()));
    }
    let whole = match number {
        Number::Int(i) => i,
        Number::Float(x) if x.fract() == 0.0 => x as i128,
        Number::Float(_) => return Term::bool(false),
    };
    if scalar == Scalar::Bool {
        return match whole {
            0 => terms.not(variable),
            1 => variable,
            _ => Term::bool(false),
        };
    }
    match scalar.integer_range() {
        Some((low, high)) if low <= whole && whole <= high => {
            terms.equal(variable, Term::bits(variable.sort().width(), whole as u128))
        }
        _ => Term::bool(false),
    }
}

/// A float variable as binary64, which holds every value of either sort.
fn exact(terms: &mut Terms, scalar: Scalar, variable: Term) -> Term {
    let x = stored(terms, scalar, variable);
    match x.sort() {
        Sort::F32 => terms.apply(Op::FloatConvert, Sort::F64, &[x]),
        _ => x,
    }
}

fn float(x: f64) -> Term {
    Term::Constant(Sort::F64, x.to_bits().into())
}

fn ceiling(number: Number) -> i128 {
    match number {
        Number::Int(i) => i,
        Number::Float(x) => x.ceil() as i128,
    }
}

fn floor(number: Number) -> i128 {
    match number {
        Number::Int(i) => i,
        Number::Float(x) => x.floor() as i128,
    }
}

fn predicate(
    terms: &mut Terms,
    scalar: Scalar,
    predicate: Predicate,
    variables: &[Term],
    into: &mut Vec<Term>,
) {
    match predicate {
        Predicate::Sorted => {
            for pair in variables.windows(2) {
                into.push(at_most(terms, scalar, pair[0], pair[1]));
            }
        }
        Predicate::Distinct => {
            for (i, a) in variables.iter().enumerate() {
                for b in &variables[..i] {
                    let same = same(terms, scalar, *a, *b);
                    into.push(terms.not(same));
                }
            }
        }
        Predicate::NoNul if scalar.kind() == Kind::Int => {
            for variable in variables {
                let zero = terms.equal(*variable, Term::Constant(variable.sort(), 0));
                into.push(terms.not(zero));
            }
        }
        Predicate::NoNul => {}
    }
}

fn at_most(terms: &mut Terms, scalar: Scalar, a: Term, b: Term) -> Term {
    match scalar {
        Scalar::Bool => {
            let not = terms.not(a);
            terms.or(not, b)
        }
        Scalar::F32 | Scalar::F64 => {
            let (a, b) = (stored(terms, scalar, a), stored(terms, scalar, b));
            terms.compare(Op::FloatLessEqual, a, b)
        }
        _ => {
            let signed = scalar.integer_range().is_some_and(|(low, _)| low < 0);
            let op = if signed { Op::SignedLessEqual } else { Op::UnsignedLessEqual };
            terms.compare(op, a, b)
        }
    }
}

/// Equality as the relation language has it: NaN equals NaN, and both zeros are one.
fn same(terms: &mut Terms, scalar: Scalar, a: Term, b: Term) -> Term {
    let bits = terms.equal(a, b);
    if scalar.kind() != Kind::Float {
        return bits;
    }
    let (a, b) = (stored(terms, scalar, a), stored(terms, scalar, b));
    let equal = terms.compare(Op::FloatEqual, a, b);
    terms.or(bits, equal)
}
