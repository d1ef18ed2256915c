//! The ten steps over mutants that were run on every input.

use std::convert::Infallible;

use dodona_hierarchy::{Classes, Kill, Runs, Strength, classify};
use fixedbitset::FixedBitSet;

/// Runs that were made before: which inputs kill each mutant, and on which its condition holds, that is on which the state right behind its change
/// differs from the original's.
pub(super) struct Recorded<'a> {
    /// For each mutant the inputs that kill it.
    pub killed: &'a [FixedBitSet],
    /// For each input the mutants that it kills.
    killed_by: Vec<FixedBitSet>,
    /// For each input the mutants whose condition holds.
    held_by: Vec<FixedBitSet>,
}

impl<'a> Recorded<'a> {
    pub(super) fn new(killed: &'a [FixedBitSet], infected: &[FixedBitSet], inputs: usize) -> Recorded<'a> {
        Recorded { killed, killed_by: transposed(killed, inputs), held_by: transposed(infected, inputs) }
    }

    /// The classes of these mutants.
    pub(super) fn classes(&mut self, mutants: &[usize], strength: &Strength) -> Classes {
        let Ok(classes) = classify(mutants, strength, self);
        classes
    }
}

impl Runs for Recorded<'_> {
    type Error = Infallible;

    /// Of the inputs that kill the mutant, the one that kills most mutants that are in no class yet: the study leaves the choice open.
    fn kill(&mut self, mutant: usize, open: &[usize]) -> Result<Option<Kill>, Infallible> {
        let open: FixedBitSet = open.iter().copied().collect();
        let best = self.killed[mutant].ones().max_by_key(|&input| {
            // The first of equal ones: the last that `max_by_key` sees would be the last input.
            (self.killed_by[input].intersection_count(&open), std::cmp::Reverse(input))
        });
        Ok(best.map(|input| Kill {
            test: input,
            held: self.held_by[input].intersection(&open).collect(),
            killed: self.killed_by[input].intersection(&open).collect(),
        }))
    }
}

/// Rows as columns.
fn transposed(rows: &[FixedBitSet], columns: usize) -> Vec<FixedBitSet> {
    let mut turned = vec![FixedBitSet::with_capacity(rows.len()); columns];
    for (row, bits) in rows.iter().enumerate() {
        bits.ones().for_each(|column| turned[column].insert(row));
    }
    turned
}
