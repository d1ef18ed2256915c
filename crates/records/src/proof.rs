//! What proofs of relations found, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Counterexample;

/// What the proofs of a subject's relations found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ProofRecord {
    /// [`FORMAT_VERSION`](crate::FORMAT_VERSION).
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The solver; nothing where none was there before the time was up.
    pub solver: String,
    /// The longest sequence or text, in elements or bytes.
    pub longest: u64,
    /// Turns of a loop by choice that were followed.
    pub loop_bound: u32,
    /// One a relation, in the order of the files.
    pub relations: Vec<RelationProof>,
    /// Where Dodona contradicts itself: mistakes of ours, for which nothing else in the record can be relied on.
    pub contradictions: Vec<String>,
}

/// What the proof of one relation found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RelationProof {
    /// Its name.
    pub name: String,
    /// Its text as printed by the language.
    pub text: String,
    /// The file that it stands in.
    pub file: String,
    /// The line in that file, from 1.
    pub line: usize,
    /// What came of it.
    pub verdict: ProofVerdict,
    /// Whether a function that it calls can ask for random bytes. Every run gets the same ones, so a proof is for those alone.
    pub random_source: bool,
    /// Paths of single calls that were followed.
    pub paths: u64,
    /// Ways through all calls that came to a verdict.
    pub verdicts: u64,
}

/// What came of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum ProofVerdict {
    /// It holds on every path, for every eligible input up to a length.
    Proved {
        /// The longest sequence or text, in elements or bytes; nothing where the inputs have none, or the domains allow no longer
        /// ones: then it holds for every eligible input.
        longest: Option<u64>,
    },
    /// No input is eligible, up to a length: nothing was proved.
    Vacuous,
    /// An input violates it, and was run.
    Refuted {
        /// The metamorphic group.
        counterexample: Box<Counterexample>,
    },
    /// Nobody knows.
    Unknown {
        /// What stopped the proof.
        why: Vec<String>,
    },
}
