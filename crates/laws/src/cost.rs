//! What forms and calls cost a reader. Of two laws that say the same, the cheaper one is listed; rewriting replaces expensive
//! calls by cheaper ones.

use super::form::{Atom, Call, Calls, Form, Product};
use crate::ratio::Ratio;

/// The number of the first constant that was solved for. A law with such a constant, such as `0.8414…`, is expensive, so that
/// it is listed last.
const SOLVED: u8 = 6;

/// What a form costs: each factor, each sign between terms, each coefficient that is written and each minus counts.
pub(super) fn of_form(form: &Form, calls: &Calls) -> u32 {
    let terms = form.terms().iter().map(|(product, coefficient)| of_term(product, *coefficient, calls));
    terms.sum::<u32>() + (form.terms().len() as u32).saturating_sub(1)
}

/// What a product with its coefficient costs. A power costs one more than its base.
pub(super) fn of_term(product: &Product, coefficient: Ratio, calls: &Calls) -> u32 {
    let powers = product.chunk_by(|a, b| a == b);
    let factors: u32 = powers.map(|power| of_atom(power[0], calls) + u32::from(power.len() > 1)).sum();
    let is_one = coefficient.numerator().abs() == 1;
    let number = u32::from(!is_one || product.is_empty()) + u32::from(coefficient.denominator() != 1);
    factors + number + u32::from(coefficient.numerator() < 0)
}

pub(super) fn of_atom(atom: Atom, calls: &Calls) -> u32 {
    match atom {
        Atom::Constant(number) if number >= SOLVED => 12,
        Atom::Constant(_) => 2,
        Atom::Variable(_) => 1,
        Atom::Absolute(_) => 2,
        // It is written as a power.
        Atom::Parity(_) => 3,
        Atom::Call(id) => of_call(calls.get(id), calls),
    }
}

/// What a call costs: one, and the cost of its arguments. With these numbers a law of `f(x + y)` costs less than a law of `f(x
/// - y)` that has more calls at plain variables.
pub(super) fn of_call(call: &Call, calls: &Calls) -> u32 {
    1 + call.arguments.iter().map(|argument| of_form(argument, calls)).sum::<u32>()
}
