//! The front of cost against detection.

use fixedbitset::FixedBitSet;

use super::{Choosable, Chosen, greedy};

/// The sets of relations on the Pareto front: no other set detects more with as few runs, or as much with fewer runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// The sets in ascending order, from the empty set to one that kills all mutants that can be killed. Each set takes more
    /// runs and kills more mutants than the one before.
    pub choices: Vec<Chosen>,
    /// Whether there are no better sets. `false` if there were too many to keep all that might have become better.
    pub is_exact: bool,
}

/// A set of relations while the front is computed.
#[derive(Clone)]
struct Partial {
    kills: FixedBitSet,
    runs: usize,
    relations: Vec<usize>,
}

/// The front of runs against killed mutants. At most `most` sets are kept while it is computed; with a few thousand the front
/// of some tens of relations is exact.
pub fn front(all: &[Choosable], most: usize) -> Front {
    let empty = Partial { kills: FixedBitSet::new(), runs: 0, relations: Vec::new() };
    let (mut kept, mut is_exact) = (vec![empty], true);
    for (i, relation) in all.iter().enumerate() {
        let with: Vec<Partial> = kept.iter().filter_map(|partial| extended(partial, relation, i)).collect();
        kept.extend(with);
        kept = undominated(kept, |a, b| a.kills.is_superset(&b.kills));
        if kept.len() > most.max(1) {
            is_exact = false;
            kept = undominated(kept, |a, b| a.kills.count_ones(..) >= b.kills.count_ones(..));
        }
    }
    // If not all sets were kept, the greedy choice may be the only one that kills all mutants.
    let greedy = greedy(all);
    let kills = super::union(all, &greedy.relations);
    kept.push(Partial { kills, runs: greedy.runs, relations: greedy.relations });
    let kept = undominated(kept, |a, b| a.kills.count_ones(..) >= b.kills.count_ones(..));
    Front { choices: kept.into_iter().map(|partial| Chosen::of(all, partial.relations)).collect(), is_exact }
}

/// The set with one more relation, if this relation kills a further mutant.
fn extended(partial: &Partial, relation: &Choosable, index: usize) -> Option<Partial> {
    if relation.gain(&partial.kills) == 0 {
        return None;
    }
    let mut with = partial.clone();
    with.kills.union_with(&relation.kills);
    with.runs += relation.runs;
    with.relations.push(index);
    Some(with)
}

/// The sets that no other dominates, in the order of their runs. A set is dominated if another with at most as many runs has at
/// least as high a value of this measure.
fn undominated(mut all: Vec<Partial>, detects: impl Fn(&Partial, &Partial) -> bool) -> Vec<Partial> {
    all.sort_by_key(|p| (p.runs, std::cmp::Reverse(p.kills.count_ones(..)), p.relations.len()));
    let mut kept: Vec<Partial> = Vec::new();
    for partial in all {
        if !kept.iter().any(|other| detects(other, &partial)) {
            kept.push(partial);
        }
    }
    kept
}
