//! The greedy choice.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;

use super::{Choosable, Chosen, union};

/// Chooses the relation that kills the most further mutants, again and again, until no relation kills a further one.
/// Between equals the one of the fewest runs is chosen, then the one of the fewest layers, then the earliest. Relations that later ones have made superfluous
/// are dropped in the end, those of the most runs first.
pub fn greedy(all: &[Choosable]) -> Chosen {
    let (mut chosen, mut killed) = (Vec::new(), FixedBitSet::new());
    while let Some(next) = (0..all.len())
        .filter(|&i| all[i].gain(&killed) > 0)
        .max_by_key(|&i| (all[i].gain(&killed), Reverse(all[i].runs), Reverse(all[i].layers), Reverse(i)))
    {
        killed.union_with(&all[next].kills);
        chosen.push(next);
    }
    Chosen::of(all, without_superfluous(all, chosen))
}

fn without_superfluous(all: &[Choosable], chosen: Vec<usize>) -> Vec<usize> {
    let mut kept = chosen.clone();
    let mut order = chosen;
    order.sort_by_key(|&i| (Reverse(all[i].runs), i));
    for candidate in order {
        let others: Vec<usize> = kept.iter().copied().filter(|&i| i != candidate).collect();
        if all[candidate].gain(&union(all, &others)) == 0 {
            kept = others;
        }
    }
    kept
}
