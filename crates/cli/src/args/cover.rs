//! What `dodona cover` and `dodona prioritise` take.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dodona_adequacy::prioritise::Technique;

/// The most random inputs: all of them are drawn before the first is run.
const MOST_INPUTS: u64 = 1_000_000;

/// Print the source with the count of each line and branch that inputs run
#[derive(Debug, Args)]
pub(crate) struct CoverArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// The function under test [default: each of them]
    pub(crate) function: Option<String>,
    /// Inputs from a .csv or .jsonl file, its columns or keys named like the parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// Random inputs a function [default: 1000; 0 with --from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_INPUTS))]
    pub(crate) inputs: Option<u64>,
    /// Where the random inputs start; the same seed gives the same bytes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; the result does not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Count code of libraries too: lines whose source is not at hand, and blocks of code without lines
    #[arg(long)]
    pub(crate) libraries: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source with counts beside its lines
    #[default]
    Terminal,
    /// One JSON document
    Json,
    /// A tracefile of LCOV
    Lcov,
}

/// Write inputs in another order: what runs most that is new comes first
#[derive(Debug, Args)]
pub(crate) struct PrioritiseArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// The function under test; where there is only one it need not be named
    pub(crate) function: Option<String>,
    /// Its inputs, a .csv or .jsonl file with columns or keys named like the parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) from: PathBuf,
    /// What comes first
    #[arg(long, value_enum, default_value_t)]
    pub(crate) by: By,
    /// Where random choices start; the same seed gives the same order
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; the result does not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Where the inputs are written, .csv or .jsonl [default: standard output, in the form of the input]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// What runs most statements that no input before it runs
    #[default]
    Path,
    /// What runs most statements
    Total,
    /// What takes most branch edges that no input before it takes
    AdditionalBranch,
    /// Anything
    Random,
    /// What is far from the inputs before it
    Adaptive,
}

impl From<By> for Technique {
    fn from(by: By) -> Technique {
        match by {
            By::Path => Technique::Path,
            By::Total => Technique::Total,
            By::AdditionalBranch => Technique::AdditionalBranch,
            By::Random => Technique::Random,
            By::Adaptive => Technique::Adaptive,
        }
    }
}
