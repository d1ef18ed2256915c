//! Inputs on which patterns are tested again, with what the original returns.

use dodona_inference::patterns::{Atom, Condition, Rows};
use dodona_target::Column;

use super::inputs::PatternInputs;

/// Inputs, and what the original returns.
pub(super) struct FreshInputs {
    pub(super) inputs: PatternInputs,
    pub(super) outputs: Column,
}

impl FreshInputs {
    /// For each atom the inputs on which it is true.
    pub(super) fn rows_of(&self, atoms: &[Atom]) -> Vec<Rows> {
        atoms.iter().map(|atom| atom.rows(&self.inputs.sources, &self.outputs)).collect()
    }
}

/// Those of so many rows in which one of the conditions is true. `atoms` are the rows on which each atom is.
pub(super) fn any_of(conditions: &[&Condition], atoms: &[Rows], count: usize) -> Rows {
    let all = Rows::of(count, |_| true);
    let under = conditions.iter().map(|condition| condition.within(&all, atoms));
    under.fold(Rows::of(count, |_| false), |met, rows| met.or(&rows))
}
