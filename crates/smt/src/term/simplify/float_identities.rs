//! Floats. Few identities of numbers are true of floats: `x + 0`, `x * 1`, `x - x` and `x == x` cannot be simplified, because
//! of -0 and NaN.

use super::{Op, Sort, Term, Terms, constant, evaluate_op, exact};

/// The depth to which a term is searched for the bits of its NaN.
const DEEPEST: u32 = 8;

pub(super) fn one(terms: &mut Terms, op: Op, sort: Sort, a: Term) -> Option<Term> {
    if let Some(x) = terms.as_one(a, Op::FloatCanonical)
        && let Some(simpler) = of_canonical(terms, op, sort, x)
    {
        return Some(simpler);
    }
    match op {
        Op::FloatCanonical => has_one_nan(terms, a, DEEPEST).then_some(a),
        Op::FromBits => from_bits(terms, sort, a),
        Op::ToBits => to_bits(terms, sort, a),
        Op::FloatNegate => terms.as_one(a, Op::FloatNegate),
        Op::FloatAbs => match terms.op_of(a)? {
            Op::FloatAbs => Some(a),
            Op::FloatNegate => {
                let x = terms.as_one(a, Op::FloatNegate)?;
                Some(terms.apply(Op::FloatAbs, sort, &[x]))
            }
            _ => None,
        },
        Op::FloatCeil | Op::FloatFloor | Op::FloatTrunc | Op::FloatNearest => is_whole(terms, a).then_some(a),
        _ => exact::one(terms, op, sort, a),
    }
}

/// An operator applied to a float whose NaN was made canonical. Most operators do not depend on the bits of a NaN.
fn of_canonical(terms: &mut Terms, op: Op, sort: Sort, x: Term) -> Option<Term> {
    match op {
        // The canonical NaN has no sign to clear.
        Op::FloatAbs => {
            let x = terms.apply(op, sort, &[x]);
            Some(terms.apply(Op::FloatCanonical, sort, &[x]))
        }
        Op::ToBits | Op::FloatNegate => None,
        _ => Some(terms.apply(op, sort, &[x])),
    }
}

/// Whether a float is the canonical NaN wherever it is NaN.
fn has_one_nan(terms: &Terms, a: Term, depth: u32) -> bool {
    if let Some(bits) = a.constant() {
        return evaluate_op(Op::FloatCanonical, a.sort(), &[(a.sort(), bits)]) == bits;
    }
    let of = |x: Option<Term>| depth > 0 && x.is_some_and(|x| has_one_nan(terms, x, depth - 1));
    match terms.op_of(a) {
        Some(Op::FromBits | Op::FloatNegate | Op::FloatCopySign) | None => false,
        Some(Op::FloatAbs) => of(terms.as_one(a, Op::FloatAbs)),
        Some(Op::Ite) => terms.as_ite(a).is_some_and(|(_, x, y)| of(Some(x)) && of(Some(y))),
        Some(_) => true,
    }
}

fn is_whole(terms: &Terms, a: Term) -> bool {
    matches!(
        terms.op_of(a),
        Some(
            Op::FloatCeil
                | Op::FloatFloor
                | Op::FloatTrunc
                | Op::FloatNearest
                | Op::FromSigned
                | Op::FromUnsigned
        )
    )
}

fn sign_bit(sort: Sort) -> u128 {
    1 << (sort.width() - 1)
}

fn from_bits(terms: &mut Terms, sort: Sort, a: Term) -> Option<Term> {
    if let Some(x) = terms.as_one(a, Op::ToBits) {
        return Some(x);
    }
    // The bits of a float with the sign cleared or flipped.
    if let Some((x, Term::Constant(_, flip))) = terms.as_two(a, Op::BitXor)
        && flip == sign_bit(sort)
        && let Some(x) = terms.as_one(x, Op::ToBits)
    {
        return Some(terms.apply(Op::FloatNegate, sort, &[x]));
    }
    let rest = terms.as_one(a, Op::ZeroExtend)?;
    let (bits, low) = terms.as_extract(rest)?;
    let x = terms.as_one(bits, Op::ToBits)?;
    (low == 0 && rest.sort().width() + 1 == sort.width() && x.sort() == sort)
        .then(|| terms.apply(Op::FloatAbs, sort, &[x]))
}

fn to_bits(terms: &mut Terms, sort: Sort, a: Term) -> Option<Term> {
    let bits = |terms: &mut Terms, x: Term| terms.apply(Op::ToBits, sort, &[x]);
    match terms.op_of(a)? {
        Op::FromBits => terms.as_one(a, Op::FromBits),
        Op::FloatNegate => {
            let x = terms.as_one(a, Op::FloatNegate)?;
            let x = bits(terms, x);
            Some(terms.binary(Op::BitXor, x, constant(sort, sign_bit(sort))))
        }
        Op::FloatAbs => {
            let x = terms.as_one(a, Op::FloatAbs)?;
            let x = bits(terms, x);
            Some(terms.binary(Op::BitAnd, x, constant(sort, sort.mask() >> 1)))
        }
        Op::FloatCopySign => {
            let (x, y) = terms.as_two(a, Op::FloatCopySign)?;
            let (x, y) = (bits(terms, x), bits(terms, y));
            let (rest, sign) = (terms.extract(x, 0, sort.width() - 1), terms.extract(y, sort.width() - 1, 1));
            Some(terms.concat(sign, rest))
        }
        Op::Ite => {
            let (condition, x, y) = terms.as_ite(a)?;
            let is_free = |t: Term| t.constant().is_some() || terms.as_one(t, Op::FromBits).is_some();
            if !(is_free(x) && is_free(y)) {
                return None;
            }
            let (x, y) = (bits(terms, x), bits(terms, y));
            Some(terms.ite(condition, x, y))
        }
        _ => None,
    }
}

pub(super) fn two(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let number = |t: Term| terms.as_one(t, Op::FloatCanonical).unwrap_or(t);
    let (x, y) = (number(a), number(b));
    if op != Op::FloatCopySign && (x, y) != (a, b) {
        return Some(match op {
            Op::FloatEqual | Op::FloatLess | Op::FloatLessEqual => terms.compare(op, x, y),
            _ => terms.binary(op, x, y),
        });
    }
    match op {
        Op::FloatLess if a == b => Some(Term::bool(false)),
        // Only the sign counts, and that is one of the bits.
        Op::FloatCopySign if a == b => Some(a),
        _ => exact::two(terms, op, a, b),
    }
}
