//! `dodona check SUBJECT…`

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use dodona_evidence::{CheckRecord, RelationVerdict};
use dodona_workbench::{CheckOptions, Interruption, Regressions};

use crate::args::{FormatArgs, JobsArgs, RelationArgs, RelationFiles, SeedArgs, SubjectsArgs, drawn};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{styles, write};
use crate::progress::Progress;
use crate::{interrupt, memory, open};

/// Check relations; violated ones come with a shrunk counterexample
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) subjects: SubjectsArgs,
    /// Random source inputs a relation [default: 1000; 0 with --from]
    #[arg(long, value_name = "N")]
    pub(crate) sources: Option<u64>,
    /// Source inputs from a .csv or .jsonl file, its columns or keys named like the variables
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<Format>,
    /// Whether counterexamples are kept in dodona-regressions/ beside the manifest
    #[arg(long, value_enum, default_value_t)]
    pub(crate) keep: Keep,
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

/// Checks each subject and prints one report of all.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let options = options(args);
    let mut records = Vec::new();
    for path in &args.subjects.paths {
        let workbench = Arc::new(open::workbench(path, &args.relations.files)?);
        records.push(check(&workbench, &options, interrupted)?);
        if interrupted.is_raised() {
            break;
        }
    }
    print(&records, args)?;
    let is_interrupted = interrupted.is_raised() && !memory::is_met();
    Ok(if is_interrupted { Exit::Interrupted } else { exit(&records) })
}

fn options(args: &CheckArgs) -> CheckOptions {
    CheckOptions {
        sources: drawn(args.sources, &args.from),
        files: args.from.clone(),
        relations: args.relations.names.clone(),
        seed: args.seed.seed(),
        jobs: args.jobs.threads(),
        regressions: match args.keep {
            Keep::Regressions => Regressions::Keep,
            Keep::Nothing => Regressions::Ignore,
        },
    }
}

fn check(
    workbench: &Arc<dodona_workbench::Workbench>,
    options: &CheckOptions,
    interrupted: &Interruption,
) -> Result<CheckRecord, Failure> {
    let mut bar = Progress::new("sources");
    let name = workbench.manifest.name.clone();
    let record = dodona_workbench::check(workbench, options, interrupted, &mut |p| {
        bar.update(&name, p.run, p.planned)
    });
    bar.finish();
    record.map_err(open::lab_failure)
}

fn print(records: &[CheckRecord], args: &CheckArgs) -> Result<(), Failure> {
    let text = match args.format.chosen {
        Format::Terminal => {
            let records: Vec<_> =
                records.iter().map(|record| replayable(record, &args.relations.files)).collect();
            dodona_report::terminal(&records, styles()).to_string()
        }
        Format::Json => dodona_report::json(records),
        Format::Junit => dodona_report::junit(records),
        Format::Github => dodona_report::github(records),
    };
    write(&text)
}

/// The record whose words for a replay find the relation again, where the manifest does not name its file.
fn replayable(record: &CheckRecord, files: &RelationFiles) -> CheckRecord {
    let mut record = record.clone();
    let counterexamples = record.relations.iter_mut().filter_map(|r| r.counterexample.as_mut());
    for kept in counterexamples.filter_map(|counterexample| counterexample.kept.as_mut()) {
        *kept += &files.words();
    }
    record
}

/// A violation outweighs a relation that was never tested, and a kept counterexample that could not be read.
fn exit(records: &[CheckRecord]) -> Exit {
    let has = |verdict| records.iter().flat_map(|r| &r.relations).any(|r| r.verdict() == verdict);
    if has(RelationVerdict::Violated) {
        Exit::Violated
    } else if has(RelationVerdict::NeverEligible)
        || has(RelationVerdict::NotRun)
        || records.iter().any(|record| record.unread > 0)
    {
        Exit::Usage
    } else {
        Exit::Success
    }
}
