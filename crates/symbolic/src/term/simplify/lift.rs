//! Operators of if-then-elses between constants: the operator goes to the constants.

use super::{Op, Sort, Term, Terms, evaluate_op};

/// The operator's result as an if-then-else, where its operands are such with known branches.
pub(super) fn lift(terms: &mut Terms, op: Op, sort: Sort, operands: &[Term]) -> Option<Term> {
    match *operands {
        [a] => {
            let (condition, x, y) = known_branches(terms, a)?;
            let of = |value| evaluate_op(op, sort, &[(a.sort(), value)]);
            Some(choice(terms, condition, sort, of(x), of(y)))
        }
        [a, b] => two(terms, op, sort, a, b),
        _ => None,
    }
}

fn choice(terms: &mut Terms, condition: Term, sort: Sort, x: u128, y: u128) -> Term {
    terms.ite(condition, Term::Constant(sort, x), Term::Constant(sort, y))
}

fn known_branches(terms: &Terms, term: Term) -> Option<(Term, u128, u128)> {
    let (condition, x, y) = terms.as_ite(term)?;
    Some((condition, x.constant()?, y.constant()?))
}

fn two(terms: &mut Terms, op: Op, sort: Sort, a: Term, b: Term) -> Option<Term> {
    let of = |x, y| evaluate_op(op, sort, &[(a.sort(), x), (b.sort(), y)]);
    match (known_branches(terms, a), known_branches(terms, b)) {
        (Some((condition, x, y)), None) if b.constant().is_some() => {
            let z = b.constant()?;
            Some(choice(terms, condition, sort, of(x, z), of(y, z)))
        }
        (None, Some((condition, x, y))) if a.constant().is_some() => {
            let z = a.constant()?;
            Some(choice(terms, condition, sort, of(z, x), of(z, y)))
        }
        (Some((p, x, y)), Some((q, v, w))) if p == q => Some(choice(terms, p, sort, of(x, v), of(y, w))),
        (Some((p, 1, 0)), Some((q, 1, 0))) => flags(terms, op, a.sort(), p, q),
        _ => table(terms, op, sort, a, b),
    }
}

/// `&`, `|`, `^` and `==` of two flags in a word.
fn flags(terms: &mut Terms, op: Op, sort: Sort, p: Term, q: Term) -> Option<Term> {
    let both = match op {
        Op::BitAnd => terms.and(p, q),
        Op::BitOr => terms.or(p, q),
        Op::BitXor => {
            let equal = terms.equal(p, q);
            terms.not(equal)
        }
        Op::Equal => return Some(terms.equal(p, q)),
        _ => return None,
    };
    Some(choice(terms, both, sort, 1, 0))
}

/// A question of an entry of a table: the known entry is asked at once.
fn table(terms: &mut Terms, op: Op, sort: Sort, a: Term, b: Term) -> Option<Term> {
    if sort != Sort::Bool || a.sort() == Sort::Bool {
        return None;
    }
    let (tree, a_is_tree) = match (a.constant(), b.constant()) {
        (None, Some(_)) => (a, true),
        (Some(_), None) => (b, false),
        _ => return None,
    };
    let (condition, x, y) = terms.as_ite(tree)?;
    if x.constant().is_none() && y.constant().is_none() {
        return None;
    }
    let mut ask = |entry| {
        let operands = if a_is_tree { [entry, b] } else { [a, entry] };
        terms.apply(op, sort, &operands)
    };
    let (x, y) = (ask(x), ask(y));
    Some(terms.ite(condition, x, y))
}
