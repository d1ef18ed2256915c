//! The greedy choice.

use std::cmp::Reverse;

use dodona_target::{greedy_cover, without_superfluous};
use fixedbitset::FixedBitSet;

use super::{Choosable, Chosen};

/// Chooses the relation that kills the most further mutants, again and again, until no relation kills a further one.
/// Between equals the one of the fewest runs is chosen, then the one of the fewest layers, then the earliest. Relations that later ones have made superfluous
/// are dropped in the end, those of the most runs first.
pub fn greedy(all: &[Choosable]) -> Chosen {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&i| (all[i].runs, all[i].layers));
    let of = |i: &usize| &all[*i].kills;
    let cover = greedy_cover(&order.iter().map(of).collect::<Vec<_>>());
    let mut chosen: Vec<usize> = cover.into_iter().map(|place| order[place]).collect();
    chosen.sort_by_key(|&i| (Reverse(all[i].runs), i));
    let kills: Vec<&FixedBitSet> = all.iter().map(|relation| &relation.kills).collect();
    Chosen::of(all, without_superfluous(&kills, chosen))
}
