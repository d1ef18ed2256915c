//! The choice among basic and composite relations, by the mutants that they kill and the runs that they take.

use std::collections::HashMap;

use dodona_evidence::{FrontPoint, MutantId};
use dodona_evolution::composition::{Choosable, Exact, Front, exact, front};
use fixedbitset::FixedBitSet;

/// How many nodes the exact choice visits, and how many sets the front keeps on the way: tenths of a second for hundreds of
/// relations. Beyond these bounds the choice is greedy, and the record says so.
const NODES: usize = 10_000;
const SETS: usize = 1_000;

/// A relation that can be chosen.
pub(super) struct Offer<'a> {
    pub(super) name: &'a str,
    pub(super) runs: u64,
    pub(super) killed: &'a [MutantId],
}

/// What is chosen.
#[derive(Default)]
pub(super) struct Choice {
    /// The names of the relations, those that kill most first.
    pub(super) names: Vec<String>,
    pub(super) is_smallest: bool,
    pub(super) front: Vec<FrontPoint>,
}

/// Chooses the fewest relations that kill as many mutants as all do; of these sets one of the fewest runs.
pub(super) fn choice(offers: &[Offer<'_>], mutants: &[MutantId]) -> Choice {
    let place: HashMap<MutantId, usize> =
        mutants.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    let all: Vec<Choosable> = offers.iter().map(|offer| choosable(offer, &place)).collect();
    let Exact { chosen, is_proved } = exact(&all, NODES);
    let Front { choices, .. } = front(&all, SETS);
    let point = |chosen: &dodona_evolution::composition::Chosen| FrontPoint {
        runs: chosen.runs as u64,
        relations: chosen.relations.len() as u64,
        killed: chosen.killed as u64,
    };
    let mut chosen = chosen.relations;
    chosen.sort_by_key(|&place| (std::cmp::Reverse(offers[place].killed.len()), offers[place].runs, place));
    Choice {
        names: chosen.into_iter().map(|place| offers[place].name.to_owned()).collect(),
        is_smallest: is_proved,
        front: choices.iter().filter(|chosen| chosen.killed > 0).map(point).collect(),
    }
}

fn choosable(offer: &Offer<'_>, place: &HashMap<MutantId, usize>) -> Choosable {
    let mut kills = FixedBitSet::with_capacity(place.len());
    offer.killed.iter().filter_map(|id| place.get(id)).for_each(|&place| kills.insert(place));
    Choosable { kills, runs: offer.runs as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u32]) -> Vec<MutantId> {
        numbers.iter().map(|&n| MutantId(n)).collect()
    }

    #[test]
    fn two_relations_are_chosen_where_they_kill_what_three_do() {
        let mutants = ids(&[1, 2, 3, 4, 5]);
        let (a, b, c) = (ids(&[1, 2, 3]), ids(&[3, 4]), ids(&[2, 4]));
        let offers = [
            Offer { name: "c", runs: 2, killed: &c },
            Offer { name: "b", runs: 3, killed: &b },
            Offer { name: "a", runs: 2, killed: &a },
        ];
        let choice = choice(&offers, &mutants);
        assert_eq!(choice.names, ["a", "c"]);
        assert!(choice.is_smallest);
        let points: Vec<_> = choice.front.iter().map(|p| (p.runs, p.relations, p.killed)).collect();
        assert_eq!(points, [(2, 1, 3), (4, 2, 4)]);
    }

    #[test]
    fn without_mutants_nothing_is_chosen() {
        let choice = choice(&[Offer { name: "a", runs: 2, killed: &[] }], &[]);
        assert!(choice.names.is_empty() && choice.front.is_empty());
    }
}
