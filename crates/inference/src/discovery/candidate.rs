//! Relations as the search hands them out.

use dodona_relations::ast::Expression;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::archive::{ArchivedRelation, Origin};
use super::{GreedyCover, KillSet, Terms};
use crate::discovery::tuning::PART_HALVING_SIZE;

/// A relation that the search found, or a conjunction of relations with the same condition. It holds on all correct executions, and
/// its condition excludes all refused executions.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The condition on the source execution under which the relation applies.
    pub condition: Option<Expression>,
    /// The expectations, all of which have to hold.
    pub parts: Vec<Expression>,
    /// The mutants that it kills, as indices below [`Pairs::mutant_count`](super::Pairs::mutant_count). Mutants that crash count as
    /// killed by every relation, even if a condition excludes the inputs on which they crash.
    pub caught: FixedBitSet,
    /// The number of incorrect executions that it misses.
    pub false_negatives: u32,
    /// Nodes of the condition and the expectation.
    pub size: usize,
    /// How many of these nodes belong to the condition.
    pub condition_size: usize,
    /// How it was found; for a conjunction, the origin of the part that was found last.
    pub origin: Origin,
}

impl Candidate {
    /// How much there is to read. The condition counts twice, because it narrows the relation.
    pub fn weight(&self) -> usize {
        self.size + self.condition_size
    }

    /// The candidate of several relations; `whole` is their conjunction.
    pub(super) fn new(
        parts: &[&ArchivedRelation],
        whole: &ArchivedRelation,
        terms: &Terms,
        names: &[Expression],
    ) -> Candidate {
        Candidate {
            condition: whole.condition.map(|condition| terms.write(condition, names)),
            parts: parts.iter().map(|part| terms.write(part.expect, names)).collect(),
            caught: whole.caught.clone(),
            false_negatives: whole.score.false_negatives,
            size: whole.size,
            condition_size: whole.condition.map_or(0, |condition| terms.size(condition)),
            origin: parts.iter().map(|part| part.origin).max().unwrap_or(whole.origin),
        }
    }
}

/// The indices of at most `most` relations, in ascending order. `best` is sorted by false negatives, then by size.
pub(super) fn chosen(best: &[&ArchivedRelation], most: usize) -> Vec<usize> {
    let mut open: Vec<usize> = (0..best.len()).collect();
    let mut chosen = Vec::new();
    rounds(&mut open, &mut chosen, most / 2, &|open| covering(best, open));
    rounds(&mut open, &mut chosen, most, &|open| foremost(best, open));
    chosen.sort_unstable();
    chosen
}

/// Chooses among the indices in `open`, round after round, until `most` are chosen or a round chooses none.
fn rounds(open: &mut Vec<usize>, chosen: &mut Vec<usize>, most: usize, of: &dyn Fn(&[usize]) -> Vec<usize>) {
    while chosen.len() < most {
        let next = of(open);
        if next.is_empty() {
            return;
        }
        chosen.extend(next.into_iter().take(most - chosen.len()));
        let taken: FxHashSet<usize> = chosen.iter().copied().collect();
        open.retain(|place| !taken.contains(place));
    }
}

/// The relations that together kill the most mutants, by greedy choice.
fn covering(best: &[&ArchivedRelation], open: &[usize]) -> Vec<usize> {
    let sets = open.iter().map(|&i| KillSet { killed: best[i].caught.clone(), size: best[i].size }).collect();
    let mut cover = GreedyCover::new(sets, PART_HALVING_SIZE);
    std::iter::from_fn(|| cover.propose().inspect(|&i| cover.accept(i))).map(|i| open[i]).collect()
}

/// The Pareto front of false negatives and size: each relation that is smaller than all open relations before it.
fn foremost(best: &[&ArchivedRelation], open: &[usize]) -> Vec<usize> {
    let mut least = usize::MAX;
    let mut is_smaller = |size: usize| {
        let smaller = size < least;
        least = least.min(size);
        smaller
    };
    open.iter().copied().filter(|&i| is_smaller(best[i].size)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::entry;
    use super::*;

    #[test]
    fn coverage_and_the_front_share_the_places() {
        let all = [
            entry(0, 9, 0, 10, &[0, 1]),
            entry(1, 8, 1, 11, &[0, 1]),
            entry(2, 5, 2, 12, &[0, 1]),
            entry(3, 5, 3, 13, &[0]),
            entry(4, 3, 4, 90, &[2]),
        ];
        let best: Vec<&ArchivedRelation> = all.iter().collect();
        // First the smallest relation that kills mutants 0 and 1, and the only one that kills mutant 2; then the two with the
        // fewest misses.
        assert_eq!(chosen(&best, 4), [0, 1, 2, 4]);
        // The only place goes to the relation with the fewest misses.
        assert_eq!(chosen(&best, 1), [0]);
        assert_eq!(chosen(&best, 9), [0, 1, 2, 3, 4]);
        assert_eq!(chosen(&[], 9), [0usize; 0]);
    }
}
