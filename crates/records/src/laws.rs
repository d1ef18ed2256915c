//! What a search for laws over several calls and functions found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DiscoveryProof, MutantId, UnconfirmedRelation};

/// The laws that were found, and how much of what there is they say.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LawsRecord {
    /// [`crate::FORMAT_VERSION`].
    pub format_version: u32,
    /// The subject's name.
    pub subject: String,
    /// The manifest's path as given.
    pub manifest: String,
    /// The seed of everything random.
    pub seed: u64,
    /// Which functions laws were searched over together.
    pub groups: Vec<LawGroup>,
    /// The laws, group by group, the cheapest to read first. Each has passed every test.
    pub laws: Vec<LawRecord>,
    /// Laws that nothing refuted, and whose tests did not come to their end.
    pub unconfirmed: Vec<UnconfirmedRelation>,
    /// Laws of the recorded executions that other inputs or a proof refuted.
    pub refuted: Vec<RefutedLaw>,
    /// Functions that no law was searched for.
    pub skipped: Vec<SkippedFunction>,
    /// Mutants that the laws were run on; empty where none were.
    pub mutants: Vec<MutantId>,
    /// How the search ended.
    pub stop: LawsStop,
    /// Seconds for all of it.
    pub seconds: f64,
    /// What went wrong beside the results.
    pub warnings: Vec<String>,
    /// Where Dodona contradicts itself: mistakes of ours.
    pub contradictions: Vec<String>,
}

/// Why a search for laws ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawsStop {
    /// Everything was looked at.
    Finished,
    /// The time was up: candidates were left.
    TimeSpent,
    /// Somebody interrupted.
    Interrupted,
}

/// Functions over which laws were searched together.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LawGroup {
    /// Their names.
    pub functions: Vec<String>,
    /// The variables of the laws.
    pub variables: Vec<String>,
    /// Recorded executions of each call.
    pub rows: u64,
    /// What had a column of values.
    pub looked_at: LookedAt,
    /// Laws that the columns obey, and that others do not say already.
    pub candidates: u64,
}

/// What a search for laws had columns of values of.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LookedAt {
    /// Products of calls of functions of numbers.
    Products {
        /// Calls of the functions at the arguments of the grammar.
        calls: u64,
        /// Of these, calls that were left out because they return too seldom where the others do.
        left_out: u64,
        /// Products of calls and variables, each with a column of values.
        products: u64,
        /// How many independent laws the columns obey: the dimension of their null space. `None` where there are too few rows to say.
        independent: Option<u64>,
        /// How many of these follow from the laws that are listed.
        explained: u64,
    },
    /// Terms over calls and words of the language, of values of any type.
    Terms {
        /// Terms, each with a column of values.
        terms: u64,
        /// The greatest size of a term of which all were looked at.
        size: u64,
    },
}

impl LawGroup {
    /// The share of the independent laws that follow from those that are listed; `None` where nobody knows how many there are.
    pub fn explained_share(&self) -> Option<f64> {
        let LookedAt::Products { independent, explained, .. } = self.looked_at else { return None };
        let independent = independent.filter(|independent| *independent > 0)?;
        Some(explained.min(independent) as f64 / independent as f64)
    }
}

/// A law.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LawRecord {
    /// Its name, from its structure: `sin_odd`.
    pub name: String,
    /// The relation.
    pub text: String,
    /// What it says, in words.
    pub words: String,
    /// The names of its functions.
    pub functions: Vec<String>,
    /// Metamorphic groups that it held on, none of which the search had seen.
    pub held: u64,
    /// Groups that it says nothing about: out of domain, or beside its condition.
    pub ineligible: u64,
    /// Whether it is proved or tested.
    pub proof: DiscoveryProof,
    /// Mutants that it kills.
    pub kills: Vec<MutantId>,
}

/// A law of the recorded executions that an input refuted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct RefutedLaw {
    /// The law.
    pub text: String,
    /// The input, or why it is no relation.
    pub counterexample: String,
}

/// A function that no law was searched for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SkippedFunction {
    /// Its name.
    pub function: String,
    /// Why not.
    pub why: String,
}

impl LawRecord {
    /// The law as one whose tests did not come to their end.
    pub fn unconfirmed(self) -> UnconfirmedRelation {
        let LawRecord { name, text, words, held, ineligible, .. } = self;
        UnconfirmedRelation { name, text, words, held, ineligible }
    }
}
