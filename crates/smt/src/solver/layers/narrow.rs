//! Decides constraints over a few bits by trying all values.

use super::slices::Slice;
use crate::solver::Answer;
use crate::term::{Assignment, Evaluator, Terms, Variable};

/// The most bits of all variables together: one byte of text, or two Booleans and a small number.
pub(super) const WIDEST: u32 = 10;

/// Whether the constraints of a slice can be true together; `None` if there are too many values to try.
pub(super) fn decide(terms: &Terms, slice: &Slice, widest: u32) -> Option<Answer> {
    let widths: Vec<(Variable, u32)> =
        slice.variables.iter().map(|v| (*v, u32::from(terms.sort_of(*v).width()))).collect();
    let bits: u32 = widths.iter().map(|(_, width)| width).sum();
    if bits > widest {
        return None;
    }
    let mut model = Assignment::default();
    for all in 0..1u128 << bits {
        let mut rest = all;
        for (variable, width) in &widths {
            model.set(*variable, rest & ((1 << width) - 1));
            rest >>= width;
        }
        let mut evaluator = Evaluator::new(terms, &model);
        // The newest constraint is the most likely to be false.
        if slice.constraints.iter().rev().all(|c| evaluator.holds(*c)) {
            return Some(Answer::Satisfiable(model));
        }
    }
    Some(Answer::Unsatisfiable)
}
