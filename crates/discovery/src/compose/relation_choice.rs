//! The choice among basic and composite relations, by the mutants that they kill and the runs that they take.
//!
//! A choice by kills is confirmed with a second seed: of hundreds of relations some always kill one more mutant by chance.

use std::collections::HashMap;

use super::composition_tuning::{MARGIN, MOST_NODES, MOST_SETS};
use dodona_inference::composition::{Choosable, Chosen, Exact, Front, exact, front, shorter};
use dodona_records::{FrontPoint, MutantId};
use fixedbitset::FixedBitSet;

/// A relation that can be chosen.
pub(super) struct Offer {
    pub(super) name: String,
    pub(super) runs: u64,
    /// The number of basic relations that it is made of.
    pub(super) layers: usize,
    pub(super) killed: Vec<MutantId>,
    /// The mutants among these that the inputs of a second seed kill too.
    pub(super) twice: Vec<MutantId>,
}

/// The chosen relations.
#[derive(Default)]
pub(super) struct Choice {
    /// The names of the relations; those that kill the most mutants come first.
    pub(super) names: Vec<String>,
    pub(super) is_smallest: bool,
    pub(super) front: Vec<FrontPoint>,
}

/// Chooses the fewest relations that kill all mutants that can be killed, among these sets one with the fewest runs, and then
/// replaces relations by shorter ones if that loses hardly any mutants. Only mutants that are killed with both seeds count, so
/// that a kill by chance has no influence. The front shows what the inputs of the first seed kill.
pub(super) fn choice(offers: &[Offer], mutants: &[MutantId]) -> Choice {
    let place: HashMap<MutantId, usize> =
        mutants.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    let of = |killed: fn(&Offer) -> &[MutantId]| -> Vec<Choosable> {
        offers.iter().map(|offer| choosable(offer, killed(offer), &place)).collect()
    };
    let steady = of(|offer| &offer.twice);
    let Exact { chosen, is_proved } = exact(&steady, MOST_NODES);
    let margin = (chosen.killed as f64 * MARGIN) as usize;
    let Chosen { relations: mut chosen, .. } = shorter(&steady, &chosen, margin);
    let Front { choices, .. } = front(&of(|offer| &offer.killed), MOST_SETS);
    let point = |chosen: &Chosen| FrontPoint {
        runs: chosen.runs as u64,
        relations: chosen.relations.len() as u64,
        killed: chosen.killed as u64,
    };
    chosen.sort_by_key(|&place| (std::cmp::Reverse(offers[place].killed.len()), offers[place].runs, place));
    Choice {
        names: chosen.into_iter().map(|place| offers[place].name.clone()).collect(),
        is_smallest: is_proved,
        front: choices.iter().filter(|chosen| chosen.killed > 0).map(point).collect(),
    }
}

fn choosable(offer: &Offer, killed: &[MutantId], place: &HashMap<MutantId, usize>) -> Choosable {
    let mut kills = FixedBitSet::with_capacity(place.len());
    killed.iter().filter_map(|id| place.get(id)).for_each(|&place| kills.insert(place));
    Choosable { kills, runs: offer.runs as usize, layers: offer.layers }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u32]) -> Vec<MutantId> {
        numbers.iter().map(|&n| MutantId(n)).collect()
    }

    fn offer(name: &str, runs: u64, killed: &[u32]) -> Offer {
        Offer { name: name.to_owned(), runs, layers: 1, killed: ids(killed), twice: ids(killed) }
    }

    #[test]
    fn two_relations_are_chosen_where_they_kill_what_three_do() {
        let offers = [offer("c", 2, &[2, 4]), offer("b", 3, &[3, 4]), offer("a", 2, &[1, 2, 3])];
        let choice = choice(&offers, &ids(&[1, 2, 3, 4, 5]));
        assert_eq!(choice.names, ["a", "c"]);
        assert!(choice.is_smallest);
        let points: Vec<_> = choice.front.iter().map(|p| (p.runs, p.relations, p.killed)).collect();
        assert_eq!(points, [(2, 1, 3), (4, 2, 4)]);
    }

    #[test]
    fn what_one_seed_kills_and_the_other_does_not_chooses_nothing() {
        let lucky = Offer { twice: ids(&[1, 2]), ..offer("lucky", 2, &[1, 2, 3]) };
        let choice = choice(&[lucky, offer("steady", 1, &[1, 2])], &ids(&[1, 2, 3]));
        assert_eq!(choice.names, ["steady"]);
        assert_eq!(choice.front.last().map(|point| point.killed), Some(3));
    }

    #[test]
    fn a_basic_relation_is_chosen_that_kills_one_mutant_of_a_hundred_less() {
        let all: Vec<u32> = (1..=200).collect();
        for (lost, wanted) in [(1, "basic"), (2, "basic"), (3, "composite")] {
            let composite = Offer { layers: 2, ..offer("composite", 2, &all) };
            let basic = offer("basic", 2, &all[lost..]);
            assert_eq!(choice(&[composite, basic], &ids(&all)).names, [wanted], "{lost} of 200 mutants");
        }
    }

    #[test]
    fn without_mutants_nothing_is_chosen() {
        let choice = choice(&[offer("a", 2, &[])], &[]);
        assert!(choice.names.is_empty() && choice.front.is_empty());
    }
}
