//! Individuals of a population, and the two fitness orders on them (Definitions 4 and 5 of GenMorph).

use std::sync::Arc;

use super::{Bits, Score, TermId};

/// An output relation with the results of its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Individual {
    pub(super) term: TermId,
    /// The number of nodes of its tree.
    pub(super) size: usize,
    pub(super) score: Score,
    /// Whether it mentions, for at least one output, the source and the follow-up value.
    pub(super) is_metamorphic: bool,
    /// The rows that the relation classifies correctly: correct rows on which it holds, incorrect rows on which it does not.
    pub(super) right: Arc<Bits>,
}

/// In which order two individuals are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fitness {
    /// Fewer false positives, then fewer false negatives, then the smaller tree (Definition 4).
    FalsePositives,
    /// Fewer false negatives, then fewer false positives, then the smaller tree (Definition 5).
    FalseNegatives,
}

impl Fitness {
    /// The sort key of an individual; a lower key is better.
    pub(super) fn key(self, of: &Individual) -> (u32, u32, usize) {
        let (positives, negatives) = (of.score.false_positives, of.score.false_negatives);
        match self {
            Fitness::FalsePositives => (positives, negatives, of.size),
            Fitness::FalseNegatives => (negatives, positives, of.size),
        }
    }

    /// Whether the first is better than the second.
    pub(super) fn dominates(self, first: &Individual, second: &Individual) -> bool {
        self.key(first) < self.key(second)
    }

    /// The individuals from best to worst; equal individuals stay in their order.
    pub(super) fn ranked(self, individuals: &[Individual]) -> Vec<&Individual> {
        let mut ranked: Vec<&Individual> = individuals.iter().collect();
        ranked.sort_by_key(|i| self.key(i));
        ranked
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::discovery::{Leaf, Terms};

    /// An individual whose term is an integer leaf, with the given score. Tests use the integer only to tell terms apart.
    pub(in crate::discovery) fn individual(
        term: i64,
        size: usize,
        [false_positives, false_negatives]: [u32; 2],
        missed: u64,
    ) -> Individual {
        let mut terms = Terms::new(Vec::new());
        let id = (0..=term).map(|i| terms.leaf(Leaf::Int(i))).last().expect("a leaf");
        let score = Score { false_positives, false_negatives, missed };
        Individual { term: id, size, score, is_metamorphic: true, right: Arc::new(Bits::from_words(vec![0])) }
    }

    fn of(size: usize, counts: [u32; 2]) -> Individual {
        individual(0, size, counts, 0)
    }

    #[test]
    fn definition_4_false_positives_first() {
        let better = |a, b| Fitness::FalsePositives.dominates(&a, &b);
        assert!(better(of(9, [1, 9]), of(1, [2, 0])));
        assert!(better(of(9, [1, 3]), of(1, [1, 4])));
        assert!(better(of(3, [1, 3]), of(4, [1, 3])));
        assert!(!better(of(3, [1, 3]), of(3, [1, 3])));
    }

    #[test]
    fn definition_5_false_negatives_first() {
        let better = |a, b| Fitness::FalseNegatives.dominates(&a, &b);
        assert!(better(of(9, [9, 1]), of(1, [0, 2])));
        assert!(better(of(9, [3, 1]), of(1, [4, 1])));
        assert!(better(of(3, [3, 1]), of(4, [3, 1])));
        assert!(!better(of(3, [3, 1]), of(3, [3, 1])));
    }

    proptest! {
        #[test]
        fn dominance_is_a_strict_order(counts in prop::array::uniform3(([0u32..3, 0u32..3], 1usize..3))) {
            let [a, b, c] = counts.map(|(counts, size)| of(size, counts));
            for fitness in [Fitness::FalsePositives, Fitness::FalseNegatives] {
                let less = |x: &Individual, y: &Individual| fitness.dominates(x, y);
                prop_assert!(!less(&a, &a));
                prop_assert!(!(less(&a, &b) && less(&b, &a)));
                prop_assert!(!(less(&a, &b) && less(&b, &c)) || less(&a, &c));
            }
        }
    }
}
