//! And, or, exclusive or, and shifts. If known zeros or ones decide some bits, the other bits are treated separately.

use super::{Op, Term, Terms, constant, fold, signed};

pub(super) fn bitwise(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let sort = a.sort();
    if a == b {
        return Some(if op == Op::BitXor { constant(sort, 0) } else { a });
    }
    if let Some(c) = b.constant() {
        if let Some(term) = with_constant(terms, op, a, c) {
            return Some(term);
        }
    } else if let Some(term) = masked(terms, op, a, b).or_else(|| masked(terms, op, b, a)) {
        return Some(term);
    } else if let Some(term) = again(terms, op, a, b).or_else(|| again(terms, op, b, a)) {
        return Some(term);
    }
    magnitude(terms, op, a, b)
        .or_else(|| magnitude(terms, op, b, a))
        .or_else(|| signs(terms, op, a, b))
        .or_else(|| split(terms, op, a, b))
}

/// Whether every bit is the sign of a value: `x >> 31` of 32 bits.
pub(super) fn is_sign_of(terms: &mut Terms, signs: Term, x: Term) -> bool {
    let Some(sign) = terms.as_one(signs, Op::SignExtend) else { return false };
    terms.as_extract(sign) == Some((x, x.sort().width() - 1))
}

/// The absolute value, which compilers write as `(x + s) ^ s` and `(x ^ s) - s`, where every bit of `s` is the sign of x.
pub(super) fn absolute(terms: &mut Terms, x: Term) -> Term {
    let zero = constant(x.sort(), 0);
    let negative = terms.compare(Op::SignedLess, x, zero);
    let minus = terms.binary(Op::Sub, zero, x);
    terms.ite(negative, minus, x)
}

fn magnitude(terms: &mut Terms, op: Op, a: Term, signs: Term) -> Option<Term> {
    let (p, q) = terms.as_two(a, Op::Add).filter(|_| op == Op::BitXor)?;
    let x = match signs {
        _ if p == signs => q,
        _ if q == signs => p,
        _ => return None,
    };
    is_sign_of(terms, signs, x).then(|| absolute(terms, x))
}

/// Operands that were extended with their signs, in their former width.
fn signs(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let x = terms.as_one(a, Op::SignExtend)?;
    let y = match b {
        Term::Constant(..) => terms.extract(b, 0, x.sort().width()),
        Term::Node(..) => terms.as_one(b, Op::SignExtend).filter(|y| y.sort() == x.sort())?,
    };
    let width = a.sort().width();
    if terms.sign_extend(y, width) != b {
        return None;
    }
    let narrow = terms.binary(op, x, y);
    Some(terms.sign_extend(narrow, width))
}

fn with_constant(terms: &mut Terms, op: Op, a: Term, c: u128) -> Option<Term> {
    let sort = a.sort();
    let (zeros, ones) = (c == 0, c == sort.mask());
    match op {
        Op::BitAnd if zeros => return Some(constant(sort, 0)),
        Op::BitOr if ones => return Some(constant(sort, c)),
        Op::BitAnd if ones => return Some(a),
        Op::BitOr | Op::BitXor if zeros => return Some(a),
        _ => {}
    }
    if let Some((x, Term::Constant(_, before))) = terms.as_two(a, op) {
        return Some(terms.binary(op, x, constant(sort, fold(op, sort, before, c))));
    }
    if op == Op::BitAnd { mask(terms, a, c) } else { None }
}

/// For a mask with one run of ones: the bits under it, with zeros around them.
fn mask(terms: &mut Terms, a: Term, c: u128) -> Option<Term> {
    let low = c.trailing_zeros() as u8;
    let ones = (c >> low).trailing_ones() as u8;
    if c >> low >> (ones - 1) != 1 {
        return None;
    }
    let mut bits = terms.extract(a, low, ones);
    if low > 0 {
        bits = terms.concat(bits, Term::bits(low, 0));
    }
    Some(terms.zero_extend(bits, a.sort().width()))
}

/// A mask that is all ones or all zeros, depending on a condition.
fn masked(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let (condition, x, y) = terms.as_ite(b).filter(|_| op == Op::BitAnd)?;
    let (zero, ones) = (constant(a.sort(), 0), constant(a.sort(), a.sort().mask()));
    match () {
        () if (x, y) == (ones, zero) => Some(terms.ite(condition, a, zero)),
        () if (x, y) == (zero, ones) => Some(terms.ite(condition, zero, a)),
        () => None,
    }
}

/// `(a op y) op y`.
fn again(terms: &mut Terms, op: Op, a: Term, y: Term) -> Option<Term> {
    let (p, q) = terms.as_two(a, op)?;
    let rest = match () {
        () if p == y => q,
        () if q == y => p,
        () => return None,
    };
    Some(if op == Op::BitXor { rest } else { a })
}

/// If operands consist of pieces, some of which are known, the operation is applied to each piece.
fn split(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let at = split_point(terms, a, b).or_else(|| split_point(terms, b, a))?;
    let width = a.sort().width();
    let high = (terms.extract(a, at, width - at), terms.extract(b, at, width - at));
    let low = (terms.extract(a, 0, at), terms.extract(b, 0, at));
    let (high, low) = (terms.binary(op, high.0, high.1), terms.binary(op, low.0, low.1));
    Some(terms.concat(high, low))
}

fn split_point(terms: &Terms, a: Term, b: Term) -> Option<u8> {
    if let Some(x) = terms.as_one(a, Op::ZeroExtend) {
        return Some(x.sort().width());
    }
    let (high, low) = terms.as_two(a, Op::Concat)?;
    let known = [high, low, b].iter().any(|t| t.constant().is_some());
    known.then_some(low.sort().width())
}

pub(super) fn shift(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let width = a.sort().width();
    if let Some(value) = a.constant() {
        let stays = value == 0 || (op == Op::ShiftRightSigned && signed(width, value) == -1);
        return stays.then_some(a);
    }
    let by = b.constant()?;
    if by == 0 {
        return Some(a);
    }
    if by >= u128::from(width) && op != Op::ShiftRightSigned {
        return Some(constant(a.sort(), 0));
    }
    let by = by.min(u128::from(width) - 1) as u8;
    if by == 0 {
        return Some(a);
    }
    let kept = width - by;
    Some(match op {
        Op::ShiftLeft => {
            let bits = terms.extract(a, 0, kept);
            terms.concat(bits, Term::bits(by, 0))
        }
        Op::ShiftRight => {
            let bits = terms.extract(a, by, kept);
            terms.zero_extend(bits, width)
        }
        _ => {
            let bits = terms.extract(a, by, kept);
            terms.sign_extend(bits, width)
        }
    })
}
