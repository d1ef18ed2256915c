//! What a composition of relations found, as data: reports and files of relations are made from these records alone.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DiscoveryProof, MutantId, RefutedRelation, Share};

/// What the composition of basic relations found (Xiang, Wu, Yu, "A Genetic Algorithm-Based Approach for Composite Metamorphic
/// Relations Construction", 2019).
///
/// Everything but [`LayerRecord::seconds`] is the same for the same seed, unless its time was over or it was interrupted.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CompositionRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// Where everything random starts.
    pub seed: u64,
    /// Source inputs that each composite relation was run on in the search: M in section 4.1.
    pub inputs: u64,
    /// Fresh source inputs that each relation had to hold on after the search.
    pub fresh: u64,
    /// The basic relations that take part, in the order by which sequences number them, from 1.
    pub basics: Vec<BasicRelation>,
    /// All relations that were asked for, those included that take no part or are of other functions: what there was before.
    pub given: GivenRelations,
    /// Relations that take no part, because they cannot be read as a change of the input and what it does to the output.
    pub left_out: Vec<LeftOutRelation>,
    /// One for each number of layers asked for, in that order.
    pub layers: Vec<LayerRecord>,
    /// The composite relations that passed every test, those of fewer layers first.
    pub relations: Vec<CompositeRelation>,
    /// Some of the composite relations that a fresh input or a proof refuted: at most [`MOST_REFUTED`](Self::MOST_REFUTED).
    pub refuted: Vec<RefutedRelation>,
    /// The mutants that relations were run on, by ascending number: none that is known to be equivalent or a duplicate.
    pub mutants: Vec<MutantId>,
    /// The names of the relations that are chosen, basic and composite, in the order of the choice: few relations of few runs and few
    /// layers, which together kill nearly as many mutants as all do. A kill counts for the choice if inputs of a second seed show it
    /// too.
    pub chosen: Vec<String>,
    /// Whether no fewer relations kill all mutants that relations kill with both seeds, rather than the choice being greedy.
    pub is_smallest: bool,
    /// The greatest numbers of mutants that can be killed with so many runs of the subject, for growing numbers of runs.
    pub front: Vec<FrontPoint>,
    /// Why it ended. What was found until then is kept.
    pub stop: CompositionStop,
    /// What else is to be known.
    pub warnings: Vec<String>,
    /// Where Dodona contradicts itself: mistakes of ours, for which nothing else in the record can be relied on.
    pub contradictions: Vec<String>,
}

/// Why a composition ended.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum CompositionStop {
    /// All sequences of the search were tested, and what holds was run on the mutants.
    Finished,
    /// The time was over.
    TimeSpent {
        /// The bound, in seconds.
        seconds: f64,
    },
    /// Interrupted from outside.
    Interrupted,
}

/// A basic relation, and what it is worth by itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct BasicRelation {
    /// Its name.
    pub name: String,
    /// The relation as printed by the language, its name included.
    pub text: String,
    /// Calls of functions under test for a metamorphic group.
    pub runs: u64,
    /// The mutants that it kills, by ascending number.
    pub killed: Vec<MutantId>,
}

/// All relations that a composition was given, as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GivenRelations {
    /// How many there are.
    pub relations: u64,
    /// Calls of functions under test for a metamorphic group of each, and of each constant.
    pub runs: u64,
    /// The mutants that they kill together, by ascending number.
    pub killed: Vec<MutantId>,
}

/// A relation that takes no part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct LeftOutRelation {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

/// What became of the sequences of one number of layers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LayerRecord {
    /// How many basic relations a sequence has.
    pub layers: u64,
    /// How sequences were searched: `exhaustive`, `genetic algorithm` or `simulated annealing`.
    pub search: String,
    /// All sequences that there are.
    pub sequences: u128,
    /// Different sequences that were tried.
    pub tried: u64,
    /// Those of them that cannot be composed, by the reason.
    pub refused: Vec<RefusedSequences>,
    /// Those for which too few inputs were eligible.
    pub rarely_eligible: u64,
    /// Those that did not hold on enough of the inputs.
    pub rejected: u64,
    /// Those that held on enough of the inputs.
    pub accepted: u64,
    /// Accepted sequences that a repeat of the search returned as its best; all of them where every sequence was tried.
    pub returned: u64,
    /// Accepted sequences that say nothing: the follow-up input is the source input.
    pub trivial: u64,
    /// Accepted sequences that say what a basic relation, or a sequence of fewer layers, says.
    pub said_before: u64,
    /// Accepted sequences that say what a basic relation, or another sequence, says of every input already, at an input that is changed
    /// before.
    pub instances: u64,
    /// Different relations among the others.
    pub distinct: u64,
    /// Those of them that a fresh input or a proof refuted.
    pub refuted: u64,
    /// Those of them that no fresh input was eligible for.
    pub untested: u64,
    /// Those of them whose tests the end of the time or an interruption ended.
    pub unfinished: u64,
    /// Whether the search came to its own end.
    pub is_complete: bool,
    /// Seconds that the search took.
    pub seconds: f64,
}

