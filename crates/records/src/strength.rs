//! How strong mutants are, as data: what a test that kills one says of others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Binding, HierarchyGraph, MutantId, MutantRecord, StopReason};

/// The hierarchy of one subject's mutants.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct HierarchyRecord {
    /// [`crate::FORMAT_VERSION`].
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The seed of the random inputs.
    pub seed: u64,
    /// The functions under test that were mutated.
    pub functions: Vec<String>,
    /// The mutation operators that were applied, by their short names.
    pub operators: Vec<String>,
    /// The inputs that mutants were run on, all functions under test together.
    pub inputs: u64,
    /// Every mutant of the chosen operators by ascending number.
    pub mutants: Vec<MutantRecord>,
    /// What the code of mutants says of their strength.
    pub statics: StaticStrength,
    /// Classes of mutants, in the order in which they were made: a test that kills the first mutant of a class was seen to kill the others, or
    /// their code says so.
    pub classes: Vec<MutantClass>,
    /// Mutants whose condition held in the run that killed the first of a class, and which that run did not kill: the condition is
    /// necessary and not sufficient.
    pub misled: u64,
    /// Groups of mutants that the same inputs kill and that no other group subsumes: one of each is enough.
    pub dominators: Vec<DominatorGroup>,
    /// How many inputs, chosen greedily, kill every mutant that some input kills; fewer may be enough.
    pub enough_inputs: u64,
    /// The order of the groups, for drawings.
    pub graph: HierarchyGraph,
    /// Why the computation of the hierarchy ended.
    pub stop: StopReason,
    /// What went wrong beside the results.
    pub warnings: Vec<String>,
    /// Where a run contradicts what was proved: mistakes of ours, for which nothing else in the record can be relied on.
    pub contradictions: Vec<String>,
}

/// Blocks of code that are executed at most once in a run, and which of them exclude each other.
///
/// ```
/// use dodona_records::{AlternativeBlocks, MutantId};
/// let blocks = [&[1, 2][..], &[3], &[4, 5, 6]].map(|block| block.iter().map(|&id| MutantId(id)).collect());
/// let branches = AlternativeBlocks { blocks: blocks.to_vec(), pairs: vec![(0, 2), (1, 2)] };
/// assert_eq!(branches.mutant_pairs(), 2 * 3 + 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct AlternativeBlocks {
    /// For each block the mutants that change it.
    pub blocks: Vec<Vec<MutantId>>,
    /// Pairs of blocks, by their places, of which a run executes one at most: no input kills a mutant of each.
    pub pairs: Vec<(u32, u32)>,
}

impl AlternativeBlocks {
    /// How many pairs of mutants no input kills both of, because a run executes at most one of their blocks.
    pub fn mutant_pairs(&self) -> u64 {
        let size = |block: u32| self.blocks.get(block as usize).map_or(0, |mutants| mutants.len() as u64);
        self.pairs.iter().map(|&(one, other)| size(one) * size(other)).sum()
    }
}

/// What the code of mutants says of their strength (Kapoor 2011, Theorems 2, 3 and 4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct StaticStrength {
    /// Mutants that do in every state what the original does: they are equivalent.
    pub equivalent: Vec<MutantId>,
    /// Pairs that do the same in every state.
    pub same: Vec<(MutantId, MutantId)>,
    /// Pairs of which the first is stronger; what follows from two of them need not be listed.
    pub stronger: Vec<(MutantId, MutantId)>,
    /// Pairs of mutants of one block that no input kills both of: no state in which it can begin infects both (Theorem 2). Pairs that follow
    /// because another mutant does the same are not listed.
    #[serde(default)]
    pub disjoint: Vec<(MutantId, MutantId)>,
    /// Pairs for which it was left open whether they do the same, or one is stronger, behind the code that follows their block. They count as
    /// unrelated.
    #[serde(default)]
    pub farther_unknown: u64,
    /// Pairs for which it was left open whether they are disjoint.
    #[serde(default)]
    pub disjoint_unknown: u64,
    /// Mutants that no input kills both of, because they change blocks of which a run executes one at most (section 3.2: there is no relation
    /// between mutants that no run reaches both of).
    #[serde(default)]
    pub alternatives: AlternativeBlocks,
    /// Blocks of code in which mutants were compared.
    pub blocks: u64,
    /// Of them, those that are executed at most once in a call.
    pub once: u64,
    /// Mutants that could not be compared: they change several blocks, or use what is not supported.
    pub unsupported: u64,
    /// Mutants that were not compared because the time was up, or there were too many terms.
    pub left: u64,
    /// Questions put to the solver.
    pub questions: u64,
    /// Of them, those that were left open; they count as unrelated.
    pub unknown: u64,
    /// Why there was no solver, if there was none: then only what the form of terms says is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_solver: Option<String>,
}

/// A class of mutants: there is a test that kills all of them (Kapoor 2011, Definition "Mutant Class").
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct MutantClass {
    /// The mutant that was run to find the test.
    pub representative: MutantId,
    /// The function under test that the test calls.
    pub function: String,
    /// The test that kills them.
    pub input: Vec<Binding>,
    /// The other mutants that the test was seen to kill.
    pub observed: Vec<MutantId>,
    /// The other mutants that it kills because of what their code says.
    pub proved: Vec<MutantId>,
    /// Mutants of the class that no test of another class kills, if there are such: the strong ones.
    pub strong: Vec<MutantId>,
}

impl MutantClass {
    /// How many mutants are in it.
    pub fn size(&self) -> usize {
        1 + self.observed.len() + self.proved.len()
    }
}

/// Mutants that the same inputs kill, and that no other group subsumes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct DominatorGroup {
    /// The mutants.
    pub mutants: Vec<MutantId>,
    /// How many inputs kill them.
    pub inputs: u64,
    /// The function under test that the first of those calls.
    pub function: String,
    /// The first of those.
    pub input: Vec<Binding>,
    /// How many other mutants each of those inputs kills as well.
    pub subsumes: u64,
    /// Whether no input kills it and another dominator.
    pub disjoint: bool,
}

impl HierarchyRecord {
    /// Mutants in classes.
    pub fn classified(&self) -> usize {
        self.classes.iter().map(MutantClass::size).sum()
    }

    /// What classes save, from 0 to 1: (1 - classes / (mutants - equivalent mutants)), as Kapoor (2011) counts it (section 5.2). Mutants that no input
    /// kills are in no class and count as equivalent here; duplicates count as mutants. Nothing where no mutant is killed.
    pub fn savings(&self) -> Option<f64> {
        let classified = self.classified();
        (classified > 0).then(|| 1.0 - self.classes.len() as f64 / classified as f64)
    }
}
