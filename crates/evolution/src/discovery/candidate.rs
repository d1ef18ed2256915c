//! Relations as the search hands them out.

use dodona_relations::ast::Expression;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::archive::{Entry, Origin};
use super::{Choice, Terms};

/// A relation that the search found, or several that hold under the same condition: it holds on all correct executions and on no
/// refused one.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What has to hold of the source execution for the relation to speak of it.
    pub condition: Option<Expression>,
    /// What is expected: all of these.
    pub parts: Vec<Expression>,
    /// The mutants it catches, as indices below [`Pairs::mutant_count`](super::Pairs::mutant_count); those that crash count for every
    /// relation, though a condition may exclude their inputs.
    pub caught: FixedBitSet,
    /// Incorrect executions that it misses.
    pub false_negatives: u32,
    /// Nodes of the condition and the expectation.
    pub size: usize,
    /// How many of these are the condition's.
    pub condition_size: usize,
    /// How it was found; of several, what the search found last.
    pub origin: Origin,
}

impl Candidate {
    /// What it takes to read. A condition counts twice: it is what narrows the relation.
    pub fn weight(&self) -> usize {
        self.size + self.condition_size
    }

    /// Several relations, with what they are together.
    pub(super) fn new(parts: &[&Entry], whole: &Entry, terms: &Terms, names: &[Expression]) -> Candidate {
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

/// So many nodes halve what a single relation is worth: the small ones come first.
pub(super) const HALF: usize = 1;

/// At most `most` places among relations that are ordered by false negatives, then size; in that order.
pub(super) fn chosen(best: &[&Entry], most: usize) -> Vec<usize> {
    let mut open: Vec<usize> = (0..best.len()).collect();
    let mut chosen = Vec::new();
    rounds(&mut open, &mut chosen, most / 2, &|open| covering(best, open));
    rounds(&mut open, &mut chosen, most, &|open| foremost(best, open));
    chosen.sort_unstable();
    chosen
}

/// Chooses among the open places again and again until there are `most` or none is chosen.
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

/// Those that together catch most mutants, by greedy choice.
fn covering(best: &[&Entry], open: &[usize]) -> Vec<usize> {
    let sets = open.iter().map(|&i| (best[i].caught.clone(), best[i].size)).collect();
    let mut choice = Choice::new(sets, HALF);
    std::iter::from_fn(|| choice.propose().inspect(|&i| choice.accept(i))).map(|i| open[i]).collect()
}

/// Those than which no other misses fewer executions and is as small.
fn foremost(best: &[&Entry], open: &[usize]) -> Vec<usize> {
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
        let best: Vec<&Entry> = all.iter().collect();
        // The smallest that catches both, and what alone catches the third; then what misses fewest.
        assert_eq!(chosen(&best, 4), [0, 1, 2, 4]);
        // One place goes to what misses fewest.
        assert_eq!(chosen(&best, 1), [0]);
        assert_eq!(chosen(&best, 9), [0, 1, 2, 3, 4]);
        assert_eq!(chosen(&[], 9), [0usize; 0]);
    }
}
