//! The choice of a small set of small relations: greedily, each choice kills the most mutants that were not killed before.
//!
//! Small relations are preferred to slightly better ones, because people have to read and commit them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dodona_target::greatest;
use fixedbitset::FixedBitSet;

/// The scale of worths, which are integers: a relation that kills one more mutant is worth `WHOLE / (half + size)`.
const WHOLE: u64 = 1 << 32;

/// A relation as a greedy cover sees it.
#[derive(Clone, Debug)]
pub struct KillSet {
    /// The mutants that it kills.
    pub killed: FixedBitSet,
    /// Its size in nodes.
    pub size: usize,
}

/// Proposes one relation after the other, so that the caller can check each before it counts.
///
/// ```
/// use dodona_inference::discovery::{GreedyCover, KillSet};
/// let set = |mutants: &[usize], size| KillSet { killed: mutants.iter().copied().collect(), size };
/// // Ten nodes halve what a relation is worth.
/// let mut cover = GreedyCover::new(vec![set(&[0, 1, 2, 3, 4], 5), set(&[5], 3), set(&[3, 5], 3)], 10);
/// assert_eq!(cover.propose(), Some(0)); // refused: it is not accepted
/// assert_eq!(cover.propose(), Some(2));
/// cover.accept(2);
/// assert_eq!(cover.propose(), None);
/// ```
#[derive(Clone, Debug)]
pub struct GreedyCover {
    relations: Vec<KillSet>,
    /// Those that may be proposed, with their worth, size and index.
    waiting: BinaryHeap<(u64, Reverse<(usize, usize)>)>,
    killed: FixedBitSet,
    half: usize,
}

impl GreedyCover {
    /// A choice among relations. Since people read the relations, size lowers the worth: a relation of `half` nodes is worth half as
    /// much as its mutants alone.
    ///
    /// # Panics
    /// When `half` is 0.
    pub fn new(relations: Vec<KillSet>, half: usize) -> GreedyCover {
        assert!(half > 0, "relations that are worth nothing");
        // As long as the longest set: the difference of two sets stops at the end of the shorter set.
        let mutants = relations.iter().map(|relation| relation.killed.len()).max().unwrap_or(0);
        let killed = FixedBitSet::with_capacity(mutants);
        // At first nothing is known of a worth but that it is no greater than this.
        let waiting =
            relations.iter().enumerate().map(|(i, relation)| (u64::MAX, Reverse((relation.size, i))));
        GreedyCover { waiting: waiting.collect(), relations, killed, half }
    }

    /// Mutants that others kill: no relation gains by them.
    pub fn leave_out(&mut self, killed: &FixedBitSet) {
        self.killed.union_with(killed);
    }

    /// The index of the relation, among those not proposed yet, that is worth most: it kills many mutants that no accepted relation
    /// kills, and is small. Between equals the smallest, then the earliest relation is proposed. `None` when no relation kills a
    /// further mutant.
    pub fn propose(&mut self) -> Option<usize> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let now = |&(_, relation): &(u64, Reverse<(usize, usize)>)| {
            (self.gain(relation.0.1) > 0).then(|| (self.worth(relation.0.1), relation))
        };
        let chosen = greatest(&mut waiting, now);
        self.waiting = waiting;
        chosen.map(|(_, Reverse((_, relation)))| relation)
    }

    /// The worth of a relation, from its gain and its size.
    fn worth(&self, relation: usize) -> u64 {
        self.gain(relation) as u64 * WHOLE / (self.half + self.relations[relation].size) as u64
    }

    /// How many mutants this relation kills that no accepted relation kills.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn gain(&self, relation: usize) -> usize {
        self.relations[relation].killed.difference_count(&self.killed)
    }

    /// Accepts a relation: its mutants count as killed from now on.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn accept(&mut self, relation: usize) {
        self.killed.union_with(&self.relations[relation].killed);
    }

    /// The mutants that the accepted relations kill.
    pub fn killed(&self) -> &FixedBitSet {
        &self.killed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(mutants: &[usize], size: usize) -> KillSet {
        KillSet { killed: mutants.iter().copied().collect(), size }
    }

    fn all(mut cover: GreedyCover) -> Vec<usize> {
        std::iter::from_fn(|| cover.propose().inspect(|&i| cover.accept(i))).collect()
    }

    #[test]
    fn most_new_mutants_first_then_smaller_then_earlier() {
        let relations = vec![set(&[0, 1], 5), set(&[1, 2, 3], 9), set(&[0, 4], 5), set(&[0, 4], 4)];
        // After the second set only mutants 0 and 4 are missing; two sets add both of them, and the smaller is chosen.
        assert_eq!(all(GreedyCover::new(relations, 100)), [1, 3]);
        assert_eq!(all(GreedyCover::new(vec![set(&[7], 3), set(&[7], 3)], 100)), [0]);
        assert_eq!(all(GreedyCover::new(vec![set(&[], 1)], 100)), [0usize; 0]);
    }

    #[test]
    fn a_node_has_its_price() {
        let sets = || vec![set(&(0..16).collect::<Vec<_>>(), 9), set(&(0..10).collect::<Vec<_>>(), 4)];
        // With `half` 4, 16 / (4 + 9) is less than 10 / (4 + 4); with `half` 5, 16 / (5 + 9) is more than 10 / (5 + 4).
        assert_eq!(all(GreedyCover::new(sets(), 4)), [1, 0]);
        assert_eq!(all(GreedyCover::new(sets(), 5)), [0]);
    }

    proptest! {
        #[test]
        fn the_chosen_catch_what_all_catch_and_each_is_worth_no_more_than_the_one_before(
            sets in prop::collection::vec(prop::collection::vec(0usize..20, 0..6), 0..12),
            half in 1usize..20,
        ) {
            let relations: Vec<_> = sets.iter().map(|s| set(s, s.len())).collect();
            let mut cover = GreedyCover::new(relations, half);
            let mut last = u64::MAX;
            while let Some(i) = cover.propose() {
                prop_assert!(cover.gain(i) > 0 && cover.worth(i) <= last);
                last = cover.worth(i);
                cover.accept(i);
            }
            let every: std::collections::BTreeSet<usize> = sets.into_iter().flatten().collect();
            prop_assert_eq!(cover.killed().ones().collect::<Vec<_>>(), every.into_iter().collect::<Vec<_>>());
        }
    }
}
