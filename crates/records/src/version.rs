//! Faulty versions in the place of mutants: what was made of each, and their counts.
//!
//! A version is no mutant of an operator, and a score of versions is no mutation score: they stand in a list of their own, and nothing adds the two up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Against, FailedCall, Judgement, MutationRecord, RelationKill, Revealed, Share, Tally};

/// Another build of the subject, with a real fault in it, and everything that was learnt of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct VersionRecord {
    /// The name of its folder or module, or the path of it where another version has the same name.
    pub name: String,
    /// Its folder or module, as given.
    pub path: String,
    /// Whose code it has, if it is that of the subject or of another version. Then it is counted in no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<SameCodeAs>,
    /// What was made of it, as of a mutant. [`Judgement::Equivalent`] is one with the code of the subject.
    pub judgement: Judgement,
    /// What the suite reveals against the original's outcomes; nothing when no outcome differs, or none was compared.
    pub revealed_by: Option<Revealed>,
    /// The relations that kill it.
    pub killed_by: Vec<RelationKill>,
    /// The first call of it in a test that does not return although the original's does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedCall>,
    /// Of the untested: the verdicts on it of all groups that are eligible on the original, none of which is eligible on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untested: Option<Tally>,
}

/// Whose code a version has: nothing but debug information and names may differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum SameCodeAs {
    /// That of the subject.
    Subject,
    /// That of another version.
    Version {
        /// Its name.
        name: String,
    },
}

impl VersionRecord {
    /// Whether it counts: it was run, and its code is neither the subject's nor another version's.
    pub fn is_counted(&self) -> bool {
        self.same_as.is_none() && self.judgement != Judgement::NotRun
    }

    /// Whether the tests tell it from the original: it is killed, crashed or timed out.
    pub fn is_detected(&self) -> bool {
        matches!(self.judgement, Judgement::Killed | Judgement::Crashed | Judgement::TimedOut)
    }

    /// Whether it did in every test what the original did, if its outcomes were compared with the original's.
    pub fn is_as_original(&self, against: Against) -> bool {
        self.judgement == Judgement::Alive && self.revealed_by.is_none() && against != Against::Relations
    }
}

impl MutationRecord {
    /// How many of the faulty versions the tests detect. Those with the code of the subject or of another version are left out, and those that were not
    /// run.
    pub fn versions_detected(&self) -> Share {
        let counted = self.versions.iter().filter(|version| version.is_counted());
        let covered = counted.clone().filter(|version| version.is_detected()).count();
        Share { covered: covered as u64, total: counted.count() as u64 }
    }
}
