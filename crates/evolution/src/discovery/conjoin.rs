//! Conjunctions of relations that hold under the same condition: one for what was found under an input transformation.
//!
//! The trees of the study hold `and`; enumeration finds what it joins, and this joins them.

use fixedbitset::FixedBitSet;

use super::archive::Entry;
use super::candidate::DEAR;
use super::{Choice, Terms};

/// What a further part has to add: one in so many of the mutants that the parts before it catch.
const WORTH: usize = 12;

/// For each condition the relations, by their places, of which each adds something to those before it; with the condition, the
/// expectations and an `and` between them, they have at most `most_nodes`. Every beginning of such a list is a conjunction.
///
/// Of those that add enough the smallest is first, for people read them.
pub(super) fn conjunctions(relations: &[&Entry], terms: &Terms, most_nodes: usize) -> Vec<Vec<usize>> {
    let mut conditions: Vec<_> = relations.iter().map(|relation| relation.condition).collect();
    conditions.sort_unstable();
    conditions.dedup();
    let under = |condition| -> Vec<usize> {
        (0..relations.len()).filter(|&place| relations[place].condition == condition).collect()
    };
    conditions.into_iter().map(|c| parts(relations, &under(c), terms, most_nodes)).collect()
}

/// The parts of one conjunction, among relations with the same condition.
fn parts(relations: &[&Entry], among: &[usize], terms: &Terms, most_nodes: usize) -> Vec<usize> {
    let sets = among.iter().map(|&place| (relations[place].caught.clone(), relations[place].size)).collect();
    let mut choice = Choice::new(sets, DEAR);
    let mut parts: Vec<usize> = Vec::new();
    let mut caught = FixedBitSet::new();
    let mut size = 0;
    while let Some(next) = choice.propose() {
        let relation = relations[among[next]];
        // A condition is written once, and counted with the first.
        let more = if parts.is_empty() { relation.size } else { terms.size(relation.expect) + 1 };
        if choice.gain(next) * WORTH < caught.count_ones(..) {
            break;
        }
        if !parts.is_empty() && size + more > most_nodes {
            continue;
        }
        choice.accept(next);
        caught.union_with(&relation.caught);
        size += more;
        parts.push(among[next]);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::entry;
    use super::super::term::Leaf;
    use super::*;

    /// Terms of one node each, as many as entries have numbers.
    fn terms() -> Terms {
        let mut terms = Terms::new(Vec::new());
        (0..20).for_each(|i| drop(terms.leaf(Leaf::Int(i))));
        terms
    }

    fn of(all: &[Entry], most_nodes: usize) -> Vec<Vec<usize>> {
        conjunctions(&all.iter().collect::<Vec<_>>(), &terms(), most_nodes)
    }

    #[test]
    fn each_part_adds_enough_to_those_before_it() {
        let all = [
            entry(0, 9, 0, 10, &[0, 1, 2, 3, 4, 5]),
            entry(1, 3, 1, 11, &[0, 1, 2, 3]),
            entry(2, 3, 2, 12, &[6]),
            entry(3, 3, 3, 13, &[0, 6]),
        ];
        // The second is small and catches more than half of what the first does; then the last adds as much and is small.
        assert_eq!(of(&all, 16), [[1, 2, 0]]);
        assert_eq!(of(&all[..2], 16), [[1, 0]]);
        assert_eq!(of(&all[3..], 16), [[0]]);
        assert_eq!(of(&[], 16), [[0usize; 0]; 0]);
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
        let all = [entry(0, 3, 0, 1, &[0]), Entry { condition, ..entry(1, 5, 1, 2, &[1]) }];
        assert_eq!(of(&all, 16), [[0], [1]]);
    }
}
