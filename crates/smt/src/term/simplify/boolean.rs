//! Truth values.

use super::{Op, Sort, Term, Terms};

pub(super) fn not(terms: &mut Terms, a: Term) -> Option<Term> {
    if let Some(inner) = terms.as_one(a, Op::Not) {
        return Some(inner);
    }
    // This is not so for floats: NaN is neither less than nor greater than or equal to a number.
    let opposite = match terms.op_of(a)? {
        Op::UnsignedLess => Op::UnsignedLessEqual,
        Op::UnsignedLessEqual => Op::UnsignedLess,
        Op::SignedLess => Op::SignedLessEqual,
        Op::SignedLessEqual => Op::SignedLess,
        _ => return None,
    };
    let (x, y) = terms.as_two(a, terms.op_of(a)?)?;
    Some(terms.compare(opposite, y, x))
}

fn are_opposites(terms: &mut Terms, a: Term, b: Term) -> bool {
    terms.not(a) == b
}

pub(super) fn and(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    both(terms, Op::And, a, b)
}

pub(super) fn or(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    both(terms, Op::Or, a, b)
}

/// `and` and `or` have the same rules, except for the value that decides: false or true.
fn both(terms: &mut Terms, op: Op, a: Term, b: Term) -> Option<Term> {
    let decides = Term::bool(op == Op::Or);
    if b == decides || (b.constant().is_none() && are_opposites(terms, a, b)) {
        return Some(decides);
    }
    if b.constant().is_some() || a == b {
        return Some(a);
    }
    absorbed(terms, op, a, b).or_else(|| absorbed(terms, op, b, a))
}

/// `(x and y) and x` is `(x and y)`; `(x or y) and x` is `x`; `(x and y) and not x` is false.
fn absorbed(terms: &mut Terms, op: Op, a: Term, x: Term) -> Option<Term> {
    let dual = if op == Op::And { Op::Or } else { Op::And };
    if let Some((p, q)) = terms.as_two(a, dual) {
        return (p == x || q == x).then_some(x);
    }
    let (p, q) = terms.as_two(a, op)?;
    if p == x || q == x {
        return Some(a);
    }
    let opposite = terms.not(x);
    (p == opposite || q == opposite).then_some(Term::bool(op == Op::Or))
}

pub(super) fn equal(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    match b.constant() {
        Some(1) => return Some(a),
        Some(_) => return Some(terms.not(a)),
        None if a == b => return Some(Term::bool(true)),
        None => {}
    }
    match (terms.as_one(a, Op::Not), terms.as_one(b, Op::Not)) {
        (Some(a), Some(b)) => Some(terms.equal(a, b)),
        (Some(a), None) => not_equal(terms, a, b),
        (None, Some(b)) => not_equal(terms, a, b),
        (None, None) => are_opposites(terms, a, b).then_some(Term::bool(false)),
    }
}

fn not_equal(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let equal = terms.equal(a, b);
    Some(terms.not(equal))
}

pub(super) fn ite(terms: &mut Terms, condition: Term, a: Term, b: Term) -> Option<Term> {
    if condition.is(true) || a == b {
        return Some(a);
    }
    if condition.is(false) {
        return Some(b);
    }
    if let Some(condition) = terms.as_one(condition, Op::Not) {
        return Some(terms.ite(condition, b, a));
    }
    if a.sort() == Sort::Bool
        && let Some(term) = truth(terms, condition, a, b)
    {
        return Some(term);
    }
    nested(terms, condition, a, b)
}

/// An if-then-else with branches that are constant truth values.
fn truth(terms: &mut Terms, condition: Term, a: Term, b: Term) -> Option<Term> {
    match (a.constant(), b.constant()) {
        (Some(1), Some(_)) => Some(condition),
        (Some(_), Some(_)) => Some(terms.not(condition)),
        (Some(1), None) => Some(terms.or(condition, b)),
        (None, Some(0)) => Some(terms.and(condition, a)),
        (Some(_), None) => {
            let opposite = terms.not(condition);
            Some(terms.and(opposite, b))
        }
        (None, Some(_)) => {
            let opposite = terms.not(condition);
            Some(terms.or(opposite, a))
        }
        (None, None) => None,
    }
}

/// A branch that tests a condition that is known there, or both of whose results are equal.
fn nested(terms: &mut Terms, condition: Term, a: Term, b: Term) -> Option<Term> {
    if let Some((again, inner, _)) = terms.as_ite(a)
        && again == condition
    {
        return Some(terms.ite(condition, inner, b));
    }
    let (other, then, last) = terms.as_ite(b)?;
    if other == condition {
        return Some(terms.ite(condition, a, last));
    }
    if then == a {
        let either = terms.or(condition, other);
        return Some(terms.ite(either, a, last));
    }
    None
}
