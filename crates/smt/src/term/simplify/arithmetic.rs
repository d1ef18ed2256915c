//! Sums, products and quotients of bit vectors.

use super::bitwise::{absolute, is_sign_of};
use super::{Op, Sort, Term, Terms, constant, fold, signed};

pub(super) fn arithmetic(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    match op {
        Op::Add => add(terms, a, b),
        Op::Sub => sub(terms, a, b),
        Op::Mul => match b.constant() {
            Some(c) => mul(terms, a, c),
            None => distributed(terms, a, b)
                .or_else(|| distributed(terms, b, a))
                .or_else(|| factor_outside(terms, a, b))
                .or_else(|| factor_outside(terms, b, a)),
        },
        _ => divide(terms, op, a, b.constant()?),
    }
}

/// The term and the constant of a sum with a constant.
fn with_offset(terms: &Terms, a: Term) -> Option<(Term, u128)> {
    let (x, c) = terms.as_two(a, Op::Add)?;
    Some((x, c.constant()?))
}

/// `x` where the term is `-x`.
fn negated(terms: &Terms, a: Term) -> Option<Term> {
    let (zero, x) = terms.as_two(a, Op::Sub)?;
    (zero.constant() == Some(0)).then_some(x)
}

fn add(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if let Some(c) = b.constant() {
        return add_constant(terms, a, c);
    }
    if let Some((x, c)) = with_offset(terms, a) {
        let sum = terms.binary(Op::Add, x, b);
        return Some(terms.binary(Op::Add, sum, constant(a.sort(), c)));
    }
    if let Some((y, c)) = with_offset(terms, b) {
        let sum = terms.binary(Op::Add, a, y);
        return Some(terms.binary(Op::Add, sum, constant(a.sort(), c)));
    }
    if let Some(y) = negated(terms, b) {
        return Some(terms.binary(Op::Sub, a, y));
    }
    if let Some(x) = negated(terms, a) {
        return Some(terms.binary(Op::Sub, b, x));
    }
    match (terms.as_two(a, Op::Sub), terms.as_two(b, Op::Sub)) {
        (Some((x, y)), _) if y == b => Some(x),
        (_, Some((x, y))) if y == a => Some(x),
        _ => common_factor(terms, Op::Add, a, b),
    }
}

fn add_constant(terms: &mut Terms, a: Term, c: u128) -> Option<Term> {
    let sort = a.sort();
    if c == 0 {
        return Some(a);
    }
    if let Some((x, before)) = with_offset(terms, a) {
        return Some(terms.binary(Op::Add, x, constant(sort, fold(Op::Add, sort, before, c))));
    }
    let (first, x) = terms.as_two(a, Op::Sub)?;
    let sum = fold(Op::Add, sort, first.constant()?, c);
    Some(terms.binary(Op::Sub, constant(sort, sum), x))
}

fn sub(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let sort = a.sort();
    if a == b {
        return Some(constant(sort, 0));
    }
    if let Some(c) = b.constant() {
        return Some(terms.binary(Op::Add, a, constant(sort, c.wrapping_neg())));
    }
    if let Some((y, c)) = with_offset(terms, b) {
        let difference = terms.binary(Op::Sub, a, y);
        return Some(terms.binary(Op::Add, difference, constant(sort, c.wrapping_neg())));
    }
    if let Some((x, c)) = with_offset(terms, a) {
        let difference = terms.binary(Op::Sub, x, b);
        return Some(terms.binary(Op::Add, difference, constant(sort, c)));
    }
    if let Some((Term::Constant(_, c), y)) = terms.as_two(b, Op::Sub) {
        let sum = terms.binary(Op::Add, a, y);
        return Some(terms.binary(Op::Sub, sum, constant(sort, c)));
    }
    if let Some((x, y)) = terms.as_two(a, Op::BitXor)
        && (x == b || y == b)
    {
        let x = if x == b { y } else { x };
        return is_sign_of(terms, b, x).then(|| absolute(terms, x));
    }
    match terms.as_two(a, Op::Add) {
        Some((x, y)) if y == b => Some(x),
        Some((x, y)) if x == b => Some(y),
        _ => common_factor(terms, Op::Sub, a, b),
    }
}

/// `(x + 1) * y` is `x * y + y`, so that products of neighbours have a product in common.
fn distributed(terms: &mut Terms, a: Term, y: Term) -> Option<Term> {
    let (x, c) = with_offset(terms, a)?;
    let op = match c {
        1 => Op::Add,
        c if c == a.sort().mask() => Op::Sub,
        _ => return None,
    };
    let product = terms.binary(Op::Mul, x, y);
    Some(terms.binary(op, product, y))
}

