//! Equality of bit vectors.

use super::{Op, Sort, Term, Terms, constant, fold, signed};

pub(super) fn equal(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(Term::bool(true));
    }
    match b.constant() {
        Some(value) => with_constant(terms, a, value),
        None => extended(terms, a, b)
            .or_else(|| pieces(terms, a, b))
            .or_else(|| cancelled(terms, a, b))
            .or_else(|| cancelled(terms, b, a)),
    }
}

fn with_constant(terms: &mut Terms, a: Term, k: u128) -> Option<Term> {
    let sort = a.sort();
    match terms.op_of(a)? {
        Op::ZeroExtend | Op::SignExtend => of_extended(terms, a, k),
        Op::Concat => of_concat(terms, a, k),
        op @ (Op::Add | Op::BitXor) => match terms.as_two(a, op)? {
            (x, Term::Constant(_, c)) => {
                let back = if op == Op::Add { Op::Sub } else { op };
                Some(terms.equal(x, constant(sort, fold(back, sort, k, c))))
            }
            (x, y) if op == Op::BitXor && k == 0 => Some(terms.equal(x, y)),
            _ => None,
        },
        Op::Sub => match terms.as_two(a, Op::Sub)? {
            (Term::Constant(_, c), x) => Some(terms.equal(x, constant(sort, fold(Op::Sub, sort, c, k)))),
            (x, y) if k == 0 => Some(terms.equal(x, y)),
            _ => None,
        },
        Op::BitOr if k == 0 => both(terms, a, Op::BitOr, k),
        Op::BitAnd if k == sort.mask() => both(terms, a, Op::BitAnd, k),
        Op::Mul => of_product(terms, a, k),
        _ => None,
    }
}

fn both(terms: &mut Terms, a: Term, op: Op, k: u128) -> Option<Term> {
    let (x, y) = terms.as_two(a, op)?;
    let k = constant(a.sort(), k);
    let (x, y) = (terms.equal(x, k), terms.equal(y, k));
    Some(terms.and(x, y))
}

/// An odd factor has an inverse. It is used only if the quotient is a number that people expect.
fn of_product(terms: &mut Terms, a: Term, k: u128) -> Option<Term> {
    let (x, y) = terms.as_two(a, Op::Mul)?;
    let (factor, width) = (y.constant()?, a.sort().width());
    let (f, k) = (signed(width, factor), signed(width, k));
    (f % 2 != 0 && k % f == 0).then(|| {
        let quotient = constant(a.sort(), k.wrapping_div(f) as u128);
        terms.equal(x, quotient)
    })
}

fn of_extended(terms: &mut Terms, a: Term, k: u128) -> Option<Term> {
    let op = terms.op_of(a)?;
    let x = terms.as_one(a, op)?;
    let low = constant(x.sort(), k);
    let again = terms.apply(op, a.sort(), &[low]);
    if again.constant() == Some(k) { Some(terms.equal(x, low)) } else { Some(Term::bool(false)) }
}

fn of_concat(terms: &mut Terms, a: Term, k: u128) -> Option<Term> {
    let (high, low) = terms.as_two(a, Op::Concat)?;
    let low_equal = terms.equal(low, constant(low.sort(), k));
    let high_equal = terms.equal(high, constant(high.sort(), k >> low.sort().width()));
    // The low end comes first, because text begins there.
    Some(terms.and(low_equal, high_equal))
}

/// Two values that were extended in the same way are equal if they were equal before.
fn extended(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let op = terms.op_of(a)?;
    if !matches!(op, Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let (x, y) = (terms.as_one(a, op)?, terms.as_one(b, op)?);
    let sort = Sort::Bits(x.sort().width().max(y.sort().width()));
    let (x, y) = (terms.apply(op, sort, &[x]), terms.apply(op, sort, &[y]));
    Some(terms.equal(x, y))
}

fn pieces(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let ((high_a, low_a), (high_b, low_b)) = (terms.as_two(a, Op::Concat)?, terms.as_two(b, Op::Concat)?);
    if low_a.sort() != low_b.sort() {
        return None;
    }
    let (low, high) = (terms.equal(low_a, low_b), terms.equal(high_a, high_b));
    Some(terms.and(low, high))
}

/// `x + y == x` is `y == 0`; `x + y == x + z` is `y == z`.
fn cancelled(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (x, y) = terms.as_two(a, Op::Add)?;
    if x == b || y == b {
        let rest = if x == b { y } else { x };
        return Some(terms.equal(rest, constant(a.sort(), 0)));
    }
    let (v, w) = terms.as_two(b, Op::Add)?;
    let (rest_a, rest_b) = match () {
        () if x == v => (y, w),
        () if x == w => (y, v),
        () if y == v => (x, w),
        () if y == w => (x, v),
        () => return None,
    };
    Some(terms.equal(rest_a, rest_b))
}
