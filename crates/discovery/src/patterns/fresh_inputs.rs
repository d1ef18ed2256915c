//! Inputs on which patterns are tested again, with what the original returns.

use dodona_inference::patterns::{Atom, Condition, rows_where};
use dodona_target::Column;
use fixedbitset::FixedBitSet;

use super::inputs::PatternInputs;

/// Inputs, and what the original returns.
pub(super) struct FreshInputs {
    pub(super) inputs: PatternInputs,
    pub(super) outputs: Column,
}

impl FreshInputs {
    /// For each atom the inputs on which it is true.
    pub(super) fn rows_of(&self, atoms: &[Atom]) -> Vec<FixedBitSet> {
        atoms.iter().map(|atom| atom.rows(&self.inputs.sources, &self.outputs)).collect()
    }
}

/// Those of so many rows in which one of the conditions is true. `atoms` are the rows on which each atom is.
pub(super) fn any_of(conditions: &[&Condition], atoms: &[FixedBitSet], count: usize) -> FixedBitSet {
    let all = rows_where(count, |_| true);
    let mut met = FixedBitSet::with_capacity(count);
    conditions.iter().for_each(|condition| met.union_with(&condition.within(&all, atoms)));
    met
}
