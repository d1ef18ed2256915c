//! What a discovery of relations found, as data: reports and files of relations are made from these records alone.
//!
//! Every refutation is kept with its step. Counts for each step of the filter show how much each step is worth, and can be compared with
//! those of GenMorph.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{MutantId, Share};

/// What the discovery of relations of one function found.
///
/// Everything but [`DiscoveryWork::seconds`] is the same for the same seed, unless a clock [decided](Self::time_decided).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoveryRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The function under test.
    pub function: String,
    /// Where everything random starts.
    pub seed: u64,
    /// Why it ended.
    pub stop: DiscoveryStop,
    /// Whether a clock ended some part of it: another run with the same seed may then find something else.
    pub time_decided: bool,
    /// The source inputs, by where they come from.
    pub sources: DiscoverySources,
    /// Input transformations that were tried.
    pub transformations: u64,
    /// The mutants whose executions the search saw, by ascending number.
    pub searched_mutants: Vec<MutantId>,
    /// The mutants that it never saw, by ascending number: what is found is scored on these.
    pub held_out: Vec<MutantId>,
    /// Those of the held out mutants that the relations together catch, by ascending number.
    pub held_out_caught: Vec<MutantId>,
    /// The mutants, searched and held out, that the inputs of the evidence reveal, with the original's outputs as the oracle, and those that a relation catches on its
    /// follow-up inputs. Relations cannot be expected to catch others.
    pub revealed: Vec<MutantId>,
    /// The mutants, searched and held out, that there was no time to run the relations on. Nothing is known of them, and scores leave
    /// them out.
    pub not_run: Vec<MutantId>,
    /// Faulty versions, whose executions the search saw beside those of the mutants. No score of mutants counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<DiscoveryVersion>,
    /// Recorded pairs of executions, all transformations together.
    pub pairs: DiscoveryPairs,
    /// What was computed.
    pub work: DiscoveryWork,
    /// How far the search under each input transformation came.
    pub searches: Vec<DiscoverySearch>,
    /// What went into each step of the filter and what came out, in the order of the steps.
    pub filter: Vec<FilterStep>,
    /// The relations found, in the order chosen. Each has passed every test.
    pub relations: Vec<DiscoveredRelation>,
    /// What held until then and is not listed, because it is hard to read or there was no room.
    #[serde(default)]
    pub left_out: LeftOut,
    /// Relations that nothing refuted, and whose tests did not come to their end.
    pub unconfirmed: Vec<UnconfirmedRelation>,
    /// Some of the candidates that a new input refuted: at most [`MOST_REFUTED`](Self::MOST_REFUTED).
    pub refuted: Vec<RefutedRelation>,
    /// What else is to be known.
    pub warnings: Vec<String>,
    /// Where Dodona contradicts itself: mistakes of ours, for which nothing else in the record can be relied on.
    pub contradictions: Vec<String>,
}

/// Relations that no test refuted, and that are not listed. Their last tests were not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct LeftOut {
    /// So many relations that hardly anybody would write.
    pub unreadable: u64,
    /// The mutants that these catch and no listed relation does.
    pub unreadable_catch: u64,
    /// So many readable relations that catch a further mutant and for which the list had no room.
    pub without_room: u64,
}

/// Why a discovery ended. Each reason carries its number.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum DiscoveryStop {
    /// The time was over.
    TimeSpent {
        /// The bound, in seconds.
        seconds: f64,
    },
    /// All generations were run.
    GenerationsRun {
        /// So many, all transformations together; 0 where nothing was to be evolved.
        generations: u64,
    },
    /// The chosen relations catch every mutant that some recorded execution shows to differ.
    EverythingCaught {
        /// So many.
        mutants: u64,
    },
    /// Round after round found no relation that catches a mutant more.
    NothingGained {
        /// So many rounds.
        rounds: u64,
    },
    /// Interrupted from outside; what was found until then is kept.
    Interrupted {
        /// Generations run until then, all transformations together.
        generations: u64,
    },
}

