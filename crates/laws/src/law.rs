//! A law: a form that is zero.

use super::cost;
use super::form::{Atom, Calls, Form, Product};
use crate::ratio::Ratio;

/// A form that is zero wherever all its calls return, and what it costs a reader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Law {
    pub(super) form: Form,
    pub(super) cost: u32,
}

impl Law {
    /// The law that a form is zero. The form is scaled so that its greatest product has the coefficient 1, and two laws that
    /// are multiples of each other are equal. `None` for a form that is always zero, for a form without a call, and where a
    /// coefficient does not fit into 128 bits.
    pub(super) fn new(terms: Vec<(Product, Ratio)>, calls: &Calls) -> Option<Law> {
        let form = Form::of(terms)?;
        let (greatest, leading) = form.terms().first()?;
        matches!(greatest.first()?, Atom::Call(_)).then_some(())?;
        let form = form.scaled(leading.inverse()?)?;
        let cost = cost::of_form(&form, calls);
        Some(Law { form, cost })
    }

    /// Whether the law says what one call is in numbers and variables alone, such as `gcd(x, x) == x`.
    pub(super) fn has_one_call(&self) -> bool {
        let calls = |product: &Product| product.iter().filter(|atom| matches!(atom, Atom::Call(_))).count();
        self.form.terms().iter().map(|(product, _)| calls(product)).sum::<usize>() == 1
    }

    /// Whether the arguments of all its calls are variables.
    pub(super) fn is_plain(&self, calls: &Calls) -> bool {
        let is_plain = |atom: &Atom| match atom {
            Atom::Call(id) => {
                let arguments = &calls.get(*id).arguments;
                arguments.iter().all(|argument| matches!(argument.as_atom(), Some(Atom::Variable(_))))
            }
            _ => true,
        };
        self.form.terms().iter().flat_map(|(product, _)| product).all(is_plain)
    }

    /// Whether it says that the arguments of a function may be exchanged, such as `gcd(x, y) == gcd(y, x)`.
    pub(super) fn is_symmetry(&self, calls: &Calls) -> bool {
        let [(a, _), (b, _)] = self.form.terms() else { return false };
        let ([Atom::Call(a)], [Atom::Call(b)]) = (&a[..], &b[..]) else { return false };
        let sorted = |id| {
            let call = calls.get(id);
            let is_plain =
                call.arguments.iter().all(|argument| matches!(argument.as_atom(), Some(Atom::Variable(_))));
            let mut arguments = call.arguments.clone();
            arguments.sort();
            is_plain.then_some((call.function, arguments))
        };
        sorted(*a).is_some() && sorted(*a) == sorted(*b)
    }

    /// How many pairs of variables are read in descending order, reading the cheapest call first. It is small for the law of
    /// associativity as textbooks write it, which keeps the order of the variables.
    pub(super) fn disorder(&self, calls: &Calls) -> usize {
        let mut seen = Vec::new();
        let mut disorder = 0;
        for (product, _) in self.form.terms() {
            seen.clear();
            product.iter().rev().for_each(|atom| occurrences(*atom, calls, &mut seen));
            disorder += (1..seen.len())
                .map(|i| seen[..i].iter().filter(|before| **before > seen[i]).count())
                .sum::<usize>();
        }
        disorder
    }

    /// The form that is zero.
    pub fn form(&self) -> &Form {
        &self.form
    }
}

/// Adds the variables of an atom in the order in which they are read.
fn occurrences(atom: Atom, calls: &Calls, seen: &mut Vec<u8>) {
    match atom {
        Atom::Constant(_) => {}
        Atom::Variable(v) | Atom::Absolute(v) | Atom::Parity(v) => seen.push(v),
        Atom::Call(id) => {
            for argument in &calls.get(id).arguments {
                let mut atoms: Vec<Atom> =
                    argument.terms().iter().flat_map(|(product, _)| product.iter().copied()).collect();
                atoms.sort_unstable();
                atoms.into_iter().for_each(|atom| occurrences(atom, calls, seen));
            }
        }
    }
}
