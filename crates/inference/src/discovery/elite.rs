//! Elites and migrants: the best individuals of a population (sections 6 and 6.2 of GenMorph).

use rustc_hash::FxHashSet;

use super::population::{Fitness, Individual};

/// The best individuals, at most `count`, from best to worst. Each mentions the source and the follow-up value of an output. No two
/// have the same tree, and no two miss the same incorrect rows.
pub(super) fn elites(individuals: &[Individual], fitness: Fitness, count: usize) -> Vec<Individual> {
    let (mut trees, mut missed) = (FxHashSet::default(), FxHashSet::default());
    let may = |i: &&&Individual| i.is_metamorphic && trees.insert(i.term) && missed.insert(i.score.missed);
    fitness.ranked(individuals).iter().filter(may).take(count).map(|&i| i.clone()).collect()
}

/// What a population sends to the other: its elites and, if they are fewer than `count`, the best other individuals with distinct trees.
pub(super) fn migrants(individuals: &[Individual], fitness: Fitness, count: usize) -> Vec<Individual> {
    let mut chosen = elites(individuals, fitness, count);
    let mut trees: FxHashSet<_> = chosen.iter().map(|i| i.term).collect();
    let room = count - chosen.len();
    let others = fitness.ranked(individuals).into_iter().filter(|i| trees.insert(i.term)).take(room);
    chosen.extend(others.cloned());
    chosen
}

/// Adds each population's best individuals to the other.
pub(super) fn migrate(populations: &mut [(Fitness, Vec<Individual>); 2], count: usize) {
    let [to_second, to_first] = [0, 1].map(|i| migrants(&populations[i].1, populations[i].0, count));
    populations[0].1.extend(to_first);
    populations[1].1.extend(to_second);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::population::tests::individual;
    use super::*;

    fn terms(of: &[Individual]) -> Vec<usize> {
        of.iter().map(|i| i.term.index()).collect()
    }

    #[test]
    fn elites_are_the_best_with_distinct_trees_and_distinct_missed_faults() {
        let all = [
            individual(0, 5, [0, 4], 40),
            individual(1, 3, [0, 4], 40),
            individual(1, 3, [0, 4], 40),
            individual(2, 3, [0, 6], 60),
            individual(3, 3, [7, 0], 0),
            Individual { is_metamorphic: false, ..individual(4, 1, [0, 0], 1) },
        ];
        // Individual 0 misses the same rows as individual 1, the third is a copy of individual 1, and the last is not metamorphic.
        assert_eq!(terms(&elites(&all, Fitness::FalsePositives, 10)), [1, 2, 3]);
        assert_eq!(terms(&elites(&all, Fitness::FalseNegatives, 2)), [3, 1]);
    }

    #[test]
    fn each_population_sends_as_many_as_asked_for() {
        let first: Vec<_> = (0..50).map(|i| individual(i, 1, [i as u32, 0], 7)).collect();
        let second: Vec<_> = (0..50).map(|i| individual(100 + i, 1, [0, i as u32], i as u64)).collect();
        let mut both = [(Fitness::FalsePositives, first), (Fitness::FalseNegatives, second)];
        migrate(&mut both, 16);
        assert_eq!((both[0].1.len(), both[1].1.len()), (66, 66));
        assert_eq!(terms(&both[0].1[50..]), (100..116).collect::<Vec<_>>());
        // All individuals miss the same rows, so only one of them is an elite; other individuals fill the remaining places.
        assert_eq!(terms(&both[1].1[50..]), (0..16).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn no_better_individual_is_left_out_without_reason(
            trees in prop::array::uniform6(([0u32..4, 0u32..4], any::<bool>())),
            drawn in prop::collection::vec(0usize..6, 0..20),
            count in 0usize..5,
        ) {
            let of = |i: &usize| {
                let (counts, is_metamorphic) = trees[*i];
                Individual { is_metamorphic, ..individual(*i as i64, 1, counts, u64::from(counts[1])) }
            };
            let all: Vec<_> = drawn.iter().map(of).collect();
            let fitness = Fitness::FalsePositives;
            let chosen = elites(&all, fitness, count);
            prop_assert!(chosen.len() <= count && chosen.iter().all(|i| i.is_metamorphic));
            for left in all.iter().filter(|i| i.is_metamorphic) {
                let excused = chosen.iter().any(|c| {
                    !fitness.dominates(left, c) && (c.term == left.term || c.score.missed == left.score.missed)
                });
                let full = chosen.len() == count && chosen.iter().all(|c| !fitness.dominates(left, c));
                prop_assert!(excused || full);
            }
        }
    }
}
