//! Columns of all products of calls over recorded executions.

use fixedbitset::FixedBitSet;

use super::form::{Atom, Calls, Form, Product};
use super::law::Law;
use super::ring::Ring;
use super::vocabulary::Constant;
use crate::ratio::Ratio;

/// The recorded executions.
#[derive(Clone, Debug)]
pub struct Recorded<I> {
    /// For each variable its value in each row.
    pub variables: Vec<Vec<I>>,
    /// For each call its output in each row. `None` where it did not return, or where its arguments are outside its domain.
    pub calls: Vec<Vec<Option<I>>>,
}

/// Products of calls and variables with their values.
pub struct Table<R: Ring> {
    pub(super) ring: R,
    pub(super) calls: Calls,
    pub(super) constants: Vec<Constant>,
    pub(super) products: Vec<Product>,
    pub(super) columns: Vec<Vec<R::Element>>,
    /// The calls that return on nearly all rows on which the others do. A law is not applied to other calls, because it is not
    /// known whether it holds there.
    pub(super) returning: FixedBitSet,
    pub(super) facts: Vec<Form>,
    pub(super) candidates: Vec<Law>,
    pub(super) rank: usize,
}

impl<R: Ring> Table<R> {
    /// What calls with constant arguments are equal to, as forms that are zero: `exp(0) - 1`.
    pub(super) fn facts(&self) -> &[Form] {
        &self.facts
    }

    /// Whether a form is zero on every row, up to rounding. Also true if the table has no column for one of its atoms, since it
    /// cannot be refuted then.
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

    /// The number of independent columns. Each further column is the subject of a law.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// How many calls were left out because they return on too few of the rows on which the others do.
    pub fn left_out(&self) -> usize {
        self.calls.len() - self.returning.count_ones(..)
    }

    /// The calls.
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// The constants that laws contain, including those that were solved for.
    pub fn constants(&self) -> &[Constant] {
        &self.constants
    }
}

/// Whether columns sum to zero on every row. The tolerance is multiplied by a thousand, because the rounding errors of several
/// laws add up.
fn sum_to_zero<R: Ring>(ring: &R, columns: &[Vec<R::Element>]) -> bool {
    let Some(zero) = ring.fraction(Ratio::ZERO) else { return true };
    (0..columns.first().map_or(0, Vec::len)).all(|row| {
        let (sum, magnitudes) = columns.iter().fold((zero, 0.0), |(sum, all), column| {
            (ring.plus(sum, column[row]), all + ring.magnitude(column[row]))
        });
        ring.is_near(sum, zero, 1e3 * magnitudes)
    })
}
