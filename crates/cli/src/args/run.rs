//! The arguments that say what is run, where its randomness starts, on how many threads, and how the result is printed.

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dodona_report::{Format, Report};
use dodona_sources::Seed;

/// Random inputs of a function or relation, where nobody says otherwise and no file has any.
const INPUTS: u64 = 1000;

/// The most random inputs where all of them are kept.
pub(crate) const MOST_INPUTS: u64 = 1_000_000;

/// Reads a number from 0 to 1, which is called this.
pub(crate) fn from_0_to_1(what: &str, text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        Ok(percent) if (1.0..=100.0).contains(&percent) => {
            Err(format!("{what} is from 0 to 1; for {text} % write {}", percent / 100.0))
        }
        _ => Err(format!("{what} is a number from 0 to 1, such as 0.8")),
    }
}

/// How many random inputs: as many as are asked for; else the usual number, or none where files have some.
pub(crate) fn drawn(asked: Option<u64>, files: &[PathBuf]) -> u64 {
    asked.unwrap_or(if files.is_empty() { INPUTS } else { 0 })
}

/// One subject.
#[derive(Debug, Args)]
pub(crate) struct SubjectArgs {
    /// A folder with a dodona.toml, or a manifest
    #[arg(id = "subject", value_name = "SUBJECT")]
    pub(crate) path: PathBuf,
}

/// Subjects.
#[derive(Debug, Args)]
pub(crate) struct SubjectsArgs {
    /// Folders with a dodona.toml, or manifests; one that fails does not keep the others from being reported
    #[arg(id = "subjects", required = true, value_name = "SUBJECT")]
    pub(crate) paths: Vec<PathBuf>,
}

/// One function under test.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// The function under test; where there is only one it need not be named
    pub(crate) function: Option<String>,
}

/// Where randomness starts.
#[derive(Debug, Args)]
pub(crate) struct SeedArgs {
    /// Where everything random starts; the same seed gives the same bytes
    #[arg(id = "seed", long = "seed", value_name = "SEED", default_value_t = 0)]
    pub(crate) number: u64,
}

impl SeedArgs {
    /// The seed.
    pub(crate) fn seed(&self) -> Seed {
        Seed(self.number)
    }
}

/// On how many threads.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct JobsArgs {
    /// Threads; the result does not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl JobsArgs {
    /// As many threads as there are cores, where nobody says otherwise.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        self.jobs.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

/// How a record, or a list of them, is printed: in one of the formats that it has.
#[derive(Debug, Args)]
pub(crate) struct FormatArgs<R: Report + ?Sized + 'static> {
    /// How the result is printed
    #[arg(
        id = "format",
        long = "format",
        value_name = "FORMAT",
        default_value = Format::Terminal.name(),
        value_parser = formats(R::OTHERS)
    )]
    pub(crate) chosen: Format,
    #[arg(skip)]
    of: PhantomData<fn(&R)>,
}

fn formats(others: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    let all = move || Format::COMMON.iter().chain(others).copied();
    let names = PossibleValuesParser::new(all().map(|f| PossibleValue::new(f.name()).help(f.words())));
    names.map(move |name| all().find(|format| format.name() == name).unwrap_or_default())
}