/// Sequences that cannot be composed for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RefusedSequences {
    /// The reason.
    pub why: String,
    /// How many.
    pub sequences: u64,
}

/// A composite relation that passed every test.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct CompositeRelation {
    /// Its name: those of its basic relations, the first one first.
    pub name: String,
    /// The relation as printed by the language, its name included.
    pub text: String,
    /// The numbers of its basic relations, from 1, the first one first: `[1, 3]` is cmr13 of the paper.
    pub sequence: Vec<u64>,
    /// Accepted sequences that say the same, itself included.
    pub sequences: u64,
    /// Calls of functions under test for a metamorphic group.
    pub runs: u64,
    /// Inputs of the search that were eligible.
    pub eligible: u64,
    /// Inputs of the search on which it held: the fitness of section 3.3.3.
    pub fitness: u64,
    /// Fresh groups that were eligible, on all of which it held.
    pub held: u64,
    /// Fresh groups that were not eligible.
    pub ineligible: u64,
    /// Whether it is proved or tested.
    pub proof: DiscoveryProof,
    /// The mutants that it kills, by ascending number.
    pub killed: Vec<MutantId>,
}

/// A point of the front of runs against mutants killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FrontPoint {
    /// Calls of functions under test for one group of each relation.
    pub runs: u64,
    /// Relations.
    pub relations: u64,
    /// Mutants that they kill together.
    pub killed: u64,
}

impl CompositionRecord {
    /// The most refuted relations that a record keeps.
    pub const MOST_REFUTED: usize = 20;

    /// How many of the mutants the basic relations kill together.
    pub fn killed_by_basics(&self) -> Share {
        self.share(self.basics.iter().flat_map(|basic| &basic.killed))
    }

    /// How many of the mutants the composite relations kill together.
    pub fn killed_by_composites(&self) -> Share {
        self.share(self.relations.iter().flat_map(|relation| &relation.killed))
    }

    /// How many of the mutants all relations kill together that were there before.
    pub fn killed_by_given(&self) -> Share {
        self.share(self.given.killed.iter())
    }

    /// How many of the mutants the chosen relations kill together.
    pub fn killed_by_chosen(&self) -> Share {
        let is_chosen = |name: &String| self.chosen.contains(name);
        let basics =
            self.basics.iter().filter(|basic| is_chosen(&basic.name)).flat_map(|basic| &basic.killed);
        let composites = self.relations.iter().filter(|one| is_chosen(&one.name)).flat_map(|one| &one.killed);
        self.share(basics.chain(composites))
    }

    /// How many of the mutants all relations kill together.
    pub fn killed_by_all(&self) -> Share {
        let composites = self.relations.iter().flat_map(|relation| &relation.killed);
        let basics = self.basics.iter().flat_map(|basic| &basic.killed);
        self.share(basics.chain(composites))
    }

    /// The share of the mutants that relations of so many layers kill on average; basic relations have one layer. `None` where there
    /// is no such relation or no mutant (Table 7).
    pub fn mean_score(&self, layers: usize) -> Option<f64> {
        let killed: Vec<usize> = match layers {
            1 => self.basics.iter().map(|basic| basic.killed.len()).collect(),
            _ => {
                let those = self.relations.iter().filter(|relation| relation.sequence.len() == layers);
                those.map(|relation| relation.killed.len()).collect()
            }
        };
        let pairs = killed.len() * self.mutants.len();
        (pairs > 0).then(|| killed.iter().sum::<usize>() as f64 / pairs as f64)
    }

    fn share<'a>(&self, killed: impl Iterator<Item = &'a MutantId>) -> Share {
        let killed: BTreeSet<&MutantId> = killed.collect();
        Share { covered: killed.len() as u64, total: self.mutants.len() as u64 }
    }
}
