use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ShardNumber;
use crate::{Key, KeyBuilder};

/// What a shard is a part of. Two shards belong together when all of this but their numbers is the same.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ShardHead {
    /// Which part.
    pub shard: ShardNumber,
    /// The build of Dodona.
    pub version: String,
    /// The command without the name of the program and the options that tell where a shard is and is written: `run`, `gcd`, `--seed`, `7`. Options with their usual value are
    /// left out.
    pub command: Vec<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// What is under test.
    pub subjects: Vec<ShardSubject>,
    /// The folder with the shards of the earlier run that the work was divided by, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// The key of how the work is divided.
    pub plan: String,
}

/// A subject of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ShardSubject {
    /// The path of its manifest, from the folder of the command.
    pub manifest: String,
    /// The key of its code, relations and counterexamples; empty where it could not be built.
    pub key: String,
    /// The files of its counterexamples by their names, with the keys of what they hold: the merge keeps new ones beside them.
    #[serde(default)]
    pub kept: BTreeMap<String, Key>,
}

impl ShardHead {
    /// A short name of the command and of how many shards it has, the same for all of them. The code and the build are no part of it: whoever merges compares those with what is
    /// there, which may be another machine than the one that named the command.
    #[must_use]
    pub fn name(&self) -> String {
        let mut key = KeyBuilder::new("command").with(self.seed.to_le_bytes());
        key = key.with(self.shard.of().to_le_bytes());
        key = self.command.iter().fold(key, |key, word| key.with(word));
        key.key().to_string()[..12].to_owned()
    }

    /// How this shard is of another command than `other`, in words that follow its name: `its seed is 7 and not 0`. `None` if both are of the same command.
    pub fn difference(&self, other: &ShardHead) -> Option<String> {
        if self.seed != other.seed {
            return Some(format!("its seed is {} and not {}", self.seed, other.seed));
        }
        if self.command != other.command {
            let line = |head: &ShardHead| head.command.join(" ");
            return Some(format!("it is of `{}` and not of `{}`", line(self), line(other)));
        }
        if self.shard.of() != other.shard.of() {
            return Some(format!("it is one of {} shards and not of {}", self.shard.of(), other.shard.of()));
        }
        if self.version != other.version {
            return Some(format!("Dodona {} wrote it and not {}", self.version, other.version));
        }
        if self.subjects != other.subjects {
            let differing = self.subjects.iter().zip(&other.subjects).find(|(a, b)| a != b);
            return Some(match differing {
                Some((own, _)) => {
                    format!("the code, the relations or the counterexamples of {} are others", own.manifest)
                }
                None => "its subjects are others".to_owned(),
            });
        }
        (self.plan != other.plan).then(|| "its work was divided by other costs".to_owned())
    }
}