/// The term and the constant of a product with a constant. Shifts are products with powers of two.
fn factored(terms: &Terms, a: Term) -> Option<(Term, u128)> {
    if let Some((x, c)) = terms.as_two(a, Op::Mul) {
        return Some((x, c.constant()?));
    }
    let (high, low) = terms.as_two(a, Op::Concat).filter(|(_, low)| low.constant() == Some(0))?;
    let (x, from) = terms.as_extract(high)?;
    (from == 0 && x.sort() == a.sort()).then(|| (x, 1 << low.sort().width()))
}

/// `(x * 3) * y` is `(x * y) * 3`.
fn factor_outside(terms: &mut Terms, a: Term, y: Term) -> Option<Term> {
    let (x, c) = factored(terms, a)?;
    let product = terms.binary(Op::Mul, x, y);
    Some(terms.binary(Op::Mul, product, constant(a.sort(), c)))
}

/// `x * 3 + y * 3` is `(x + y) * 3`.
fn common_factor(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let ((x, c), (y, d)) = (factored(terms, a)?, factored(terms, b)?);
    (c == d).then(|| {
        let sum = terms.binary(op, x, y);
        terms.binary(Op::Mul, sum, constant(a.sort(), c))
    })
}

fn mul(terms: &mut Terms, a: Term, c: u128) -> Option<Term> {
    let sort = a.sort();
    if c == 0 {
        return Some(constant(sort, 0));
    }
    if c == 1 {
        return Some(a);
    }
    if c == sort.mask() {
        return Some(terms.binary(Op::Sub, constant(sort, 0), a));
    }
    if c.is_power_of_two() {
        return Some(terms.binary(Op::ShiftLeft, a, constant(sort, c.trailing_zeros().into())));
    }
    if let Some((x, offset)) = with_offset(terms, a) {
        let product = terms.binary(Op::Mul, x, constant(sort, c));
        return Some(terms.binary(Op::Add, product, constant(sort, fold(Op::Mul, sort, offset, c))));
    }
    let (x, before) = terms.as_two(a, Op::Mul)?;
    let product = fold(Op::Mul, sort, before.constant()?, c);
    Some(terms.binary(Op::Mul, x, constant(sort, product)))
}

fn divide(terms: &mut Terms, op: Op, a: Term, c: u128) -> Option<Term> {
    let sort = a.sort();
    match op {
        Op::UnsignedDivide | Op::SignedDivide if c == 1 && sort.width() > 1 => return Some(a),
        Op::UnsignedDivide if c.is_power_of_two() => {
            let by = constant(sort, c.trailing_zeros().into());
            return Some(terms.binary(Op::ShiftRight, a, by));
        }
        Op::UnsignedRemainder if c.is_power_of_two() => {
            return Some(terms.binary(Op::BitAnd, a, constant(sort, c - 1)));
        }
        Op::SignedRemainder if c == 1 || c == sort.mask() => return Some(constant(sort, 0)),
        Op::SignedDivide if c == sort.mask() => {
            return Some(terms.binary(Op::Sub, constant(sort, 0), a));
        }
        _ => {}
    }
    narrowed(terms, op, a, c)
}

/// A quotient of a value extended with zeros, in the width that it had before.
fn narrowed(terms: &mut Terms, op: Op, a: Term, c: u128) -> Option<Term> {
    let sort = a.sort();
    let x = terms.as_one(a, Op::ZeroExtend)?;
    let is_signed = matches!(op, Op::SignedDivide | Op::SignedRemainder);
    if c == 0 || (is_signed && signed(sort.width(), c) < 0) {
        return None;
    }
    let is_quotient = matches!(op, Op::SignedDivide | Op::UnsignedDivide);
    if c > x.sort().mask() {
        return Some(if is_quotient { constant(sort, 0) } else { a });
    }
    let narrow = if is_quotient { Op::UnsignedDivide } else { Op::UnsignedRemainder };
    let result = terms.binary(narrow, x, constant(x.sort(), c));
    Some(terms.apply(Op::ZeroExtend, sort, &[result]))
}

/// The lowest bits of a sum or product, computed from those of its operands. Programs that compute in 64 bits and keep 32 need
/// this.
pub(super) fn truncated(terms: &mut Terms, a: Term, width: u8) -> Option<Term> {
    if width < 8 {
        return None;
    }
    let op = terms.op_of(a).filter(|op| matches!(op, Op::Add | Op::Sub | Op::Mul))?;
    let (x, y) = terms.as_two(a, op)?;
    let is_free = |terms: &Terms, t: Term| {
        let of = [Op::ZeroExtend, Op::SignExtend, Op::Concat].iter().any(|op| terms.op_of(t) == Some(*op));
        of || t.constant().is_some()
    };
    if !(is_free(terms, x) && is_free(terms, y)) {
        return None;
    }
    let sort = Sort::Bits(width);
    let (x, y) = (terms.extract(x, 0, width), terms.extract(y, 0, width));
    let narrow = terms.apply(op, sort, &[x, y]);
    // If an operand fell into pieces, the parts of the sum could not be recognised and put together again.
    (terms.op_of(narrow) == Some(op)).then_some(narrow)
}
