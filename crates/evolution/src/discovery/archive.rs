//! The relations without false positives that were found so far.

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Score, TermId};

/// How a relation was found; the later it was, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// By enumeration of small terms.
    Enumeration,
    /// By genetic programming.
    Evolution {
        /// The generation that it first stood in; 0 is the first, random one.
        generation: u32,
    },
}

/// A relation without false positives.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) condition: Option<TermId>,
    pub(super) expect: TermId,
    pub(super) score: Score,
    /// Nodes of the expectation and the condition.
    pub(super) size: usize,
    pub(super) origin: Origin,
    /// The mutants it catches.
    pub(super) caught: FixedBitSet,
}

impl Entry {
    /// Lower is better.
    fn key(&self) -> (u32, usize) {
        (self.score.false_negatives, self.size)
    }
}

/// How many relations that miss the same faults are kept: where the smallest is refuted later, another may stand.
const ALIKE: usize = 4;
/// How many sets of missed faults are kept for missing few.
const MOST: usize = 400;
/// For how many relations each mutant keeps alive those that catch it, besides.
const FOR_EACH_MUTANT: usize = 4;

/// Relations by the set of faults that they miss, the smallest of each first.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    entries: IndexMap<u64, Vec<Entry>, FxBuildHasher>,
}

impl Archive {
    /// Whether a relation of that size which misses these faults would be kept.
    pub(super) fn wants(&self, missed: u64, expect: TermId, size: usize) -> bool {
        let Some(alike) = self.entries.get(&missed) else { return true };
        let is_there = alike.iter().any(|e| e.expect == expect);
        !is_there && (alike.len() < ALIKE || alike.last().is_some_and(|worst| size < worst.size))
    }

    /// Keeps a relation if it is better than what is there.
    pub(super) fn add(&mut self, entry: Entry) {
        if !self.wants(entry.score.missed, entry.expect, entry.size) {
            return;
        }
        let alike = self.entries.entry(entry.score.missed).or_default();
        let place = alike.partition_point(|e| e.size <= entry.size);
        alike.insert(place, entry);
        alike.truncate(ALIKE);
        if self.entries.len() > 2 * MOST {
            self.prune();
        }
    }

    /// Keeps the best and the smallest, and of both the first few that catch each mutant.
    fn prune(&mut self) {
        self.entries.sort_by(|_, a, _, b| a[0].size.cmp(&b[0].size));
        let small: FxHashSet<u64> = self
            .foremost(MOST / 4)
            .iter()
            .filter_map(|&place| Some(*self.entries.get_index(place)?.0))
            .collect();
        self.entries.sort_by(|_, a, _, b| a[0].key().cmp(&b[0].key()));
        let best = self.foremost(MOST);
        let mut place = 0;
        self.entries.retain(|missed, _| {
            place += 1;
            best.contains(&(place - 1)) || small.contains(missed)
        });
    }

    /// The places of the first `most`, and of the first few that catch each mutant.
    fn foremost(&self, most: usize) -> FxHashSet<usize> {
        let mut kept_for: Vec<usize> = Vec::new();
        let is_rare = |caught: &FixedBitSet| {
            kept_for.resize(kept_for.len().max(caught.len()), 0);
            let is_rare = caught.ones().any(|mutant| kept_for[mutant] < FOR_EACH_MUTANT);
            caught.ones().for_each(|mutant| kept_for[mutant] += 1);
            is_rare
        };
        let rare = self.entries.values().map(|alike| &alike[0].caught).map(is_rare);
        rare.enumerate().filter(|&(place, is_rare)| place < most || is_rare).map(|(place, _)| place).collect()
    }

    /// The best of each set of missed faults, the fewest first, then the smallest, then the earliest.
    pub(super) fn best(&self) -> Vec<&Entry> {
        let mut best: Vec<&Entry> = self.entries.values().map(|alike| &alike[0]).collect();
        best.sort_by_key(|e| e.key());
        best
    }

    /// Takes everything out, the best first.
    pub(super) fn take(&mut self) -> Vec<Entry> {
        let mut all: Vec<Entry> = std::mem::take(&mut self.entries).into_values().flatten().collect();
        all.sort_by_key(Entry::key);
        all
    }

    /// Takes out the relations of which this is true.
    pub(super) fn remove(&mut self, is_wrong: impl Fn(&Entry) -> bool) {
        self.entries.values_mut().for_each(|alike| alike.retain(|entry| !is_wrong(entry)));
        self.entries.retain(|_, alike| !alike.is_empty());
    }

    /// The terms that it holds.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.entries.values().flatten().flat_map(|e| e.condition.into_iter().chain([e.expect]))
    }

    /// Gives every term its new id.
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

    /// A relation of an integer leaf. Only the number of the term means anything.
    pub(in crate::discovery) fn entry(
        term: i64,
        size: usize,
        missed: u64,
        false_negatives: u32,
        caught: &[usize],
    ) -> Entry {
        let of = individual(term, size, [0, false_negatives], missed);
        let origin = Origin::Evolution { generation: 0 };
        let caught = caught.iter().copied().collect();
        Entry { condition: None, expect: of.term, score: of.score, size, origin, caught }
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
        for i in 1..=2 * MOST as u64 {
            archive.add(entry(i as i64, 3, i, i as u32, &[0]));
        }
        let best = archive.best();
        assert_eq!(best.len(), MOST + 1);
        assert!(best.last().is_some_and(|e| e.caught.contains(7)));
        assert_eq!(best[0].score.false_negatives, 1);
    }
}
