//! The choice of composite relations: the smallest set that detects most with the fewest runs. Section 5 leaves this open
//! ("a set of CMRs with the least number and highest fault detection capabilities").

mod exact;
mod front;
mod greedy;
mod shorter;

use fixedbitset::FixedBitSet;

pub use exact::{Exact, exact};
pub use front::{Front, front};
pub use greedy::greedy;
pub use shorter::shorter;

/// A relation that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choosable {
    /// The mutants that it kills.
    pub kills: FixedBitSet,
    /// How many runs of the subject a metamorphic group of it takes.
    pub runs: usize,
    /// How many basic relations it is made of.
    pub layers: usize,
}

/// Chosen relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Their indices, in ascending order.
    pub relations: Vec<usize>,
    /// How many mutants at least one of them kills.
    pub killed: usize,
    /// How many runs of the subject a group of each of them takes together.
    pub runs: usize,
}

impl Chosen {
    fn of(all: &[Choosable], mut relations: Vec<usize>) -> Chosen {
        relations.sort_unstable();
        let killed = union(all, &relations).count_ones(..);
        let runs = relations.iter().map(|&i| all[i].runs).sum();
        Chosen { relations, killed, runs }
    }
}

impl Choosable {
    /// How many mutants it kills that are not killed yet.
    fn gain(&self, killed: &FixedBitSet) -> usize {
        // `FixedBitSet::difference_count` stops at the end of the shorter set.
        self.kills.count_ones(..) - self.kills.intersection_count(killed)
    }
}

