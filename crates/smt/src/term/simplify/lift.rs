//! Operators applied to if-then-elses between constants, and to small trees of them. The operator is applied to the constants.

use super::{Op, Sort, Term, Terms, evaluate_op};

/// The most nodes of a tree into which an operator is moved.
const LARGEST_TREE: u32 = 24;

/// The operator's result as an if-then-else, if its operands are if-then-elses with constant branches.
pub(super) fn lift(terms: &mut Terms, op: Op, sort: Sort, operands: &[Term]) -> Option<Term> {
    match *operands {
        [a] => tree(terms, a, sort, |value| evaluate_op(op, sort, &[(a.sort(), value)])),
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
    match (a.constant(), b.constant()) {
        (None, Some(z)) => {
            return tree(terms, a, sort, |x| of(x, z)).or_else(|| table(terms, op, sort, a, b));
        }
        (Some(z), None) => {
            return tree(terms, b, sort, |y| of(z, y)).or_else(|| table(terms, op, sort, a, b));
        }
        _ => {}
    }
    match (known_branches(terms, a), known_branches(terms, b)) {
        (Some((p, x, y)), Some((q, v, w))) if p == q => Some(choice(terms, p, sort, of(x, v), of(y, w))),
        (Some((p, 1, 0)), Some((q, 1, 0))) => flags(terms, op, a.sort(), p, q),
        _ => None,
    }
}

/// An if-then-else whose leaves are all constants, with an operation applied to each of them.
fn tree(terms: &mut Terms, root: Term, sort: Sort, f: impl Fn(u128) -> u128) -> Option<Term> {
    terms.as_ite(root)?;
    let mut left = LARGEST_TREE;
    is_known(terms, root, &mut left).then(|| mapped(terms, root, sort, &f))
}

fn is_known(terms: &Terms, root: Term, left: &mut u32) -> bool {
    if root.constant().is_some() {
        return true;
    }
    let Some((_, x, y)) = terms.as_ite(root).filter(|_| *left > 0) else { return false };
    *left -= 1;
    is_known(terms, x, left) && is_known(terms, y, left)
}

fn mapped(terms: &mut Terms, root: Term, sort: Sort, f: &impl Fn(u128) -> u128) -> Term {
    match (root.constant(), terms.as_ite(root)) {
        (Some(value), _) => Term::Constant(sort, f(value)),
        (None, Some((condition, x, y))) => {
            let (x, y) = (mapped(terms, x, sort, f), mapped(terms, y, sort, f));
            terms.ite(condition, x, y)
        }
        (None, None) => unreachable!("all leaves are known"),
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

/// A comparison of an entry of a table: constant entries are compared at once.
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
