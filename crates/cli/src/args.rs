//! The command line as it is typed, and what several verbs take. The arguments of one verb stand beside it.

mod inputs;
mod mutants;
mod relations;
mod run;
mod search;

use clap::Parser;

pub(crate) use inputs::{By, SourcesByArgs, Technique, techniques};
pub(crate) use mutants::{CalleesArgs, OperatorsArgs};
pub(crate) use relations::{RelationArgs, RelationFiles};
pub(crate) use run::{
    Format, FormatArgs, JobsArgs, MOST_INPUTS, SeedArgs, SubjectArgs, SubjectsArgs, TargetArgs, drawn,
};
pub(crate) use search::{SearchArgs, seconds};

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
