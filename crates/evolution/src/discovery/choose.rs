//! The choice of a small set of small relations: greedily one that catches most mutants not caught yet.

use fixedbitset::FixedBitSet;

/// The part of the greatest gain that a smaller relation may fall short of it.
const ENOUGH: usize = 2;

/// Proposes relations one after the other, so that each may be checked before it counts.
///
/// ```
/// use dodona_evolution::discovery::Choice;
/// use fixedbitset::FixedBitSet;
/// let set = |mutants: &[usize]| mutants.iter().copied().collect::<FixedBitSet>();
/// let mut choice = Choice::new(vec![(set(&[0, 1, 2, 3, 4]), 5), (set(&[5]), 3), (set(&[3, 5]), 3)]);
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
}

impl Choice {
    /// A choice among relations, given for each the mutants that it catches and its size.
    pub fn new(relations: Vec<(FixedBitSet, usize)>) -> Choice {
        // As long as the longest: the difference of two sets stops at the end of the shorter.
        let mutants = relations.iter().map(|r| r.0.len()).max().unwrap_or(0);
        let caught = FixedBitSet::with_capacity(mutants);
        Choice { is_open: vec![true; relations.len()], relations, caught }
    }

    /// The index of a relation, not proposed yet, that catches most mutants which no accepted one catches: of all that fall short
    /// of the most by half or less the smallest, for people read them; of these the one that catches most, then the
    /// earliest. `None` when nothing is gained by any.
    pub fn propose(&mut self) -> Option<usize> {
        let open = || (0..self.relations.len()).filter(|&i| self.is_open[i]).map(|i| (self.gain(i), i));
        let most = open().map(|(gain, _)| gain).max().filter(|&gain| gain > 0)?;
        let near = open().filter(|&(gain, _)| gain >= most - most / ENOUGH);
        let (_, chosen) = near.min_by_key(|&(gain, i)| (self.relations[i].1, std::cmp::Reverse(gain), i))?;
        self.is_open[chosen] = false;
        Some(chosen)
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
        // The last is the smallest of those that add two or three; then the second adds all that is left.
        assert_eq!(all(Choice::new(relations)), [3, 1]);
        assert_eq!(all(Choice::new(vec![(set(&[7]), 3), (set(&[7]), 3)])), [0]);
        assert_eq!(all(Choice::new(vec![(set(&[]), 1)])), [0usize; 0]);
    }

    #[test]
    fn a_smaller_relation_may_catch_half_as_many() {
        let sets = |few: usize| {
            vec![(set(&(0..16).collect::<Vec<_>>()), 9), (set(&(0..few).collect::<Vec<_>>()), 5)]
        };
        // The larger one is proposed after it, for what it adds.
        assert_eq!(all(Choice::new(sets(8))), [1, 0]);
        assert_eq!(all(Choice::new(sets(7))), [0]);
    }

    proptest! {
        #[test]
        fn the_chosen_catch_what_all_catch_and_each_adds_little_more_than_the_one_before(
            sets in prop::collection::vec(prop::collection::vec(0usize..20, 0..6), 0..12),
        ) {
            let relations: Vec<_> = sets.iter().map(|s| (set(s), s.len())).collect();
            let mut choice = Choice::new(relations);
            let mut last = 1000;
            while let Some(i) = choice.propose() {
                let gain = choice.gain(i);
                // The one before came within half of the most, which only shrinks.
                prop_assert!(gain > 0 && gain - gain / 2 <= last);
                last = gain;
                choice.accept(i);
            }
            let every: std::collections::BTreeSet<usize> = sets.into_iter().flatten().collect();
            prop_assert_eq!(choice.caught().ones().collect::<Vec<_>>(), every.into_iter().collect::<Vec<_>>());
        }
    }
}
