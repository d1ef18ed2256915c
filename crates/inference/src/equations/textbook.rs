//! Decides which equations have a form that occurs in textbooks, such as a homomorphism or an inverse.

use super::equation::Equation;
use super::equation_term::{TermId, Terms};
use super::head::Head;
use crate::discovery::Operator;

/// Whether an equation has a form that occurs in textbooks. The arguments of its calls are then variables, constants, or one
/// word applied to such; a call may also be an argument of another call.
pub(super) fn is_of_textbook(terms: &Terms, Equation { left, right, .. }: Equation) -> bool {
    if is_comparison(terms, left) {
        return true;
    }
    let is_leaf = |id: TermId| terms.get(id).operands.is_empty();
    let is_call = |id: TermId| matches!(terms.get(id).head, Head::Output { .. });
    let is_plain_call = |id: TermId| is_call(id) && terms.get(id).operands.iter().all(|&a| is_leaf(a));
    let is_word_of = |id: TermId, inside: &dyn Fn(TermId) -> bool| {
        matches!(terms.get(id).head, Head::Word(_)) && terms.get(id).operands.iter().all(|&a| inside(a))
    };
    let is_simple = |id: TermId| is_leaf(id) || is_word_of(id, &is_leaf);
    let (l, r) = (terms.get(left), terms.get(right));
    let by_words = terms.calls(right) == 0 || is_plain_call(right);
    let distinct = |id: TermId| terms.variables(id).count_ones() as usize == terms.get(id).operands.len();
    // An equation at a number is of interest for a function of one parameter, as `f(1)` is; `f(x, 1)` is a special case.
    if has_number(terms, left) {
        return l.operands.len() == 1 && terms.calls(right) == 0 && matches!(l.head, Head::Output { .. });
    }
    // A call with a constant beside an argument that is not a variable, such as `f("", reverse(x))`, is a special case too.
    let has_constant = l.operands.len() > 1 && constants(terms, left) > 0;
    if has_constant && !l.operands.iter().all(|&a| is_leaf(a)) {
        return false;
    }
    match l.head {
        // `f(x) == g(x)`, `f(reverse(x)) == f(x)`, `f(x, x) == 0`, `f(x, "") == x`
        Head::Output { .. } if l.operands.iter().all(|&a| is_simple(a)) && by_words => true,
        // `f(concat(x, y)) == concat(f(x), f(y))`, with different variables
        Head::Output { .. } if l.operands.iter().all(|&a| is_simple(a)) => {
            is_word_of(right, &|id| is_plain_call(id) || is_leaf(id))
                && l.operands.iter().all(|&a| is_leaf(a) || distinct(a))
        }
        // `f(g(x)) == x`, `f(f(x, y), z) == f(x, f(y, z))`, `f(f(x, y), z) == f(x, concat(y, z))`
        Head::Output { .. } => {
            let is_nested = |id: TermId| {
                is_call(id) && terms.get(id).operands.iter().all(|&a| is_leaf(a) || is_plain_call(a))
            };
            let is_of_whole = r.head == l.head && r.operands.iter().all(|&a| is_simple(a));
            is_nested(left)
                && (by_words || is_nested(right) || is_of_whole)
                && !r.operands.iter().any(|_| has_number(terms, right))
        }
        // `len(f(x)) == 2 * len(x)`, `lower(f(x)) == f(x)`, but not `upper(f("", n, "")) == f("", n, "")`, a special case
        Head::Word(_) => {
            let is_general =
                |&id: &TermId| is_plain_call(id) && !has_number(terms, id) && constants(terms, id) < 2;
            l.operands.iter().all(is_general) && by_words
        }
        _ => false,
    }
}

/// Whether an operand of a term is a number other than 0.
fn has_number(terms: &Terms, id: TermId) -> bool {
    terms.get(id).operands.iter().any(|&a| matches!(terms.get(a).head, Head::Int(value) if value != 0))
}

/// How many operands of a term have no variable.
fn constants(terms: &Terms, id: TermId) -> usize {
    terms.get(id).operands.iter().filter(|&&a| terms.variables(a) == 0).count()
}

/// Whether a term is a bound, `f(x) <= len(x)`, says that one result is a part of another, or tells equal arguments from different ones, `(f(a, b) == 0) == (a == b)`.
fn is_comparison(terms: &Terms, id: TermId) -> bool {
    let are_equal = |id: TermId| terms.get(id).head == Head::Word(Operator::Equal);
    matches!(terms.get(id).head, Head::Word(Operator::LessEqual | Operator::PrefixOf | Operator::SuffixOf))
        || are_equal(id) && terms.get(id).operands.iter().all(|&side| are_equal(side))
}