/// Source inputs by where they come from; each is counted where it came first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoverySources {
    /// Read from files.
    pub files: u64,
    /// Generated along paths.
    pub paths: u64,
    /// Chosen far from each other.
    pub adaptive: u64,
    /// Drawn at random.
    pub random: u64,
    /// Made by techniques that a discovery does not usually use, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<String, u64>,
}

impl DiscoverySources {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.files + self.paths + self.adaptive + self.random + self.others.values().sum::<u64>()
    }

    /// Adds so many inputs of the technique of this name.
    pub fn count(&mut self, technique: &str, inputs: u64) {
        match technique {
            "path" => self.paths += inputs,
            "adaptive" => self.adaptive += inputs,
            "random" => self.random += inputs,
            _ => *self.others.entry(technique.to_owned()).or_default() += inputs,
        }
    }
}

/// Recorded pairs of a source and a follow-up execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoveryPairs {
    /// Of the original.
    pub correct: u64,
    /// Of mutants, each with an output that is not the original's.
    pub incorrect: u64,
}

/// What a discovery computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoveryWork {
    /// Terms that were enumerated.
    pub enumerated: u64,
    /// Trees that were evaluated in evolution.
    pub evaluated: u64,
    /// Generations, all transformations together.
    pub generations: u64,
    /// Seconds that it took.
    pub seconds: f64,
}

/// The search for output relations under one input transformation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoverySearch {
    /// The input transformation: `NumericAddition(e, -1)`; of a relation of a known form `law` or `pattern`.
    pub transformation: String,
    /// Generations of genetic programming.
    pub generations: u64,
    /// The share of the incorrect executions, from 0 to 1, that the best relation calls correct which new inputs did not refute;
    /// `None` where there is no such relation.
    pub false_negatives: Option<f64>,
}

/// A step of the filter: it passes on what it cannot refute.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct FilterStep {
    /// Its name: `fresh inputs`, `mutation analysis`, `many fresh inputs`, `counterexample search`, `symbolic execution`.
    pub name: String,
    /// Candidates that it was given.
    pub tried: u64,
    /// Candidates that it did not refute, and that spoke of some input.
    pub passed: u64,
}

impl FilterStep {
    /// The share of valid candidates: `passed` of `tried`.
    pub fn share(&self) -> Share {
        Share { covered: self.passed, total: self.tried }
    }
}

/// A relation that was found, with its evidence.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoveredRelation {
    /// Its name.
    pub name: String,
    /// The relation as printed by the language, its name included.
    pub text: String,
    /// What it says, in words: `where e != 0, taking 1 from e divides the result by k`.
    pub words: String,
    /// The input transformation: `NumericAddition(e, -1)`; of a relation of a known form `law`, `invariant` or `pattern`.
    pub transformation: String,
    /// The canonical input relation: `k' = k, e' = e - 1`; nothing of a relation of a known form.
    pub given: String,
    /// What found it.
    pub found_by: FoundBy,
    /// Source inputs that it was run on.
    pub sources_tried: u64,
    /// Eligible metamorphic groups of these, on all of which it held.
    pub held: u64,
    /// Groups that were not eligible.
    pub ineligible: u64,
    /// Whether it is proved or tested.
    pub proof: DiscoveryProof,
    /// The searched mutants that it catches, by ascending number.
    pub caught: Vec<MutantId>,
    /// Those of them that no other relation of the record catches.
    pub only: Vec<MutantId>,
    /// How many of the held out mutants it catches.
    pub held_out_caught: u64,
    /// The faulty versions that it catches, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caught_versions: Vec<String>,
}

