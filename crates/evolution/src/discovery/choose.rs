//! The choice of a small set of small relations: greedily one that catches most mutants not caught yet.

use fixedbitset::FixedBitSet;

/// Proposes relations one after the other, so that each may be checked before it counts.
///
/// ```
/// use dodona_evolution::discovery::Choice;
/// use fixedbitset::FixedBitSet;
/// let set = |mutants: &[usize]| mutants.iter().copied().collect::<FixedBitSet>();
/// // A node costs a tenth of what a relation catches.
/// let mut choice = Choice::new(vec![(set(&[0, 1, 2, 3, 4]), 5), (set(&[5]), 3), (set(&[3, 5]), 3)], 10);
/// assert_eq!(choice.propose(), Some(0)); // refused: it is not accepted
/// assert_eq!(choice.propose(), Some(2));
/// choice.accept(2);
/// assert_eq!(choice.propose(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Choice {
    relations: Vec<(FixedBitSet, usize)>,
    is_open: Vec<bool>,
    caught: FixedBitSet,
    price: usize,
}

impl Choice {
    /// A choice among relations, given for each the mutants that it catches and its size. People read them: each node costs one
    /// part in `price` of what a relation adds.
    pub fn new(relations: Vec<(FixedBitSet, usize)>, price: usize) -> Choice {
        // As long as the longest: the difference of two sets stops at the end of the shorter.
        let mutants = relations.iter().map(|r| r.0.len()).max().unwrap_or(0);
        let caught = FixedBitSet::with_capacity(mutants);
        Choice { is_open: vec![true; relations.len()], relations, caught, price }
    }

    /// The index of a relation, not proposed yet, that catches most mutants which no accepted one catches, for its size; of equal ones
    /// the smallest, then the earliest. `None` when nothing is gained by any.
    pub fn propose(&mut self) -> Option<usize> {
        let open = (0..self.relations.len()).filter(|&i| self.is_open[i] && self.gain(i) > 0);
        let chosen = open.max_by_key(|&i| (self.worth(i), std::cmp::Reverse((self.relations[i].1, i))))?;
        self.is_open[chosen] = false;
        Some(chosen)
    }

    /// What a relation adds, less what its nodes cost; what costs all that it adds is the last.
    fn worth(&self, relation: usize) -> usize {
        self.gain(relation) * self.price.saturating_sub(self.relations[relation].1)
    }

    /// How many mutants a relation catches that no accepted one does.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn gain(&self, relation: usize) -> usize {
        self.relations[relation].0.difference_count(&self.caught)
    }

    /// Counts what a relation catches as caught.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn accept(&mut self, relation: usize) {
        self.caught.union_with(&self.relations[relation].0);
    }

    /// The mutants that accepted relations catch.
    pub fn caught(&self) -> &FixedBitSet {
        &self.caught
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn set(mutants: &[usize]) -> FixedBitSet {
        mutants.iter().copied().collect()
    }

    fn all(mut choice: Choice) -> Vec<usize> {
        std::iter::from_fn(|| choice.propose().inspect(|&i| choice.accept(i))).collect()
    }

    #[test]
    fn most_new_mutants_first_then_smaller_then_earlier() {
        let relations = vec![(set(&[0, 1]), 5), (set(&[1, 2, 3]), 9), (set(&[0, 4]), 5), (set(&[0, 4]), 4)];
        // With the second only 0 and 4 are left, and of two that add both the smaller is chosen.
        assert_eq!(all(Choice::new(relations, 100)), [1, 3]);
        assert_eq!(all(Choice::new(vec![(set(&[7]), 3), (set(&[7]), 3)], 100)), [0]);
        assert_eq!(all(Choice::new(vec![(set(&[]), 1)], 100)), [0usize; 0]);
    }

    #[test]
    fn a_node_has_its_price() {
        let sets = || vec![(set(&(0..16).collect::<Vec<_>>()), 9), (set(&(0..8).collect::<Vec<_>>()), 4)];
        // 16 * 1 and 8 * 6, 16 * 5 and 8 * 10, 16 * 6 and 8 * 11.
        assert_eq!(all(Choice::new(sets(), 10)), [1, 0]);
        assert_eq!(all(Choice::new(sets(), 14)), [1, 0]);
        assert_eq!(all(Choice::new(sets(), 15)), [0]);
        // What costs more than it is worth is chosen still, the smaller first.
        assert_eq!(all(Choice::new(sets(), 1)), [1, 0]);
    }

    proptest! {
        #[test]
        fn the_chosen_catch_what_all_catch_and_each_is_worth_no_more_than_the_one_before(
            sets in prop::collection::vec(prop::collection::vec(0usize..20, 0..6), 0..12),
            price in 1usize..20,
        ) {
            let relations: Vec<_> = sets.iter().map(|s| (set(s), s.len())).collect();
            let mut choice = Choice::new(relations, price);
            let mut last = usize::MAX;
            while let Some(i) = choice.propose() {
                prop_assert!(choice.gain(i) > 0 && choice.worth(i) <= last);
                last = choice.worth(i);
                choice.accept(i);
            }
            let every: std::collections::BTreeSet<usize> = sets.into_iter().flatten().collect();
            prop_assert_eq!(choice.caught().ones().collect::<Vec<_>>(), every.into_iter().collect::<Vec<_>>());
        }
    }
}
