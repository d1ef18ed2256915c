//! The shards of a verb that does its work on each of several subjects: how one is made, and whether those that are there are of the same subjects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dodona_records::RunRecord;
use dodona_session::{Key, NewRun, ShardHead, ShardNumber};

use super::{Making, ShardArgs, Units, are_of_this, are_text, shard_subject, version};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::several::Failed;
use crate::{interrupt, session};

/// A verb with its subjects.
pub(crate) struct OfSubjects<'a> {
    pub(crate) paths: &'a [PathBuf],
    /// The key of all that the verb's work on a subject depends on, apart from the options of the command line.
    pub(crate) key_of: &'a dyn Fn(&Path) -> Result<Key, Failure>,
    pub(crate) seed: u64,
    /// How many units of work each shard has.
    pub(crate) each: u32,
}

impl OfSubjects<'_> {
    /// The units of so many shards.
    pub(crate) fn units(&self, shards: u32) -> Units {
        Units { each: self.each, shards }
    }

    /// The keys of the subjects, or why they cannot be opened.
    fn keys(&self) -> impl Iterator<Item = Result<Key, Failure>> {
        self.paths.iter().map(|path| (self.key_of)(path))
    }

    /// Makes a shard and writes its file, unless that is there already. `part` does what is the shard's of a subject with this key, and ends early where somebody interrupts.
    ///
    /// # Errors
    /// When the file or the session cannot be written.
    pub(crate) fn make(
        &self,
        shard: ShardNumber,
        args: &ShardArgs,
        mut part: impl FnMut(&Path, Key, &mut Making) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        are_text(self.paths)?;
        let keys: Vec<Option<Key>> = self.keys().map(Result::ok).collect();
        let head = ShardHead {
            shard,
            version: version(),
            command: args.command.clone(),
            seed: self.seed,
            subjects: self.paths.iter().zip(&keys).map(|(path, key)| shard_subject(path, *key)).collect(),
            costs: None,
            plan: self.each.to_string(),
        };
        let new = NewRun { version: env!("CARGO_PKG_VERSION"), seed: self.seed, options: "{}" };
        let begun = Making::begin(head, &args.to, Path::new(session::USUAL), &new)?;
        let Some(mut making) = begun else { return Ok(Exit::Success) };
        let subjects: Vec<(&PathBuf, Option<Key>)> = self.paths.iter().zip(keys).collect();
        let shown = |(path, _): &(&PathBuf, Option<Key>)| path.display().to_string();
        let (_, failed) = Failed::run("subjects", &subjects, shown, |(path, key)| {
            // One that cannot be opened here cannot be opened where the shards are merged, and fails there too.
            let Some(key) = key else { return (self.key_of)(path).map(drop) };
            let done = part(path, *key, &mut making);
            if done.is_err() && !interrupt::is_raised() {
                making.note_failed(&path.display().to_string())?;
            }
            done
        });
        match interrupt::is_raised() {
            true => making.leave("it was interrupted", &RunRecord::default()),
            false => making.write(Vec::new()).map(|exit| failed.or(exit)),
        }
    }

    /// The keys of the subjects that can be opened, where shards are of what is here.
    ///
    /// # Errors
    /// When they are not.
    pub(crate) fn same_keys(&self, head: &ShardHead) -> Result<BTreeMap<&Path, Key>, Failure> {
        let mut keys = BTreeMap::new();
        let noted = self
            .paths
            .iter()
            .zip(self.keys())
            .map(|(path, key)| key.inspect(|key| _ = keys.insert(path.as_path(), *key)));
        are_of_this(head, noted)?;
        Ok(keys)
    }
}
