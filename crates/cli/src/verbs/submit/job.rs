//! A run in shards as an engine is told of it: its commands and limits, and files that show whether somebody edited them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dodona_session::{KeyBuilder, ShardHead, ShardNumber};

use super::super::run::planned::Planned;
use super::SubmitArgs;
use crate::failure::Failure;
use crate::shards::with_options;
use crate::shell;

/// How much longer than its estimate a shard may take, and what it may take in any case.
const SLACK: u32 = 3;
const AT_LEAST: Duration = Duration::from_secs(600);

/// A run in shards, as an engine is told of it.
pub(super) struct Job {
    pub(super) of: u32,
    /// The name of the command, by which the merge knows its shards and the engine its jobs.
    pub(super) name: String,
    /// What the first shard is a part of.
    pub(super) head: ShardHead,
    /// The subjects, as they were named.
    pub(super) subjects: Vec<PathBuf>,
    /// The folder that commands are run in, whole.
    pub(super) home: PathBuf,
    /// The program, whole.
    pub(super) program: PathBuf,
    /// The words of the command, without the shard.
    pub(super) command: Vec<String>,
    pub(super) to: PathBuf,
    /// The folder with what an earlier run took.
    pub(super) costs: Option<PathBuf>,
    pub(super) folder: PathBuf,
    pub(super) cpus: u32,
    /// In MiB.
    pub(super) memory: u64,
    pub(super) limit: Duration,
    pub(super) image: String,
    /// The command that brings Dodona onto a machine of the engine.
    pub(super) install: Option<String>,
    /// The estimates, in seconds of one processor: of all shards, and of the longest.
    pub(super) all: f64,
    pub(super) longest: f64,
}

impl Job {
    pub(super) fn new(args: &SubmitArgs, planned: &Planned) -> Result<Job, Failure> {
        let home = std::env::current_dir();
        let home =
            home.map_err(|error| Failure::usage(format!("the working directory has no path: {error}")))?;
        let program = std::env::current_exe();
        let program =
            program.map_err(|error| Failure::usage(format!("this program has no path: {error}")))?;
        let costs = || planned.division.shards().iter().map(|work| work.cost);
        let longest = costs().fold(0.0, f64::max);
        let usual = AT_LEAST + Duration::from_secs_f64(longest) * SLACK;
        Ok(Job {
            of: planned.head.shard.of(),
            name: planned.head.name(),
            head: planned.head.clone(),
            subjects: args.work.paths.clone(),
            home,
            program,
            command: planned.head.command.clone(),
            to: args.files.to.clone(),
            costs: args.files.costs.clone(),
            folder: args.folder.clone(),
            cpus: args.shard_cpus.get(),
            memory: args.shard_memory,
            limit: args.shard_limit.unwrap_or(usual),
            image: args.image.clone(),
            install: args.install.clone(),
            all: costs().sum(),
            longest,
        })
    }

    /// The command of a shard for a shell, where `number` stands for its number and `program` for the program.
    pub(super) fn shard(&self, program: &str, number: &str) -> String {
        let words: Vec<String> = self.command.iter().map(|word| shell::word(word.as_bytes())).collect();
        let costs =
            self.costs.as_ref().map(|folder| format!(" --costs {}", shell::path(folder))).unwrap_or_default();
        let (of, cpus, to) = (self.of, self.cpus, shell::path(&self.to));
        let options = format!("--shard \"{number}/{of}\" --jobs {cpus} --to {to}{costs}");
        format!("{program} {}", with_options(&words, &[options]).join(" "))
    }

    /// The command of the merge, which takes the shards of this command alone.
    pub(super) fn merge(&self, program: &str) -> String {
        format!("{program} merge --of {} {}", self.name, shell::path(&self.to))
    }

    /// Whether an engine that is given the files below a folder has all subjects.
    ///
    /// # Errors
    /// When one lies elsewhere.
    pub(super) fn are_below(&self, folder: &Path) -> Result<(), Failure> {
        let is_below = |path: &&PathBuf| {
            let whole = std::fs::canonicalize(self.home.join(path));
            !path.is_absolute() && whole.is_ok_and(|whole| whole.starts_with(folder))
        };
        match self.subjects.iter().find(|path| !is_below(path)) {
            None => Ok(()),
            Some(path) => Err(Failure::usage(format!(
                "the engine gets the files below {}, and {} is not named as one of them: name subjects by their paths from here, in a folder that has all of them",
                folder.display(),
                path.display()
            ))),
        }
    }

    /// The limit as `01:30:00`.
    pub(super) fn clock(&self) -> String {
        let minutes = self.minutes();
        format!("{:02}:{:02}:00", minutes / 60, minutes % 60)
    }

    /// The limit in minutes.
    pub(super) fn minutes(&self) -> u64 {
        self.limit.as_secs().div_ceil(60).max(1)
    }

    /// What is to be done, in words, where so many shards are not there yet.
    pub(super) fn words(&self, missing: usize) -> String {
        let (of, cpus, memory) = (self.of, self.cpus, self.memory);
        let there =
            if missing == of as usize { String::new() } else { format!(", of which {missing} are missing") };
        format!(
            "{of} shards{there}: about {all:.0} s of one processor, the longest about {longest:.0} s; each {cpus} processor, {memory} MiB, at most {minutes} min",
            all = self.all,
            longest = self.longest,
            minutes = self.minutes()
        )
    }
}

/// The numbers of shards as Slurm writes them: `1-4,7`.
pub(super) fn ranges(shards: &[ShardNumber]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for shard in shards {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == shard.number() => *end += 1,
            _ => ranges.push((shard.number(), shard.number())),
        }
    }
    let word =
        |(start, end): &(u32, u32)| if start == end { start.to_string() } else { format!("{start}-{end}") };
    ranges.iter().map(word).collect::<Vec<_>>().join(",")
}

/// What a line of a file begins with that tells whether somebody has edited it.
const SIGNATURE: &str = "# Written by dodona submit, which replaces it unless it was edited: ";

/// A text with a line that tells whether it was edited: behind the first one where that tells what runs the file.
pub(super) fn signed(text: &str) -> String {
    let (first, rest) = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("#!") => (format!("{first}\n"), rest),
        _ => (String::new(), text),
    };
    format!("{first}{SIGNATURE}{}\n{rest}", digest(text))
}

/// Whether bytes are a text that was signed, and that nobody has edited since.
pub(super) fn is_signed(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Some(line) = text.lines().find(|line| line.starts_with(SIGNATURE)) else { return false };
    let without = text.replacen(&format!("{line}\n"), "", 1);
    line.strip_prefix(SIGNATURE) == Some(&digest(&without))
}

fn digest(text: &str) -> String {
    KeyBuilder::new("job").with(text).key().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_file_is_known() {
        for text in ["#!/bin/bash\necho\n", "name: dodona\n", ""] {
            let signed = signed(text);
            assert!(is_signed(signed.as_bytes()), "{signed}");
            assert!(!is_signed((signed.clone() + "echo\n").as_bytes()));
            assert!(!is_signed(text.as_bytes()));
        }
        assert!(signed("#!/bin/bash\necho\n").starts_with("#!/bin/bash\n# Written"));
    }

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        let of = |numbers: &[u32]| {
            let shards: Vec<ShardNumber> = numbers.iter().filter_map(|&n| ShardNumber::new(n, 20)).collect();
            ranges(&shards)
        };
        assert_eq!(of(&[1, 2, 3, 4, 7, 9, 10]), "1-4,7,9-10");
        assert_eq!(of(&[]), "");
    }
}
