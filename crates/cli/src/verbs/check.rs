//! `dodona check SUBJECT…`

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_evidence::{CheckRecord, RelationVerdict};
use dodona_sources::Seed;
use dodona_workbench::{CheckOptions, Interruption, Regressions};

use crate::args::{CheckArgs, Format, Keep, RelationFiles};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{styles, write};
use crate::progress::Progress;
use crate::{interrupt, memory, open};

/// Random source inputs a relation, where neither `--sources` nor `--from` says otherwise.
const SOURCES: u64 = 1000;

/// Checks each subject and prints one report of all.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let options = options(args);
    let mut records = Vec::new();
    for path in &args.subjects {
        let workbench = Arc::new(open::workbench(path, &args.files)?);
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
    let from_file = !args.from.is_empty();
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    CheckOptions {
        sources: args.sources.unwrap_or(if from_file { 0 } else { SOURCES }),
        files: args.from.clone(),
        relations: args.relations.clone(),
        seed: Seed(args.seed),
        jobs: args.jobs.unwrap_or_else(cores),
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
    let text = match args.format {
        Format::Terminal => {
            let records: Vec<_> = records.iter().map(|record| replayable(record, &args.files)).collect();
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

/// A violation outweighs a relation that was never tested.
fn exit(records: &[CheckRecord]) -> Exit {
    let has = |verdict| records.iter().flat_map(|r| &r.relations).any(|r| r.verdict() == verdict);
    if has(RelationVerdict::Violated) {
        Exit::Violated
    } else if has(RelationVerdict::NeverEligible) || has(RelationVerdict::NotRun) {
        Exit::Usage
    } else {
        Exit::Success
    }
}