/// A faulty version, and what the inputs and relations of the evidence found of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct DiscoveryVersion {
    /// The name of its folder or module, or the path of it where another version has the same name.
    pub name: String,
    /// Its folder or module, as given.
    pub path: String,
    /// Whether its code is its own: not that of the subject, and not that of a version before it. Others are in no score.
    pub is_fault: bool,
    /// Whether there was time to run the relations on it.
    pub was_run: bool,
    /// Whether an input reveals it with the original's outputs as the oracle, or a relation catches it.
    pub is_revealed: bool,
    /// Whether a relation that was found catches it.
    pub is_caught: bool,
}

/// A relation that nothing refuted, but whose tests did not come to their end: the time was over, or somebody interrupted. It is no
/// result: files of relations have it in a comment at most.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct UnconfirmedRelation {
    /// Its name.
    pub name: String,
    /// The relation as printed by the language, its name included.
    pub text: String,
    /// What it says, in words.
    pub words: String,
    /// Eligible metamorphic groups that were run, on all of which it held.
    pub held: u64,
    /// Groups that were not eligible.
    pub ineligible: u64,
}

/// What found a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum FoundBy {
    /// Enumeration of all small terms.
    Enumeration,
    /// No search: it has a known form.
    Form,
    /// Genetic programming.
    Evolution {
        /// In this generation of its transformation, from 0.
        generation: u32,
    },
}

/// What is known of a relation that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DiscoveryProof {
    /// It holds on every path of every eligible input, within bounds.
    ProvedWithin {
        /// The longest sequence or text, in elements or bytes; nothing where the domains allow no longer ones.
        longest: Option<u64>,
        /// Turns of a loop by choice that were followed.
        loop_bound: u32,
        /// Whether the function can ask for random bytes. Every run gets the same ones, so the proof is for those alone.
        random_source: bool,
    },
    /// It held on all groups that were run.
    TestedOn {
        /// So many eligible ones.
        groups: u64,
    },
}

/// A candidate that a new input refuted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RefutedRelation {
    /// The relation as printed by the language.
    pub text: String,
    /// The input and what became of it, in a few words.
    pub counterexample: String,
    /// The name of the step of the filter that found it.
    pub step: String,
}

impl DiscoveryRecord {
    /// The most refuted candidates that a record keeps.
    pub const MOST_REFUTED: usize = 20;

    /// How many of the searched mutants that the relations were run on they together catch.
    pub fn caught(&self) -> Share {
        let caught: BTreeSet<MutantId> = self.relations.iter().flat_map(|r| &r.caught).copied().collect();
        Share { covered: caught.len() as u64, total: self.run_among(&self.searched_mutants) }
    }

    /// How many of the searched mutants that inputs reveal the relations together catch.
    pub fn caught_of_revealed(&self) -> Share {
        Share { total: shared(&self.searched_mutants, &self.revealed), ..self.caught() }
    }

    /// How many of the held out mutants that inputs reveal the relations together catch.
    pub fn held_out_score_of_revealed(&self) -> Share {
        Share { total: shared(&self.held_out, &self.revealed), ..self.held_out_score() }
    }

    /// How many of the faulty versions that the relations were run on they together catch.
    pub fn versions_caught(&self) -> Share {
        let counted = self.versions.iter().filter(|version| version.is_fault && version.was_run);
        let covered = counted.clone().filter(|version| version.is_caught).count();
        Share { covered: covered as u64, total: counted.count() as u64 }
    }

    /// How many of these mutants the relations were run on.
    fn run_among(&self, mutants: &[MutantId]) -> u64 {
        mutants.len() as u64 - shared(mutants, &self.not_run)
    }

    /// How many of the held out mutants that the relations were run on they together catch.
    pub fn held_out_score(&self) -> Share {
        Share { covered: self.held_out_caught.len() as u64, total: self.run_among(&self.held_out) }
    }
}

/// How many of some mutants are among others.
fn shared(some: &[MutantId], others: &[MutantId]) -> u64 {
    let others: BTreeSet<MutantId> = others.iter().copied().collect();
    some.iter().filter(|mutant| others.contains(mutant)).count() as u64
}
