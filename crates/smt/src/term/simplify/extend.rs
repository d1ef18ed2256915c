//! Extension with zeros or signs.

use super::{Op, Sort, Term, Terms};

pub(super) fn zero_extend(terms: &mut Terms, a: Term, width: u8) -> Option<Term> {
    if a.sort().width() == width {
        return Some(a);
    }
    if let Some(x) = terms.as_one(a, Op::ZeroExtend) {
        return Some(terms.zero_extend(x, width));
    }
    of_ite(terms, Op::ZeroExtend, a, width)
}

/// An if-then-else with a constant branch is extended branch by branch, as its parts are taken branch by branch.
fn of_ite(terms: &mut Terms, op: Op, a: Term, width: u8) -> Option<Term> {
    let (condition, x, y) = terms.as_ite(a)?;
    if x.constant().is_none() && y.constant().is_none() {
        return None;
    }
    let sort = Sort::Bits(width);
    let (x, y) = (terms.apply(op, sort, &[x]), terms.apply(op, sort, &[y]));
    Some(terms.ite(condition, x, y))
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
    if let Some(x) = terms.as_one(a, Op::ZeroExtend) {
        return Some(terms.zero_extend(x, width));
    }
    of_ite(terms, Op::SignExtend, a, width)
}
