//! `dodona compare SUBJECT [FUNCTION]`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use dodona_frames::frame_maker;
use dodona_generation::GenerateOptions;
use dodona_lab::{CompareOptions, Contender, Versions, compare};
use dodona_records::ComparisonRecord;
use dodona_report::Styles;
use dodona_report::{Format, Report as _};
use dodona_wasm::Workbench;

use crate::args::{
    By, CalleesArgs, ContenderParser, FormatArgs, JobsArgs, OperatorsArgs, RelationArgs, SearchArgs,
    SeedArgs, TargetArgs,
};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, first_or_whole};
use crate::progress::Progress;
use crate::{interrupt, mistake, open};

/// The most suites a technique: all of them are kept, and beyond a thousand the figures change no more.
const MOST_REPEATS: usize = 100_000;

fn repeats(text: &str) -> Result<NonZeroUsize, String> {
    let repeats = text.parse().ok().filter(|repeats: &NonZeroUsize| repeats.get() <= MOST_REPEATS);
    repeats.ok_or_else(|| format!("it is a whole number from 1 to {MOST_REPEATS}"))
}

/// Compare techniques of making source inputs by the faults that relations detect with them
#[derive(Debug, Args)]
#[command(mut_arg("seed", |arg| arg.help("Where everything random starts: the suites of repeat r have the seed plus r, from r = 0")))]
#[command(mut_arg("jobs", |arg| arg.help("Threads; but for the times, the result does not depend on it [default: one a core]")))]
#[command(mut_arg("format", |arg| arg.help("How the result is printed; all but the times is the same for the same seed")))]
#[command(mut_arg("time", |arg| arg.help("Seconds for all of it, which ends without a result then; else each search along paths, of which every suite of such inputs makes one, has 60")))]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// How inputs are found, each with an order of its own where one is named (path:random); the first is held against each of the others
    #[arg(
        long,
        value_parser = ContenderParser,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "path,concolic,adaptive,random"
    )]
    pub(crate) techniques: Vec<Contender>,
    /// What comes first of the inputs of path and ways; those of the other techniques are in a random order
    #[arg(long, value_enum, default_value_t)]
    pub(crate) by: By,
    /// Suites a technique
    #[arg(long, value_name = "N", default_value = "30", value_parser = repeats)]
    pub(crate) repeats: NonZeroUsize,
    /// Inputs a suite [default: as many as path finds by itself]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) count: Option<u64>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    #[command(flatten)]
    pub(crate) operators: OperatorsArgs,
    #[command(flatten)]
    pub(crate) callees: CalleesArgs,
    /// Run the subjects in the folder `faulty` beside the manifest in place of mutants
    #[arg(long, conflicts_with_all = ["operators", "callees"])]
    pub(crate) faults: bool,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Print all tables: also the first technique against the others, and each fault
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<ComparisonRecord>,
    /// Write the result to this file, and the tables for people to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// Compares techniques by the faults that their inputs detect.
pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    if let Some(file) = &args.output {
        Destination::new(file, args.overwrite).check()?;
    }
    let interrupted = interrupt::listen_until(args.search.time);
    let workbench = Arc::new(open::workbench(&args.target.subject, &args.relations.files)?);
    let options = options(args, &workbench)?;
    let index = open::function(&workbench, args.target.function.as_deref())?;
    let function = &workbench.functions()[index];
    if function.parameters.is_empty() {
        let words =
            format!("`{}` has no parameters: it has one input, and nothing to compare", function.name);
        return Err(Failure::usage(words));
    }
    let mut bar = Progress::new("done");
    let record = compare(&workbench, index, &options, interrupted, &mut |p| {
        bar.update(&format!("{}, {}", function.name, p.step), p.done, p.planned);
    });
    bar.finish();
    let Some(record) = record.map_err(open::lab_failure)? else {
        let why = if interrupt::is_out_of_time() { "the time was up" } else { "interrupted" };
        return Err(Failure::new(interrupt::exit(), format!("{why} before there was a comparison")));
    };
    output(args, &record)?;
    if !record.contradictions.is_empty() {
        return Ok(mistake::or(&record.contradictions, Exit::Success));
    }
    match nothing_compared(&record) {
        Some(why) => Err(Failure::usage(why)),
        None => Ok(Exit::Success),
    }
}

/// Why there is no rate by which the techniques could be compared.
fn nothing_compared(record: &ComparisonRecord) -> Option<&'static str> {
    if record.relations.is_empty() {
        Some("there is no relation that could detect a fault, so that nothing was compared")
    } else if record.candidates == 0 {
        Some("there is no faulty version to detect, so that nothing was compared")
    } else if record.faults.is_empty() {
        Some("no suite detects a fault, so that there is no rate to compare")
    } else {
        None
    }
}

fn options(args: &CompareArgs, workbench: &Arc<Workbench>) -> Result<CompareOptions, Failure> {
    let techniques = args.techniques.clone();
    if let Some(twice) = (1..techniques.len()).find(|&i| techniques[..i].contains(&techniques[i])) {
        return Err(Failure::usage(format!("--techniques names {} twice", techniques[twice])));
    }
    Ok(CompareOptions {
        repeats: args.repeats,
        by: args.by.into(),
        generate: GenerateOptions {
            technique: techniques[0].technique,
            count: args.count.map(|count| count as usize),
            seed: args.seed.seed(),
            search: args.search.options(),
            frames: Some(frame_maker(workbench)),
            relations: None,
        },
        techniques,
        relations: args.relations.names.clone(),
        versions: match args.faults {
            true => Versions::Folders,
            false => {
                Versions::Mutants { operators: args.operators.set()?, callees: args.callees.callees.clone() }
            }
        },
        jobs: args.jobs.threads(),
    })
}

fn output(args: &CompareArgs, record: &ComparisonRecord) -> Result<(), Failure> {
    // A table has no line for a warning.
    let unsaid = args.output.is_none() && args.format.chosen == Format::Csv;
    record.warnings.iter().filter(|_| unsaid).for_each(|warning| complain(&format!("warning: {warning}\n")));
    let Some(file) = &args.output else { return first_or_whole(record, args.format.chosen, args.all) };
    let text = match args.format.chosen {
        // A file has room for everything.
        Format::Terminal => record.whole(Styles::plain()),
        other => record.report(other, Styles::plain()),
    };
    Destination::new(file, args.overwrite).write(text.as_bytes())?;
    match args.format.chosen {
        Format::Terminal => Ok(()),
        _ => first_or_whole(record, Format::Terminal, args.all),
    }
}