/// The mutants that at least one of these relations kills.
fn union(all: &[Choosable], relations: &[usize]) -> FixedBitSet {
    let mut killed = FixedBitSet::new();
    relations.iter().for_each(|&i| killed.union_with(&all[i].kills));
    killed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn choosable(kills: &[usize], runs: usize) -> Choosable {
        Choosable { kills: kills.iter().copied().collect(), runs, layers: 1 }
    }

    fn any() -> impl Strategy<Value = Vec<Choosable>> {
        let one = (prop::collection::vec(0usize..12, 0..6), 1usize..5);
        prop::collection::vec(one.prop_map(|(kills, runs)| choosable(&kills, runs)), 0..9)
    }

    fn subsets(all: &[Choosable]) -> Vec<Chosen> {
        let members = |set: usize| (0..all.len()).filter(|i| set >> i & 1 == 1).collect();
        (0..1 << all.len()).map(|set| Chosen::of(all, members(set))).collect()
    }

    #[test]
    fn greedy_can_take_one_more_than_there_need_be() {
        // The largest set leaves two mutants, which no other set has together.
        let all = [choosable(&[0, 1, 2, 3], 2), choosable(&[0, 1, 4], 2), choosable(&[2, 3, 5], 2)];
        assert_eq!(greedy(&all).relations, [1, 2], "the first becomes superfluous");
        let all = [
            choosable(&[1, 2, 3, 4], 2),
            choosable(&[0, 1, 2], 2),
            choosable(&[3, 4, 5], 2),
            choosable(&[0, 5], 1),
        ];
        assert_eq!(greedy(&all), Chosen { relations: vec![0, 3], killed: 6, runs: 3 });
        assert_eq!(greedy(&[]), Chosen { relations: vec![], killed: 0, runs: 0 });
    }

    #[test]
    fn exact_prefers_fewer_relations_and_then_fewer_runs() {
        let all = [choosable(&[0, 1], 3), choosable(&[0], 1), choosable(&[1], 1), choosable(&[1, 0], 2)];
        let Exact { chosen, is_proved } = exact(&all, 1000);
        assert!(is_proved);
        assert_eq!(chosen, Chosen { relations: vec![3], killed: 2, runs: 2 });
    }

    #[test]
    fn a_bound_on_the_work_leaves_a_valid_choice() {
        let all: Vec<Choosable> = (0..12).map(|i| choosable(&[i, (i + 1) % 12, (i * 5) % 12], 2)).collect();
        let Exact { chosen, is_proved } = exact(&all, 1);
        assert!(!is_proved);
        assert_eq!(chosen.killed, 12);
    }

    #[test]
    fn the_front_trades_runs_for_mutants() {
        let all = [choosable(&[0, 1, 2], 4), choosable(&[0, 1], 2), choosable(&[2], 3), choosable(&[0], 2)];
        let Front { choices, is_exact } = front(&all, 100);
        let points: Vec<[usize; 2]> = choices.iter().map(|c| [c.runs, c.killed]).collect();
        assert!(is_exact);
        assert_eq!(points, [[0, 0], [2, 2], [4, 3]]);
    }

    #[test]
    fn between_equals_the_shorter_is_chosen() {
        let composite = Choosable { layers: 2, ..choosable(&[0, 1], 2) };
        let all = [composite, choosable(&[0, 1], 2)];
        assert_eq!(exact(&all, 1000).chosen.relations, [1]);
    }

    #[test]
    fn within_the_margin_the_shorter_is_chosen() {
        let composite = Choosable { layers: 2, ..choosable(&[0, 1, 2, 3], 2) };
        let all = [composite, choosable(&[0, 1, 2], 2), choosable(&[0, 1, 2, 3], 3), choosable(&[4], 2)];
        let first = exact(&all, 1000).chosen;
        assert_eq!(first.relations, [0, 3]);
        // The second takes as many runs and kills one mutant less; the third would kill all of them in more runs.
        assert_eq!(shorter(&all, &first, 1), Chosen { relations: vec![1, 3], killed: 4, runs: 4 });
        assert_eq!(shorter(&all, &first, 0), first);
    }

    #[test]
    fn the_margin_is_one_for_all_replacements_together() {
        let two = |kills: &[usize]| Choosable { layers: 2, ..choosable(kills, 2) };
        let all = [two(&[0, 1, 2]), two(&[3, 4, 5]), choosable(&[0, 1], 2), choosable(&[3, 4], 2)];
        let first = exact(&all, 1000).chosen;
        let second = shorter(&all, &first, 1);
        assert_eq!((second.killed, second.relations.len()), (5, 2));
        assert_eq!(shorter(&all, &first, 2).relations, [2, 3]);
    }

    proptest! {
        #[test]
        fn exact_is_the_best_of_all_subsets(all in any()) {
            let Exact { chosen, is_proved } = exact(&all, 1_000_000);
            prop_assert!(is_proved);
            let best = subsets(&all).into_iter().map(|c| (all.len() * 100 - c.killed, c.relations.len(), c.runs)).min();
            prop_assert_eq!(best, Some((all.len() * 100 - chosen.killed, chosen.relations.len(), chosen.runs)));
        }

        #[test]
        fn greedy_detects_all_with_no_superfluous_relation(all in any()) {
            let chosen = greedy(&all);
            prop_assert_eq!(chosen.killed, union(&all, &(0..all.len()).collect::<Vec<_>>()).count_ones(..));
            for i in &chosen.relations {
                let others: Vec<usize> = chosen.relations.iter().copied().filter(|j| j != i).collect();
                prop_assert!(union(&all, &others).count_ones(..) < chosen.killed);
            }
            prop_assert!(exact(&all, 1_000_000).chosen.relations.len() <= chosen.relations.len());
        }

        #[test]
        fn the_front_is_that_of_all_subsets(all in any()) {
            let Front { choices, is_exact } = front(&all, 10_000);
            prop_assert!(is_exact);
            let every = subsets(&all);
            for choice in &choices {
                prop_assert_eq!(&Chosen::of(&all, choice.relations.clone()), choice);
                prop_assert!(!every.iter().any(|o| o.runs < choice.runs && o.killed >= choice.killed));
            }
            for other in every {
                prop_assert!(choices.iter().any(|c| c.runs <= other.runs && c.killed >= other.killed));
            }
            prop_assert!(choices.windows(2).all(|w| w[0].runs < w[1].runs && w[0].killed < w[1].killed));
        }

        #[test]
        fn a_front_with_little_room_still_reaches_all_mutants(all in any()) {
            let Front { choices, .. } = front(&all, 3);
            let most = choices.last().map_or(0, |c| c.killed);
            prop_assert_eq!(most, greedy(&all).killed);
        }
    }
}
