//! Exact integers: signed bit vectors that are as wide as a result needs, up to the 128 bits of the language's integers.
//! Greater results are undefined.

use dodona_smt::term::{Op, Sort, Term, Terms};

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
    // A sum overflows if both operands have the same sign and the sum has the other one; a difference if their signs differ.
    let alike = terms.equal(of_a, of_b);
    let may = if op == Op::Add { alike } else { terms.not(alike) };
    let kept = terms.equal(of_a, of_result);
    let never = terms.not(may);
    (result, terms.or(never, kept))
}

pub(super) fn product(terms: &mut Terms, a: Term, b: Term) -> Given {
    let width = u32::from(a.sort().width()) + u32::from(b.sort().width());
    if width <= 128 {
        let (a, b) = (terms.sign_extend(a, width as u8), terms.sign_extend(b, width as u8));
        return (terms.binary(Op::Mul, a, b), Term::bool(true));
    }
    let fits = match (known(a), known(b)) {
        (_, Some(factor)) => within_factor(terms, a, factor),
        (Some(factor), _) => within_factor(terms, b, factor),
        _ => product_fits(terms, a, b),
    };
    let (a, b) = (terms.sign_extend(a, 128), terms.sign_extend(b, 128));
    (terms.binary(Op::Mul, a, b), fits)
}

/// Whether an integer times a known one fits in 128 bits.
fn within_factor(terms: &mut Terms, a: Term, factor: i128) -> Term {
    if factor == 0 {
        return Term::bool(true);
    }
    let ends = [i128::MIN.checked_div(factor), i128::MAX.checked_div(factor)];
    // The product of the least integer and -1 does not fit: it is one more than the greatest integer.
    let ends = ends.map(|end| end.unwrap_or(i128::MAX));
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let (below, above) = (less(terms, a, constant(low)), less(terms, constant(high), a));
    let outside = terms.or(below, above);
    terms.not(outside)
}

/// Whether a product fits into 128 bits: divided by one factor it gives the other.
fn product_fits(terms: &mut Terms, a: Term, b: Term) -> Term {
    let (a, b) = (terms.sign_extend(a, 128), terms.sign_extend(b, 128));
    let product = terms.binary(Op::Mul, a, b);
    let back = terms.binary(Op::SignedDivide, product, a);
    let same = terms.equal(back, b);
    let (zero, minus) = (Term::bits(128, 0), Term::bits(128, u128::MAX));
    let of_zero = terms.equal(a, zero);
    // Divided by -1, the least integer overflows to itself.
    let (of_minus, least) = (terms.equal(a, minus), terms.equal(b, Term::bits(128, 1 << 127)));
    let round = terms.and(of_minus, least);
    let not_round = terms.not(round);
    let fits = terms.and(same, not_round);
    terms.or(of_zero, fits)
}

/// A whole power.
pub(super) fn power(terms: &mut Terms, a: Term, exponent: u32) -> Given {
    if exponent == 0 {
        return (constant(1), Term::bool(true));
    }
    let mut power = (a, Term::bool(true));
    for _ in 1..exponent {
        let (result, fits) = product(terms, power.0, a);
        power = (result, terms.and(power.1, fits));
    }
    power
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{constant, known, power, product, quotient, sum};
    use dodona_smt::term::{Assignment, Op, Sort, Term, Terms};

    fn value() -> impl Strategy<Value = i128> {
        let ends = [i128::MIN, i128::MIN + 1, -1, 0, 1, 2, i128::MAX, i128::from(i64::MIN), 1 << 64];
        prop_oneof![any::<i128>(), any::<i64>().prop_map(i128::from), prop::sample::select(ends.to_vec())]
    }

    /// A variable of 128 bits with a value, or the constant.
    fn operand(terms: &mut Terms, assignment: &mut Assignment, value: i128, fixed: bool) -> Term {
        if fixed {
            return constant(value);
        }
        let variable = terms.variable("x", Sort::Bits(128));
        assignment.set(terms.variables_of(variable)[0], value as u128);
        variable
    }

    proptest! {
        #[test]
        fn integers_are_undefined_where_128_bits_overflow(a in value(), b in value(), a_fixed: bool, b_fixed: bool) {
            let (mut terms, mut assignment) = (Terms::new(), Assignment::default());
            let x = operand(&mut terms, &mut assignment, a, a_fixed);
            let y = operand(&mut terms, &mut assignment, b, b_fixed);
            let results = [
                (sum(&mut terms, Op::Add, x, y), a.checked_add(b)),
                (sum(&mut terms, Op::Sub, x, y), a.checked_sub(b)),
                (product(&mut terms, x, y), a.checked_mul(b)),
                (power(&mut terms, x, 3), a.checked_pow(3)),
                (quotient(&mut terms, Op::SignedDivide, x, y), a.checked_div(b)),
                (quotient(&mut terms, Op::SignedRemainder, x, y), (b != 0).then(|| a.wrapping_rem(b))),
            ];
            for (i, ((result, defined), expected)) in results.into_iter().enumerate() {
                let given = Term::Constant(result.sort(), terms.evaluate(result, &assignment));
                let is_defined = terms.evaluate(defined, &assignment) == 1;
                prop_assert_eq!(known(given).filter(|_| is_defined), expected, "operation {}", i);
            }
        }
    }
}
