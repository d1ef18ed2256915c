//! What `dodona mutate` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dodona_records::MutantId;
use dodona_records::MutationRecord;

use crate::args::{
    CalleesArgs, FormatArgs, JobsArgs, MOST_INPUTS, OperatorsArgs, RelationArgs, SearchArgs, SeedArgs,
    SubjectsArgs, VersionsArgs, from_0_to_1,
};
use crate::destination::OverwriteArgs;
use crate::shards::ShardArgs;

/// Seed faults into the functions under test and say which of them the relations reveal
#[derive(Debug, Args)]
#[command(mut_arg("shard", |arg| arg.conflicts_with_all(["list", "accept", "emit", "hierarchy", "time"])))]
#[command(mut_arg("versions", |arg| arg.conflicts_with_all(["list", "accept", "emit"])))]
#[command(mut_arg("time", |arg| arg.help("Seconds for all of it; else the proofs of --prove have 60, and what is run takes its time")))]
pub(crate) struct MutateArgs {
    #[command(flatten)]
    pub(crate) subjects: SubjectsArgs,
    /// Mutate only these functions under test
    #[arg(long = "function", value_name = "NAME")]
    pub(crate) functions: Vec<String>,
    #[command(flatten)]
    pub(crate) callees: CalleesArgs,
    /// Leave out functions of more instructions: a function twice as long takes four times as long
    #[arg(long, value_name = "N", default_value_t = dodona_mutation::MutationBounds::default().instructions)]
    pub(crate) max_instructions: usize,
    #[command(flatten)]
    pub(crate) operators: OperatorsArgs,
    #[command(flatten)]
    pub(crate) versions: VersionsArgs,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    /// What mutants are run against
    #[arg(long, value_enum, default_value_t)]
    pub(crate) against: Against,
    /// Random inputs a function in the suite, and source inputs a relation [default: 1000; 0 with --from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_INPUTS))]
    pub(crate) inputs: Option<u64>,
    /// Inputs from a .csv or .jsonl file, its columns or keys named like the parameters or variables
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Run each mutant to its first kill by any test, rather than by each relation
    #[arg(long, conflicts_with = "matrix")]
    pub(crate) stop_at_kill: bool,
    /// Run tests that infect many mutants first, and each mutant to its first kill; print of the survivors those that stand for all
    #[arg(long, conflicts_with_all = ["matrix", "stop_at_kill"])]
    pub(crate) hierarchy: bool,
    /// Run each mutant against each relation after all, and say where --hierarchy judged one otherwise
    #[arg(long, requires = "hierarchy")]
    pub(crate) verify: bool,
    /// Write which test kills which mutant, as comma-separated values into FILE.csv, else compactly; runs every test
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,
    /// Write the mutants in the format of mutation-testing-elements, which dashboards and editors read
    #[arg(long, value_name = "FILE")]
    pub(crate) elements: Option<PathBuf>,
    /// Which pairs of a mutant and a test are executed in full; the result is the same
    #[arg(long, value_enum, default_value_t)]
    pub(crate) pruning: Pruning,
    /// Ask of each mutant that no test reveals whether it is equivalent: on every path, or with an input that reveals it
    #[arg(long)]
    pub(crate) prove: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<[MutationRecord]>,
    /// Print every mutant, and tables by operator and by relation, in place of the source lines that matter most
    #[arg(long)]
    pub(crate) all: bool,
    /// Exit with 1 when a subject's mutation score is below this, from 0 to 1, and with 2 when it has none: nothing was tested
    #[arg(long, value_name = "SCORE", value_parser = score)]
    pub(crate) fail_under: Option<f64>,
    /// Only list the mutants, without running them
    #[arg(long, group = "instead", conflicts_with_all = ["matrix", "fail_under"])]
    pub(crate) list: bool,
    /// Remember that a person judged this mutant, and why: --accept M17 "equivalent: a is never negative here"
    #[arg(long, num_args = 2, value_names = ["MUTANT", "REASON"], group = "instead", conflicts_with_all = ["matrix", "fail_under"])]
    pub(crate) accept: Option<Vec<String>>,
    /// Write a mutant as a module of its own: --emit M17=FILE.wasm
    #[arg(long, value_name = "MUTANT=FILE", value_parser = emit, group = "instead", conflicts_with_all = ["matrix", "fail_under"])]
    pub(crate) emit: Vec<Emit>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// A mutant and the file that it is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Emit {
    pub(crate) mutant: MutantId,
    pub(crate) file: PathBuf,
}

fn emit(text: &str) -> Result<Emit, String> {
    let (mutant, file) =
        text.split_once('=').ok_or("write the mutant and the file, such as M17=FILE.wasm")?;
    if file.is_empty() {
        return Err(format!("no file is named; write {mutant}=FILE.wasm"));
    }
    let mutant = mutant.parse().map_err(|e: dodona_records::NotAMutantId| e.to_string())?;
    Ok(Emit { mutant, file: file.into() })
}

fn score(text: &str) -> Result<f64, String> {
    from_0_to_1("a mutation score", text)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Against {
    /// Relations: a metamorphic group violates one that holds on the original
    Relations,
    /// A suite of inputs, with the original's outcomes as the oracle
    Inputs,
    /// Both; what relations find counts as killed
    #[default]
    Both,
}

impl From<Against> for dodona_records::Against {
    fn from(against: Against) -> Self {
        match against {
            Against::Relations => Self::Relations,
            Against::Inputs => Self::Inputs,
            Against::Both => Self::Both,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pruning {
    /// Those in which the test infects the mutant
    #[default]
    Infected,
    /// All
    Off,
}

impl From<Pruning> for dodona_records::Pruning {
    fn from(pruning: Pruning) -> Self {
        match pruning {
            Pruning::Infected => Self::Infected,
            Pruning::Off => Self::Off,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_from_0_to_1() {
        assert_eq!([score("0"), score("0.85"), score("1")], [Ok(0.0), Ok(0.85), Ok(1.0)]);
        for text in ["-0.1", "1.5", "80", "101", "nan", "inf", "much", ""] {
            let error = score(text).expect_err(text);
            assert!(error.contains("from 0 to 1"), "{error}");
        }
        assert!(score("80").is_err_and(|error| error.contains("write 0.8")));
    }

    #[test]
    fn a_mutant_to_emit_has_a_number_and_a_file() {
        assert_eq!(emit("m17=a=b.wasm"), Ok(Emit { mutant: MutantId(17), file: "a=b.wasm".into() }));
        for text in ["M17", "M17=", "=x.wasm", "M0=x.wasm"] {
            assert!(emit(text).is_err(), "{text}");
        }
    }
}
