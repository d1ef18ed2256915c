//! Extension with zeros or signs.

use super::{Op, Term, Terms};

pub(super) fn zero_extend(terms: &mut Terms, a: Term, width: u8) -> Option<Term> {
    if a.sort().width() == width {
        return Some(a);
    }
    let x = terms.as_one(a, Op::ZeroExtend)?;
    Some(terms.zero_extend(x, width))
}

pub(super) fn sign_extend(terms: &mut Terms, a: Term, width: u8) -> Option<Term> {
    if a.sort().width() == width {
        return Some(a);
    }
    if let Some(x) = terms.as_one(a, Op::SignExtend) {
        return Some(terms.sign_extend(x, width));
    }
    if let Some((high @ Term::Constant(..), low)) = terms.as_two(a, Op::Concat) {
        let high = terms.sign_extend(high, width - low.sort().width());
        return Some(terms.concat(high, low));
    }
    // Its sign is a zero.
    let x = terms.as_one(a, Op::ZeroExtend)?;
    Some(terms.zero_extend(x, width))
}
