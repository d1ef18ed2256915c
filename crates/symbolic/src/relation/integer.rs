//! Exact integers: bits with a sign that become as many as a result needs. The language's integers have 128 bits and are
//! undefined beyond; here sums are too, and larger products have no translation.

use super::Unsupported;
use crate::term::{Op, Sort, Term, Terms};

/// A result, and where it is defined.
pub(super) type Given = (Term, Term);

/// The integer in as few bits as hold it.
pub(super) fn constant(value: i128) -> Term {
    let unused = if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    Term::bits((129 - unused).max(1) as u8, value as u128)
}

/// The value of a known integer.
pub(super) fn known(a: Term) -> Option<i128> {
    let unused = 128 - u32::from(a.sort().width());
    a.constant().map(|bits| ((bits << unused) as i128) >> unused)
}

/// As bits of a width, those above cut off.
pub(super) fn fit(terms: &mut Terms, a: Term, width: u8) -> Term {
    if a.sort().width() > width { terms.extract(a, 0, width) } else { terms.sign_extend(a, width) }
}

/// Both in one width.
pub(super) fn level(terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
    let width = a.sort().width().max(b.sort().width());
    (terms.sign_extend(a, width), terms.sign_extend(b, width))
}

/// Sum or difference.
pub(super) fn sum(terms: &mut Terms, op: Op, a: Term, b: Term) -> Given {
    let width = a.sort().width().max(b.sort().width());
    if width < 128 {
        let (a, b) = (terms.sign_extend(a, width + 1), terms.sign_extend(b, width + 1));
        return (terms.binary(op, a, b), Term::bool(true));
    }
    let (a, b) = level(terms, a, b);
    let result = terms.binary(op, a, b);
    let mut negative = |term| terms.compare(Op::SignedLess, term, Term::bits(128, 0));
    let (of_a, of_b, of_result) = (negative(a), negative(b), negative(result));
    // A sum overflows where both have one sign and it the other; a difference where they have two.
    let alike = terms.equal(of_a, of_b);
    let may = if op == Op::Add { alike } else { terms.not(alike) };
    let kept = terms.equal(of_a, of_result);
    let never = terms.not(may);
    (result, terms.or(never, kept))
}

/// # Errors
/// When the product may need more than 128 bits.
pub(super) fn product(terms: &mut Terms, a: Term, b: Term) -> Result<Term, Unsupported> {
    let width = u32::from(a.sort().width()) + u32::from(b.sort().width());
    if width > 128 {
        return Err(Unsupported::new("a product of more than 128 bits"));
    }
    let (a, b) = (terms.sign_extend(a, width as u8), terms.sign_extend(b, width as u8));
    Ok(terms.binary(Op::Mul, a, b))
}

/// # Errors
/// As for [`product`].
pub(super) fn power(terms: &mut Terms, a: Term, exponent: u32) -> Result<Term, Unsupported> {
    match exponent {
        0 => Ok(constant(1)),
        _ => (1..exponent).try_fold(a, |power, _| product(terms, power, a)),
    }
}

/// Quotient towards zero, or the remainder that it leaves; undefined for a divisor of zero.
pub(super) fn quotient(terms: &mut Terms, op: Op, a: Term, b: Term) -> Given {
    let zero = terms.equal(b, Term::Constant(b.sort(), 0));
    let width = (a.sort().width().max(b.sort().width()) + 1).min(128);
    let (wide_a, wide_b) = (terms.sign_extend(a, width), terms.sign_extend(b, width));
    let result = terms.binary(op, wide_a, wide_b);
    let mut defined = terms.not(zero);
    if width == a.sort().width() && op == Op::SignedDivide {
        // The least integer by -1 does not fit.
        let (_, fits) = negated(terms, a);
        let minus = terms.equal(wide_b, Term::bits(width, u128::MAX));
        let other = terms.not(minus);
        let fits = terms.or(other, fits);
        defined = terms.and(defined, fits);
    }
    (result, defined)
}

pub(super) fn negated(terms: &mut Terms, a: Term) -> Given {
    sum(terms, Op::Sub, constant(0), a)
}

pub(super) fn absolute(terms: &mut Terms, a: Term) -> Given {
    let (minus, fits) = negated(terms, a);
    let negative = terms.compare(Op::SignedLess, a, Term::Constant(a.sort(), 0));
    let plus = terms.sign_extend(a, minus.sort().width());
    let positive = terms.not(negative);
    (terms.ite(negative, minus, plus), terms.or(positive, fits))
}

pub(super) fn less(terms: &mut Terms, a: Term, b: Term) -> Term {
    let (a, b) = level(terms, a, b);
    terms.compare(Op::SignedLess, a, b)
}

pub(super) fn equal(terms: &mut Terms, a: Term, b: Term) -> Term {
    let (a, b) = level(terms, a, b);
    terms.equal(a, b)
}

/// The first where the condition holds, else the second.
pub(super) fn choose(terms: &mut Terms, condition: Term, a: Term, b: Term) -> Term {
    let (a, b) = level(terms, a, b);
    terms.ite(condition, a, b)
}

/// As a float, rounded to nearest.
pub(super) fn to_float(terms: &mut Terms, a: Term) -> Term {
    terms.apply(Op::FromSigned, Sort::F64, &[a])
}
