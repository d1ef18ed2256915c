//! Columns of all products of calls over recorded executions.

use fixedbitset::FixedBitSet;

use super::form::{Atom, Calls, Form, Product};
use super::law::Law;
use super::ring::Ring;
use super::vocabulary::Constant;
use crate::ratio::Ratio;

/// Recorded executions.
#[derive(Clone, Debug)]
pub struct Recorded<I> {
    /// For each variable its value in each row.
    pub variables: Vec<Vec<I>>,
    /// For each call its output in each row; `None` where it did not return, or may not be made with these arguments.
    pub calls: Vec<Vec<Option<I>>>,
}

/// Products of calls and variables with their values.
pub struct Table<R: Ring> {
    pub(super) ring: R,
    pub(super) calls: Calls,
    pub(super) constants: Vec<Constant>,
    pub(super) products: Vec<Product>,
    pub(super) columns: Vec<Vec<R::Element>>,
    /// The calls that return where the others do: what a law says of other calls is not known.
    pub(super) returning: FixedBitSet,
    pub(super) facts: Vec<Form>,
    pub(super) candidates: Vec<Law>,
    pub(super) rank: usize,
}

impl<R: Ring> Table<R> {
    /// What calls without variables are equal to, as forms that are zero.
    pub(super) fn facts(&self) -> &[Form] {
        &self.facts
    }

    /// Whether a form is zero on every row, up to rounding; so it is where some product of it has no values here.
    pub fn is_zero(&self, form: &Form) -> bool {
        let single = |atom: &Atom| match atom {
            Atom::Constant(number) => {
                let value = self.ring.constant(self.constants[usize::from(*number)].value)?;
                Some(vec![value; self.rows()])
            }
            _ => self
                .products
                .iter()
                .position(|product| product[..] == [*atom])
                .map(|place| self.columns[place].clone()),
        };
        let mut columns = Vec::new();
        for (product, coefficient) in form.terms() {
            let Some(factor) = self.ring.fraction(*coefficient) else { return true };
            let mut values = vec![factor; self.rows()];
            for atom in product {
                let Some(column) = single(atom) else { return true };
                values
                    .iter_mut()
                    .zip(column)
                    .for_each(|(value, factor)| *value = self.ring.times(*value, factor));
            }
            columns.push(values);
        }
        sum_to_zero(&self.ring, &columns)
    }

    /// The laws that were found, the cheapest first.
    pub fn candidates(&self) -> &[Law] {
        &self.candidates
    }

    /// How many products of calls there are.
    pub fn len(&self) -> usize {
        self.products.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    /// How many of the columns are independent: the others each obey a law.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// How many calls were left out, because they return too seldom where the others do.
    pub fn left_out(&self) -> usize {
        self.calls.len() - self.returning.count_ones(..)
    }

    /// The calls.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The constants that laws have, among them those that were solved for.
    pub fn constants(&self) -> &[Constant] {
        &self.constants
    }
}

/// Whether columns sum to zero on every row, with a thousand times the tolerance: errors of rules add up.
fn sum_to_zero<R: Ring>(ring: &R, columns: &[Vec<R::Element>]) -> bool {
    let Some(zero) = ring.fraction(Ratio::ZERO) else { return true };
    (0..columns.first().map_or(0, Vec::len)).all(|row| {
        let (sum, magnitudes) = columns.iter().fold((zero, 0.0), |(sum, all), column| {
            (ring.plus(sum, column[row]), all + ring.magnitude(column[row]))
        });
        ring.is_near(sum, zero, 1e3 * magnitudes)
    })
}
