//! `dodona cover SUBJECT [FUNCTION]`

use std::path::PathBuf;

use clap::Args;
use dodona_generation::{CoveredFunction, Detail, Order, StatementScope};
use dodona_records::{CoverageRecord, StopReason};
use dodona_report::Format;
use dodona_target::Interruption;
use dodona_workbench::{Workbench, inputs};

use crate::args::{FormatArgs, JobsArgs, MOST_INPUTS, SeedArgs, SubjectArgs, drawn};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, first_or_whole};
use crate::progress::Progress;
use crate::several::Failed;
use crate::{interrupt, open};

/// Count the lines and branches that inputs run, and say which they do not run
#[derive(Debug, Args)]
pub(crate) struct CoverArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// The function under test [default: each of them]
    pub(crate) function: Option<String>,
    /// Inputs from a .csv or .jsonl file, its columns or keys named like the parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// Random inputs a function [default: 1000; 0 with --from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_INPUTS))]
    pub(crate) inputs: Option<u64>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Count code of libraries too: lines whose source is not at hand, and blocks of code without lines
    #[arg(long)]
    pub(crate) libraries: bool,
    /// The whole source with the count of each line and branch
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<[CoverageRecord]>,
}

/// Covers each function and prints one report of all.
pub(crate) fn run(args: &CoverArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let subject = match &args.function {
        Some(name) => open::any_for_functions(&args.subject.path, &[name.as_str()].into()),
        None => open::any_without_relations(&args.subject.path),
    };
    let workbench = subject?.workbench;
    let functions = match &args.function {
        Some(name) => vec![workbench.function(name).map_err(open::lab_failure)?],
        None => (0..workbench.functions().len()).collect(),
    };
    let name = |function: &usize| workbench.functions()[*function].name.clone();
    let (records, failed) = Failed::run("functions", &functions, name, |&function| {
        record(&workbench, function, args, interrupted)
    });
    if !records.is_empty() {
        print(&records, args)?;
    }
    let exit = if interrupted.is_raised() { Exit::Interrupted } else { Exit::Success };
    let exit = failed.or(exit);
    if interrupted.is_raised() {
        return Ok(exit);
    }
    match records.iter().find_map(nothing_covered) {
        Some(why) => Err(Failure::new(exit.or_worse(Exit::Usage), why)),
        None => Ok(exit),
    }
}

/// Why the coverage of a function says nothing.
fn nothing_covered(CoverageRecord { function, statements, stop, .. }: &CoverageRecord) -> Option<String> {
    if statements.total == 0 {
        Some(format!(
            "`{function}` has no statement that could be covered; --libraries counts code of libraries too"
        ))
    } else if *stop == (StopReason::SourcesRun { sources: 0 }) {
        Some(format!("no input of `{function}` was run; give --inputs a number above 0, or --from a file"))
    } else {
        None
    }
}

fn record(
    workbench: &Workbench,
    function: usize,
    args: &CoverArgs,
    interrupted: &Interruption,
) -> Result<CoverageRecord, Failure> {
    let count = drawn(args.inputs, &args.from);
    let seed = args.seed.seed();
    let mut warnings = Vec::new();
    let batches = inputs(workbench, function, &args.from, count, seed, &mut warnings);
    warnings.iter().for_each(|warning| complain(&format!("warning: {warning}\n")));
    let batches = batches.map_err(open::lab_failure)?;
    let scope = if args.libraries { StatementScope::All } else { StatementScope::AtHand };
    let covered = CoveredFunction::of(workbench, function, scope, Order::Left).map_err(open::lab_failure)?;
    let mut bar = Progress::new("inputs");
    let name = &workbench.functions()[function].name;
    let coverage = covered.cover(batches, Detail::Totals, args.jobs.threads(), interrupted, &mut |p| {
        bar.update(name, p.run, p.planned);
    });
    bar.finish();
    Ok(covered.record(workbench, &coverage.map_err(open::lab_failure)?, seed))
}

fn print(records: &[CoverageRecord], args: &CoverArgs) -> Result<(), Failure> {
    let format = args.format.chosen;
    let of_lines = match format {
        Format::Lcov => Some("a tracefile of LCOV"),
        Format::Cobertura => Some("Cobertura XML"),
        _ => None,
    };
    match of_lines {
        Some(document) if records.iter().all(|record| record.files.is_empty()) => {
            Err(Failure::usage(format!(
                "{document} is about source lines, and the module has none at hand; compile it with -g, \
                 or choose another --format"
            )))
        }
        _ => first_or_whole(records, format, args.all),
    }
}

#[cfg(test)]
mod tests {
    use dodona_records::{FORMAT_VERSION, Share};

    use super::*;

    #[test]
    fn coverage_of_nothing_is_none() {
        let record = |total, sources| CoverageRecord {
            format_version: FORMAT_VERSION,
            subject: "s".into(),
            manifest: "s.toml".into(),
            function: "f".into(),
            seed: 0,
            stop: StopReason::SourcesRun { sources },
            statements: Share { covered: 0, total },
            branches: Share::default(),
            paths: 0,
            files: Vec::new(),
            blocks: Vec::new(),
        };
        assert_eq!(nothing_covered(&record(3, 1)), None);
        assert!(nothing_covered(&record(0, 1)).is_some_and(|why| why.contains("no statement")));
        assert!(nothing_covered(&record(3, 0)).is_some_and(|why| why.contains("no input")));
    }
}
