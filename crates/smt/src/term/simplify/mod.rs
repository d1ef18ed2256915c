//! Simplification of a term as it is built, by local identities, with one file for each theory.
//!
//! Bytes that were cut out of a term and put together again are that term. A comparison that a compiler turned into 0 or 1 in
//! 32 bits and compared with 0 again is the comparison. A comparison of an extended byte is a comparison of the byte. All rules
//! are tested against evaluation in `tests.rs`.
//!
//! Terms have one form. A comparison that a compiler made a 0 or 1 and compared again is that comparison; bytes that were cut out of a
//! value and put together again are that value; an order with a constant is "less". Most branches of concrete and half-concrete code are
//! decided in this way, without a solver, and the questions that remain are short. Every rule is tested against evaluation on random
//! terms.

mod arithmetic;
mod bit_slices;
mod bitwise;
mod boolean;
mod compare;
mod equal;
mod exact;
mod extend;
mod float_identities;
mod lift;
#[cfg(test)]
mod tests;

use super::fold::signed;
use super::{Op, Sort, Term, Terms, evaluate_op};

/// A simpler term with the same meaning; `None` if there is none. At least one operand is not a constant, and the first operand
/// of a commutative operator is not one.
pub(super) fn simplify(terms: &mut Terms, op: Op, sort: Sort, operands: &[Term]) -> Option<Term> {
    if let Some(term) = lift::lift(terms, op, sort, operands) {
        return Some(term);
    }
    match *operands {
        [a] if a.sort().is_float() || sort.is_float() => float_identities::one(terms, op, sort, a),
        [a] => bits_of_one(terms, op, sort, a),
        [a, b] if a.sort().is_float() => float_identities::two(terms, op, a, b),
        [a, b] => bits_of_two(terms, op, a, b),
        [condition, a, b] => boolean::ite(terms, condition, a, b),
        _ => None,
    }
}

fn bits_of_one(terms: &mut Terms, op: Op, sort: Sort, a: Term) -> Option<Term> {
    match op {
        Op::Not => boolean::not(terms, a),
        Op::Extract { low } => bit_slices::extract(terms, a, low, sort.width()),
        Op::ZeroExtend => extend::zero_extend(terms, a, sort.width()),
        Op::SignExtend => extend::sign_extend(terms, a, sort.width()),
        _ => None,
    }
}

fn bits_of_two(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    match op {
        Op::And => boolean::and(terms, a, b),
        Op::Or => boolean::or(terms, a, b),
        Op::Equal if a.sort() == Sort::Bool => boolean::equal(terms, a, b),
        Op::Equal => equal::equal(terms, a, b),
        Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
            compare::compare(terms, op, a, b)
        }
        Op::Concat => bit_slices::concat(terms, a, b),
        Op::BitAnd | Op::BitOr | Op::BitXor => bitwise::bitwise(terms, op, a, b),
        Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned => bitwise::shift(terms, op, a, b),
        _ => arithmetic::arithmetic(terms, op, a, b),
    }
}

/// The value of an operator on two constants of one width.
fn fold(op: Op, sort: Sort, a: u128, b: u128) -> u128 {
    evaluate_op(op, sort, &[(sort, a), (sort, b)])
}

/// The constant of this sort.
fn constant(sort: Sort, value: u128) -> Term {
    Term::Constant(sort, value & sort.mask())
}
