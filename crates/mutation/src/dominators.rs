//! Dominators: the mutants that stand for others, determined by the tests that kill them.

use std::collections::{BTreeMap, BTreeSet};

use crate::orders::{Group, KillSets, Subsumption};
use dodona_records::{DominatorGroup, MutantId};
use dodona_wasm::Workbench;
use fixedbitset::FixedBitSet;

use crate::suite::{Suite, input_of};

/// Mutants with the tests that kill them.
pub(crate) struct DominatorGroups<'a> {
    pub(crate) workbench: &'a Workbench,
    pub(crate) suite: &'a Suite,
    /// The mutants.
    pub(crate) ids: &'a [MutantId],
    /// For each mutant the tests that kill it. Tests are numbered over all sections.
    pub(crate) killed: &'a [FixedBitSet],
}

/// For each mutant that was run, the mutants that compile to the same code.
pub(crate) type Duplicates = BTreeMap<MutantId, Vec<MutantId>>;

impl DominatorGroups<'_> {
    /// The subsumption among the mutants.
    pub(crate) fn subsumption(&self) -> Subsumption {
        let kills =
            KillSets::from_tests(self.suite.first_tests().count, self.killed.iter().map(FixedBitSet::ones));
        // This cannot fail: every number is that of a test of the suite.
        Subsumption::of(&kills.unwrap_or_default())
    }

    /// The groups that no other group subsumes. Those that subsume the most mutants come first, because people read from the
    /// top.
    pub(crate) fn all(&self, duplicates: &Duplicates) -> Vec<DominatorGroup> {
        self.of(&self.subsumption(), duplicates)
    }

    /// The same, with the subsumption already computed.
    pub(crate) fn of(&self, subsumption: &Subsumption, duplicates: &Duplicates) -> Vec<DominatorGroup> {
        let disjoint: BTreeSet<usize> = subsumption.disjoint_dominators().into_iter().collect();
        let group = |number: &usize| {
            self.group(&subsumption.groups()[*number], disjoint.contains(number), duplicates)
        };
        let mut groups: Vec<DominatorGroup> = subsumption.dominator_numbers().iter().map(group).collect();
        groups.sort_by_key(|group| std::cmp::Reverse((group.subsumes, group.mutants.len())));
        groups
    }

    fn group(&self, group: &Group, disjoint: bool, duplicates: &Duplicates) -> DominatorGroup {
        let row = &self.killed[group.mutants[0]];
        let first = group.killing().next();
        let (function, input) =
            first.map_or_else(Default::default, |test| input_of(self.workbench, self.suite, test));
        let subsumed = (0..self.killed.len())
            .filter(|mutant| row.is_subset(&self.killed[*mutant]) && !group.mutants.contains(mutant));
        let subsumed: Vec<usize> = subsumed.collect();
        DominatorGroup {
            mutants: self.with_duplicates(&group.mutants, duplicates),
            inputs: group.times_killed() as u64,
            function,
            input,
            subsumes: self.with_duplicates(&subsumed, duplicates).len() as u64,
            disjoint,
        }
    }

    /// The numbers of mutants, and of those that compile to the same code.
    pub(crate) fn with_duplicates(&self, mutants: &[usize], duplicates: &Duplicates) -> Vec<MutantId> {
        let mut ids: BTreeSet<MutantId> = mutants.iter().map(|mutant| self.ids[*mutant]).collect();
        let more: Vec<MutantId> = ids.iter().filter_map(|id| duplicates.get(id)).flatten().copied().collect();
        ids.extend(more);
        ids.into_iter().collect()
    }
}
