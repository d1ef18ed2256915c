//! Conjunctions of relations that hold under the same condition, for the relations found under one input transformation.
//!
//! In GenMorph, trees contain `and`. Here enumeration finds the operands, and this module joins them with `and`. Several small relations
//! under one transformation and condition, joined to one, are easier to read than one large expression.

use fixedbitset::FixedBitSet;

use super::archive::ArchivedRelation;
use super::{GreedyCover, KillSet, Terms};
use crate::discovery::tuning::{PART_GAIN_ONE_IN, PART_HALVING_SIZE};

/// Lists of relations to join with `and`, as indices into `relations`: for each condition a list in which each relation adds
/// something to those before it. A conjunction of a whole list, with its condition and its `and`s, has at most `most_nodes` nodes;
/// each prefix of a list is a conjunction too. Small relations that add much come first. If no relation with a condition kills any
/// mutant, each of them is a list of its own.
pub(super) fn conjunctions(
    relations: &[&ArchivedRelation],
    terms: &Terms,
    most_nodes: usize,
) -> Vec<Vec<usize>> {
    let mut conditions: Vec<_> = relations.iter().map(|relation| relation.condition).collect();
    conditions.sort_unstable();
    conditions.dedup();
    let mut lists = Vec::new();
    for condition in conditions {
        let under = |place: &usize| relations[*place].condition == condition;
        let among: Vec<usize> = (0..relations.len()).filter(under).collect();
        match among.iter().all(|&place| relations[place].caught.is_clear()) {
            true => lists.extend(among.into_iter().map(|place| vec![place])),
            false => lists.push(parts(relations, &among, terms, most_nodes)),
        }
    }
    lists
}

/// The parts of one conjunction, chosen among relations with the same condition.
fn parts(relations: &[&ArchivedRelation], among: &[usize], terms: &Terms, most_nodes: usize) -> Vec<usize> {
    // A conjunction contains the condition once, so only the sizes of the expectations count.
    let size = |place: usize| terms.size(relations[place].expect);
    let set = |place: usize| KillSet { killed: relations[place].caught.clone(), size: size(place) };
    let sets = among.iter().map(|&place| set(place)).collect();
    let mut cover = GreedyCover::new(sets, PART_HALVING_SIZE);
    let mut parts: Vec<usize> = Vec::new();
    let mut whole = 0;
    while let Some(next) = cover.propose() {
        let place = among[next];
        let more = if parts.is_empty() { relations[place].size } else { size(place) + 1 };
        let is_worth_it = cover.gain(next) * PART_GAIN_ONE_IN >= cover.killed().count_ones(..);
        if is_worth_it && (parts.is_empty() || whole + more <= most_nodes) {
            cover.accept(next);
            whole += more;
            parts.push(place);
        }
    }
    without_needless(relations, parts, size)
}

/// Drops each part whose mutants are all killed by the other parts that have at most one node more than it.
fn without_needless(
    relations: &[&ArchivedRelation],
    mut parts: Vec<usize>,
    size: impl Fn(usize) -> usize,
) -> Vec<usize> {
    let mut at = 0;
    while at < parts.len() {
        let mut others = FixedBitSet::new();
        let is_other = |place: &usize| *place != parts[at] && size(*place) <= size(parts[at]) + 1;
        parts.iter().copied().filter(is_other).for_each(|place| others.union_with(&relations[place].caught));
        match relations[parts[at]].caught.is_subset(&others) && parts.len() > 1 {
            true => _ = parts.remove(at),
            false => at += 1,
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::entry;
    use super::super::term::Leaf;
    use super::*;

    /// Terms of one node each, enough for the term numbers of the entries.
    fn terms() -> Terms {
        let mut terms = Terms::new(Vec::new());
        (0..20).for_each(|i| _ = terms.leaf(Leaf::Int(i)));
        terms
    }

    fn of(all: &[ArchivedRelation], most_nodes: usize) -> Vec<Vec<usize>> {
        conjunctions(&all.iter().collect::<Vec<_>>(), &terms(), most_nodes)
    }

    #[test]
    fn each_part_adds_enough_to_those_before_it() {
        let all = [
            entry(0, 3, 0, 10, &[0, 1, 2, 3, 4, 5]),
            entry(1, 3, 1, 11, &[0, 1, 2, 3]),
            entry(2, 3, 2, 12, &[6]),
            entry(3, 3, 3, 13, &[0, 6]),
        ];
        assert_eq!(of(&all, 16), [[0, 2]]);
        assert_eq!(of(&all[1..], 16), [[0, 1]]);
        assert_eq!(of(&all[3..], 16), [[0]]);
        assert_eq!(of(&[], 16), [[0usize; 0]; 0]);
    }

    #[test]
    fn what_later_parts_catch_too_needs_no_part() {
        let all = [
            entry(0, 3, 0, 9, &[0, 1, 2, 3]),
            entry(1, 3, 1, 9, &[0, 1, 4, 5]),
            entry(2, 3, 2, 9, &[2, 3, 6]),
        ];
        assert_eq!(of(&all, 16), [[1, 2]]);
    }

    #[test]
    fn where_nothing_is_caught_each_stands_alone() {
        let all = [entry(0, 3, 0, 1, &[]), entry(1, 3, 1, 2, &[])];
        assert_eq!(of(&all, 16), [[0], [1]]);
    }

    #[test]
    fn little_is_not_worth_a_part() {
        let many: Vec<usize> = (0..13).collect();
        let all = [entry(0, 3, 0, 1, &many), entry(1, 3, 1, 2, &[13])];
        assert_eq!(of(&all, 16), [[0]]);
        let all = [entry(0, 3, 0, 1, &many[..12]), entry(1, 3, 1, 2, &[13])];
        assert_eq!(of(&all, 16), [[0, 1]]);
    }

    #[test]
    fn what_is_too_large_stays_outside() {
        let all = [entry(0, 3, 0, 1, &[0, 1]), entry(1, 3, 1, 2, &[2])];
        assert_eq!(of(&all, 5), [[0, 1]]);
        assert_eq!(of(&all, 4), [[0]]);
    }

    #[test]
    fn only_what_has_the_same_condition_is_joined() {
        let condition = Some(entry(9, 1, 0, 0, &[]).expect);
        let all = [entry(0, 3, 0, 1, &[0]), ArchivedRelation { condition, ..entry(1, 5, 1, 2, &[1]) }];
        assert_eq!(of(&all, 16), [[0], [1]]);
    }
}
