//! Kapoor's ten steps, applied to mutants that were run on every input.

use std::convert::Infallible;

use crate::orders::{Classes, Kill, Runs, Strength, classify, transposed};
use fixedbitset::FixedBitSet;

/// The runs of all mutants: the inputs that kill each mutant, and the inputs for which its condition holds. The condition of a
/// mutant holds if the state right after the changed code differs from the original's.
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

    /// The input that kills this mutant and, of these, the most mutants that have no class yet. Kapoor (2011) leaves this
    /// choice open.
    fn kill(&mut self, mutant: usize, open: &[usize]) -> Result<Option<Kill>, Infallible> {
        let open: FixedBitSet = open.iter().copied().collect();
        let best = self.killed[mutant].ones().max_by_key(|&input| {
            // The smallest input of several equally good ones: `max_by_key` would give the last.
            (self.killed_by[input].intersection_count(&open), std::cmp::Reverse(input))
        });
        Ok(best.map(|input| Kill {
            test: input,
            held: self.held_by[input].intersection(&open).collect(),
            killed: self.killed_by[input].intersection(&open).collect(),
        }))
    }
}
