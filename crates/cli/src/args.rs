//! The command line as it is typed.

pub(crate) mod compare;
pub(crate) mod cover;
pub(crate) mod discover;
pub(crate) mod generate;
pub(crate) mod mutate;
pub(crate) mod prove;

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};

use crate::memory::Ceiling;
use crate::verbs::Verb;

/// Tests code that has no oracle: checks the metamorphic relations of a function compiled to WebAssembly.
#[derive(Debug, Parser)]
#[command(name = "dodona", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all hold, 1 a relation is violated or a threshold is missed, 2 bad usage or input, \
                        3 budget spent before an answer, 4 the subject could not be built or run, 5 Dodona contradicts \
                        itself or failed inside (please report it), 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// End with a message where Dodona and its solvers take more memory: 8GiB, 500MiB, or a share of what is there
    /// [default: 50%]
    #[arg(long, global = true, value_name = "SIZE")]
    pub(crate) memory: Option<Ceiling>,
}

/// Write a first manifest for a module, from its exports and its debug information
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The module
    #[arg(value_name = "MODULE.wasm")]
    pub(crate) module: PathBuf,
}

/// Build a subject's module from C or Rust
#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// Folders with a dodona.toml, or manifests
    #[arg(required = true, value_name = "SUBJECT")]
    pub(crate) subjects: Vec<PathBuf>,
    /// Build even when nothing changed
    #[arg(long)]
    pub(crate) force: bool,
}

/// Evaluate an expression over calls: dodona call subjects/gcd 'gcd(12, 18)'
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// An expression of the relation language without variables
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
}

/// Check relations; violated ones come with a shrunk counterexample
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Folders with a dodona.toml, or manifests
    #[arg(required = true, value_name = "SUBJECT")]
    pub(crate) subjects: Vec<PathBuf>,
    /// Random source inputs a relation [default: 1000; 0 with --from]
    #[arg(long, value_name = "N")]
    pub(crate) sources: Option<u64>,
    /// Source inputs from a .csv or .jsonl file, its columns or keys named like the variables
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// Only these relations
    #[arg(long = "relation", value_name = "NAME")]
    pub(crate) relations: Vec<String>,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
    /// Where the random source inputs start; the same seed gives the same bytes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; the result does not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Whether counterexamples are kept in dodona-regressions/ beside the manifest
    #[arg(long, value_enum, default_value_t)]
    pub(crate) keep: Keep,
}

/// Relations that stand elsewhere than the manifest says.
#[derive(Debug, Args)]
pub(crate) struct RelationFiles {
    /// Take the relations of these .mr files in place of those that the manifest names, for each subject if there are several;
    /// the files stand behind the subjects
    #[arg(long = "relations", value_name = "FILE", num_args = 1..)]
    pub(crate) relation_files: Vec<PathBuf>,
}

impl RelationFiles {
    /// The option as it is typed, with a space before it; nothing where it was not given.
    pub(crate) fn words(&self) -> String {
        let files = self.relation_files.iter().map(|file| format!(" {}", file.display()));
        match self.relation_files.is_empty() {
            true => String::new(),
            false => format!(" --relations{}", files.collect::<String>()),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for people
    #[default]
    Terminal,
    /// One JSON document
    Json,
    /// JUnit XML
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// Keep them and try those kept first
    #[default]
    Regressions,
    /// Neither write nor read them
    Nothing,
}

/// Run a kept counterexample again
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A file of dodona-regressions/
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
}

/// Print a subject's relations in either notation
#[derive(Debug, Args)]
pub(crate) struct RelationsArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// Equations over calls, or given … expect … with primes where a relation splits that way
    #[arg(long, value_enum, default_value_t)]
    pub(crate) notation: Notation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// gcd(p, q) == gcd(q, p)
    #[default]
    Calls,
    /// given p' = q, q' = p expect out' == out
    Primed,
}
