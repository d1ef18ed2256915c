//! The relations without false positives that have been found so far.

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Score, TermId};
use crate::discovery::tuning::{ALIKE_ARCHIVED, ARCHIVED_A_MUTANT, ARCHIVED_SETS, ARCHIVED_SMALL_SETS};

/// How a relation was found. Later origins are greater: enumeration comes before generation 0, and generation 0 before generation 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// By enumeration of small terms.
    Enumeration,
    /// By genetic programming.
    Evolution {
        /// The generation in which the relation first appeared; generation 0 is the random population.
        generation: u32,
    },
}

/// A relation without false positives.
#[derive(Clone, Debug)]
pub(super) struct ArchivedRelation {
    pub(super) condition: Option<TermId>,
    pub(super) expect: TermId,
    pub(super) score: Score,
    /// The number of nodes of expectation and condition together.
    pub(super) size: usize,
    pub(super) origin: Origin,
    /// The mutants that the relation kills.
    pub(super) caught: FixedBitSet,
}

impl ArchivedRelation {
    /// The sort key of a relation; a lower key is better.
    fn key(&self) -> (u32, usize) {
        (self.score.false_negatives, self.size)
    }
}

/// Relations grouped by the set of incorrect rows that they miss; within a group the smallest relation comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    entries: IndexMap<u64, Vec<ArchivedRelation>, FxBuildHasher>,
}

impl Archive {
    /// Whether the archive would keep a relation of this size that misses this set of rows.
    pub(super) fn is_wanted(&self, missed: u64, expect: TermId, size: usize) -> bool {
        let Some(alike) = self.entries.get(&missed) else { return true };
        let is_there = alike.iter().any(|e| e.expect == expect);
        !is_there && (alike.len() < ALIKE_ARCHIVED || alike.last().is_some_and(|worst| size < worst.size))
    }

    /// Keeps a relation if [`Self::is_wanted`] says so.
    pub(super) fn add(&mut self, entry: ArchivedRelation) {
        if !self.is_wanted(entry.score.missed, entry.expect, entry.size) {
            return;
        }
        let alike = self.entries.entry(entry.score.missed).or_default();
        let place = alike.partition_point(|e| e.size <= entry.size);
        alike.insert(place, entry);
        alike.truncate(ALIKE_ARCHIVED);
        if self.entries.len() > 2 * ARCHIVED_SETS {
            self.prune();
        }
    }

    /// Prunes the archive. The groups that stay are the `ARCHIVED_SETS` with the fewest false negatives, the `ARCHIVED_SMALL_SETS` with the smallest
    /// relations, and, in both orders, the first `ARCHIVED_A_MUTANT` that kill each mutant.
    fn prune(&mut self) {
        self.entries.sort_by(|_, a, _, b| a[0].size.cmp(&b[0].size));
        let small: FxHashSet<u64> = self
            .foremost(ARCHIVED_SMALL_SETS)
            .iter()
            .filter_map(|&place| Some(*self.entries.get_index(place)?.0))
            .collect();
        self.entries.sort_by(|_, a, _, b| a[0].key().cmp(&b[0].key()));
        let best = self.foremost(ARCHIVED_SETS);
        let mut place = 0;
        self.entries.retain(|missed, _| {
            place += 1;
            best.contains(&(place - 1)) || small.contains(missed)
        });
    }

    /// The indices of the first `most` groups, and of the first `ARCHIVED_A_MUTANT` groups that kill each mutant.
    fn foremost(&self, most: usize) -> FxHashSet<usize> {
        let mut kept_for: Vec<usize> = Vec::new();
        let is_rare = |caught: &FixedBitSet| {
            kept_for.resize(kept_for.len().max(caught.len()), 0);
            let is_rare = caught.ones().any(|mutant| kept_for[mutant] < ARCHIVED_A_MUTANT);
            caught.ones().for_each(|mutant| kept_for[mutant] += 1);
            is_rare
        };
        let rare = self.entries.values().map(|alike| &alike[0].caught).map(is_rare);
        rare.enumerate().filter(|&(place, is_rare)| place < most || is_rare).map(|(place, _)| place).collect()
    }

    /// The smallest relation of each group, sorted by false negatives, then by size, then by age.
    pub(super) fn best(&self) -> Vec<&ArchivedRelation> {
        let mut best: Vec<&ArchivedRelation> = self.entries.values().map(|alike| &alike[0]).collect();
        best.sort_by_key(|e| e.key());
        best
    }

    /// Removes and returns all relations, the best first.
    pub(super) fn take(&mut self) -> Vec<ArchivedRelation> {
        let mut all: Vec<ArchivedRelation> =
            std::mem::take(&mut self.entries).into_values().flatten().collect();
        all.sort_by_key(ArchivedRelation::key);
        all
    }

    /// Removes the relations for which `is_wrong` is true.
    pub(super) fn remove(&mut self, is_wrong: impl Fn(&ArchivedRelation) -> bool) {
        self.entries.values_mut().for_each(|alike| alike.retain(|entry| !is_wrong(entry)));
        self.entries.retain(|_, alike| !alike.is_empty());
    }

    /// The terms of all relations in the archive.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.entries.values().flatten().flat_map(|e| e.condition.into_iter().chain([e.expect]))
    }

    /// Replaces each term id by its new id.
    pub(super) fn renumber(&mut self, new: impl Fn(TermId) -> TermId) {
        for entry in self.entries.values_mut().flatten() {
            entry.expect = new(entry.expect);
            entry.condition = entry.condition.map(&new);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::population::tests::individual;
    use super::*;

    /// A relation whose expectation is an integer leaf. Tests use the integer only to tell relations apart.
    pub(in crate::discovery) fn entry(
        term: i64,
        size: usize,
        missed: u64,
        false_negatives: u32,
        caught: &[usize],
    ) -> ArchivedRelation {
        let of = individual(term, size, [0, false_negatives], missed);
        let origin = Origin::Evolution { generation: 0 };
        let caught = caught.iter().copied().collect();
        ArchivedRelation { condition: None, expect: of.term, score: of.score, size, origin, caught }
    }

    fn sizes(archive: &Archive) -> Vec<usize> {
        archive.best().iter().map(|e| e.size).collect()
    }

    #[test]
    fn the_smallest_stands_for_all_that_miss_the_same() {
        let mut archive = Archive::default();
        for (term, size) in [(0, 7), (1, 5), (1, 5), (2, 9), (3, 8), (4, 6)] {
            archive.add(entry(term, size, 1, 3, &[0]));
        }
        archive.add(entry(9, 3, 2, 4, &[0]));
        assert_eq!(sizes(&archive), [5, 3]);
        let all: Vec<usize> = archive.take().iter().map(|e| e.size).collect();
        assert_eq!(all, [5, 6, 7, 8, 3], "the largest went, and what came twice is there once");
    }

    #[test]
    fn what_alone_catches_a_mutant_outlives_what_misses_fewer() {
        let mut archive = Archive::default();
        archive.add(entry(0, 3, 0, 9000, &[7]));
        for i in 1..=2 * ARCHIVED_SETS as u64 {
            archive.add(entry(i as i64, 3, i, i as u32, &[0]));
        }
        let best = archive.best();
        assert_eq!(best.len(), ARCHIVED_SETS + 1);
        assert!(best.last().is_some_and(|e| e.caught.contains(7)));
        assert_eq!(best[0].score.false_negatives, 1);
    }
}
