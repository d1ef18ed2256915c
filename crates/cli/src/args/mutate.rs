//! What `dodona mutate` takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dodona_evidence::MutantId;
use dodona_mutation::Callees;

/// The most random inputs: all of them are kept, for each mutant runs on the same.
const MOST_INPUTS: u64 = 1_000_000;

/// Seed faults into the functions under test and say which of them the relations reveal
#[derive(Debug, Args)]
pub(crate) struct MutateArgs {
    /// Folders with a dodona.toml, or manifests
    #[arg(required = true, value_name = "SUBJECT")]
    pub(crate) subjects: Vec<PathBuf>,
    /// Mutate only these functions under test
    #[arg(long = "function", value_name = "NAME")]
    pub(crate) functions: Vec<String>,
    /// Mutate also the code that they call: of functions whose source lies in the manifest's folder (`source`), of all but the
    /// languages' own libraries (`all`), or of these crates and functions, separated by commas (`memchr,alloc`)
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_value = "none", default_missing_value = "all", value_parser = callees)]
    pub(crate) callees: Callees,
    /// Leave out functions of more instructions: a function twice as long takes four times as long
    #[arg(long, value_name = "N", default_value_t = dodona_mutation::MutationBounds::default().instructions)]
    pub(crate) max_instructions: usize,
    /// Mutation operators and sets of them, separated by commas: all, selective, AOR, ROR, …
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) operators: Vec<String>,
    /// Only these relations
    #[arg(long = "relation", value_name = "NAME")]
    pub(crate) relations: Vec<String>,
    #[command(flatten)]
    pub(crate) files: super::RelationFiles,
    /// What mutants are run against
    #[arg(long, value_enum, default_value_t)]
    pub(crate) against: Against,
    /// Random inputs a function in the suite, and source inputs a relation [default: 1000; 0 with --from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_INPUTS))]
    pub(crate) inputs: Option<u64>,
    /// Inputs from a .csv or .jsonl file, its columns or keys named like the parameters or variables
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// Where the random inputs start; the same seed gives the same bytes
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads; the result does not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Run each mutant to its first kill by any test, rather than by each relation
    #[arg(long, conflicts_with = "matrix")]
    pub(crate) stop_at_kill: bool,
    /// Write which test kills which mutant, as comma-separated values into FILE.csv, else compactly; runs every test
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,
    /// Which pairs of a mutant and a test are executed in full; the result is the same
    #[arg(long, value_enum, default_value_t)]
    pub(crate) pruning: Pruning,
    /// Ask of each mutant that no test reveals whether it is equivalent: on every path, or with an input that reveals it
    #[arg(long)]
    pub(crate) prove: bool,
    #[command(flatten)]
    pub(crate) search: super::generate::SearchArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, help_heading = "Options")]
    pub(crate) format: Format,
    /// Exit with 1 when a subject's mutation score is below this, from 0 to 1
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
    let mutant = mutant.parse().map_err(|e: dodona_evidence::NotAMutantId| e.to_string())?;
    Ok(Emit { mutant, file: file.into() })
}

fn score(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        Ok(percent) if (1.0..=100.0).contains(&percent) => {
            Err(format!("a mutation score is from 0 to 1; for {text} % write {}", percent / 100.0))
        }
        _ => Err("a mutation score is a number from 0 to 1, such as 0.8".to_owned()),
    }
}

/// Reads which callees are mutated: a word, or names.
pub(crate) fn callees(text: &str) -> Result<Callees, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    match text {
        "none" => Ok(Callees::Left),
        "source" => Ok(Callees::WithSource),
        "all" => Ok(Callees::Included),
        _ if names.iter().any(String::is_empty) => {
            Err("write none, source, all, or names separated by commas, such as memchr,alloc".to_owned())
        }
        _ => match names.iter().find(|name| ["none", "source", "all"].contains(&name.as_str())) {
            Some(word) => Err(format!("`{word}` stands alone")),
            None => Ok(Callees::Named(names)),
        },
    }
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

impl From<Against> for dodona_evidence::Against {
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

impl From<Pruning> for dodona_evidence::Pruning {
    fn from(pruning: Pruning) -> Self {
        match pruning {
            Pruning::Infected => Self::Infected,
            Pruning::Off => Self::Off,
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
    /// Comma-separated values, a line a mutant
    Csv,
    /// SARIF 2.1.0: mutants alive as warnings at their lines
    Sarif,
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
    fn callees_are_a_word_or_names() {
        let words = [("none", Callees::Left), ("source", Callees::WithSource), ("all", Callees::Included)];
        for (word, meaning) in words {
            assert_eq!(callees(word), Ok(meaning));
            assert!(callees(&format!("memchr,{word}")).is_err_and(|error| error.contains("stands alone")));
        }
        assert_eq!(callees("memchr, alloc"), Ok(Callees::Named(vec!["memchr".into(), "alloc".into()])));
        for text in ["", ",", "memchr,"] {
            assert!(callees(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_mutant_to_emit_has_a_number_and_a_file() {
        assert_eq!(emit("m17=a=b.wasm"), Ok(Emit { mutant: MutantId(17), file: "a=b.wasm".into() }));
        for text in ["M17", "M17=", "=x.wasm", "M0=x.wasm"] {
            assert!(emit(text).is_err(), "{text}");
        }
    }
}
