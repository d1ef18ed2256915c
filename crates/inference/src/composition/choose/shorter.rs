//! Shorter relations in place of longer ones that are hardly better.

use std::cmp::Reverse;

use super::{Choosable, Chosen, union};

/// The choice with relations replaced by shorter ones, which are made of fewer basic relations. A replacement may not take more
/// runs, and all replacements together may lose at most `margin` mutants. The longest relations are replaced first, each by the
/// shortest possible one; of several as short ones by the one that loses the fewest mutants.
///
/// A person who reads the choice has to understand each of its relations, and one more killed mutant may be chance.
pub fn shorter(all: &[Choosable], chosen: &Chosen, margin: usize) -> Chosen {
    let least = chosen.killed.saturating_sub(margin);
    let mut best = chosen.relations.clone();
    let mut longest = best.clone();
    longest.sort_by_key(|&i| (Reverse(all[i].layers), i));
    for old in longest {
        let others: Vec<usize> = best.iter().copied().filter(|&i| i != old).collect();
        let killed = union(all, &others);
        let mut fitting: Vec<(usize, Reverse<usize>, usize)> = Vec::new();
        for new in 0..all.len() {
            let is_shorter = all[new].layers < all[old].layers && all[new].runs <= all[old].runs;
            let kills = killed.count_ones(..) + all[new].gain(&killed);
            if is_shorter && !best.contains(&new) && kills >= least {
                fitting.push((all[new].layers, Reverse(kills), new));
            }
        }
        if let Some(&(.., new)) = fitting.iter().min() {
            best = others;
            best.push(new);
        }
    }
    Chosen::of(all, best)
}
