//! What `dodona compare` takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dodona_mutation::Callees;

use super::cover::By;
use super::generate::{SearchArgs, Technique};
use super::mutate::callees;

/// The most suites a technique: all of them are kept, and beyond a thousand the figures change no more.
const MOST_REPEATS: usize = 100_000;

fn repeats(text: &str) -> Result<NonZeroUsize, String> {
    let repeats = text.parse().ok().filter(|repeats: &NonZeroUsize| repeats.get() <= MOST_REPEATS);
    repeats.ok_or_else(|| format!("it is a whole number from 1 to {MOST_REPEATS}"))
}

/// Compare techniques of making source inputs by the faults that relations detect with them
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// The function under test; where there is only one it need not be named
    pub(crate) function: Option<String>,
    /// How inputs are found; the first is held against each of the others
    #[arg(
        long,
        value_enum,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "path,concolic,adaptive,random"
    )]
    pub(crate) techniques: Vec<Technique>,
    /// What comes first of the inputs of path; those of the other techniques are in a random order
    #[arg(long, value_enum, default_value_t)]
    pub(crate) by: By,
    /// Suites a technique
    #[arg(long, value_name = "N", default_value = "30", value_parser = repeats)]
    pub(crate) repeats: NonZeroUsize,
    /// Inputs a suite [default: as many as path finds by itself]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) count: Option<u64>,
    /// Where everything random starts: the suites of repeat r have the seed plus r, from r = 0
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Only these relations
    #[arg(long = "relation", value_name = "NAME")]
    pub(crate) relations: Vec<String>,
    #[command(flatten)]
    pub(crate) files: super::RelationFiles,
    /// Mutation operators and sets of them, separated by commas: all, selective, AOR, ROR, …
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) operators: Vec<String>,
    /// Mutate also the code that it calls: of functions whose source lies in the manifest's folder (`source`), of all but the
    /// languages' own libraries (`all`), or of these crates and functions, separated by commas (`memchr,alloc`)
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_value = "none", default_missing_value = "all", value_parser = callees)]
    pub(crate) callees: Callees,
    /// Run the subjects in the folder `faulty` beside the manifest in place of mutants
    #[arg(long, conflicts_with_all = ["operators", "callees"])]
    pub(crate) faults: bool,
    /// Threads; but for the times, the result does not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// How the result is printed; all but the times is the same for the same seed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write the result to this file, and the tables for people to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for people
    #[default]
    Terminal,
    /// Comma-separated values, a line a suite
    Csv,
    /// One JSON document
    Json,
}
