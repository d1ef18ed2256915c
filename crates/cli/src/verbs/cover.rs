//! `dodona cover SUBJECT [FUNCTION]`

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_evidence::CoverageRecord;
use dodona_generation::{Detail, Instrumented, StatementScope, cover, coverage_record};
use dodona_sources::Seed;
use dodona_workbench::{Interruption, Workbench, inputs};

use crate::args::cover::{CoverArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, styles, write};
use crate::progress::Progress;
use crate::{interrupt, open};

/// Random inputs, where neither `--inputs` nor `--from` says otherwise.
const INPUTS: u64 = 1000;

/// Covers each function and prints one report of all.
pub(crate) fn run(args: &CoverArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let workbench = open::without_relations(&args.subject)?;
    let functions = match &args.function {
        Some(name) => vec![workbench.function(name).map_err(open::lab_failure)?],
        None => (0..workbench.manifest.functions.len()).collect(),
    };
    let mut records = Vec::new();
    for function in functions {
        records.push(record(&workbench, function, args, interrupted)?);
        if interrupted.is_raised() {
            break;
        }
    }
    print(&records, args.format)?;
    Ok(if interrupted.is_raised() { Exit::Interrupted } else { Exit::Success })
}

/// As many as there are cores, where nobody says otherwise.
pub(super) fn jobs(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

fn record(
    workbench: &Workbench,
    function: usize,
    args: &CoverArgs,
    interrupted: &Interruption,
) -> Result<CoverageRecord, Failure> {
    let count = args.inputs.unwrap_or(if args.from.is_empty() { INPUTS } else { 0 });
    let seed = Seed(args.seed);
    let mut warnings = Vec::new();
    let batches = inputs(workbench, function, &args.from, count, seed, &mut warnings);
    warnings.iter().for_each(|warning| complain(&format!("warning: {warning}\n")));
    let batches = batches.map_err(open::lab_failure)?;
    let scope = if args.libraries { StatementScope::All } else { StatementScope::AtHand };
    let instrumented = Instrumented::new(workbench, function, scope).map_err(open::lab_failure)?;
    let instrumented = Arc::new(instrumented);
    let mut bar = Progress::new("inputs");
    let name = &workbench.manifest.functions[function].name;
    let coverage = cover(&instrumented, batches, Detail::Totals, jobs(args.jobs), interrupted, &mut |p| {
        bar.update(name, p.run, p.planned);
    });
    bar.finish();
    Ok(coverage_record(workbench, &instrumented, &coverage.map_err(open::lab_failure)?, seed))
}

fn print(records: &[CoverageRecord], format: Format) -> Result<(), Failure> {
    match format {
        Format::Terminal => write(&dodona_report::terminal_coverage(records, styles()).to_string()),
        Format::Json => write(&dodona_report::json_coverage(records)),
        Format::Lcov if records.iter().all(|record| record.files.is_empty()) => Err(Failure::usage(
            "a tracefile of LCOV is about source lines, and the module has none at hand; compile it with -g, \
             or choose another --format",
        )),
        Format::Lcov => write(&dodona_report::lcov(records)),
    }
}
