//! `dodona hierarchy SUBJECT`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use dodona_generation::SearchOptions;
use dodona_mutation::{HierarchyOptions, KeepMatrix, MutateOptions, MutationBounds};
use dodona_records::{Against, HierarchyRecord, KillMatrix, Mode, Pruning};
use dodona_report::Format;

use crate::args::{
    CalleesArgs, FormatArgs, JobsArgs, MOST_INPUTS, OperatorsArgs, RelationFiles, SeedArgs, SubjectArgs,
    drawn, seconds,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, first_or_whole};
use crate::progress::Progress;
use crate::{interrupt, mistake, open};

/// Say which mutants stand for all: the strong ones, what their tests kill besides, and what their code says of each other
#[derive(Debug, Args)]
pub(crate) struct HierarchyArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Mutate only these functions under test
    #[arg(long = "function", value_name = "NAME")]
    pub(crate) functions: Vec<String>,
    #[command(flatten)]
    pub(crate) callees: CalleesArgs,
    /// Leave out functions of more instructions: a function twice as long takes four times as long
    #[arg(long, value_name = "N", default_value_t = MutationBounds::default().instructions)]
    pub(crate) max_instructions: usize,
    #[command(flatten)]
    pub(crate) operators: OperatorsArgs,
    /// Random inputs a function [default: 1000; 0 with --from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_INPUTS))]
    pub(crate) inputs: Option<u64>,
    /// Inputs from a .csv or .jsonl file, its columns or keys named like the parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// Read which test kills which mutant from a file that `mutate --matrix` wrote, and run nothing; with the same --inputs, --from,
    /// --relations and --seed
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) relations: RelationFiles,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Seconds for all of it [default: as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Seconds for what the code of mutants says; what is run before takes its own time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) code_time: Duration,
    /// Seconds for one question to the solver
    // With a second, 19 questions of 613 of `path-directed/baggage` and 41 of 2,059 of `charge` more are answered, and most of the time of `baggage` is the solver's.
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    pub(crate) query_time: Duration,
    /// The solver: bitwuzla, z3, cvc5 or the command line of another that speaks SMT-LIB 2
    #[arg(long, value_name = "SOLVER")]
    pub(crate) solver: Option<String>,
    /// Every group and class, and what the code of mutants says of each other
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<HierarchyRecord>,
}

/// Runs every mutant on every input and prints one report.
pub(crate) fn run(args: &HierarchyArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_until(args.time);
    let options = options(args)?;
    if let Some(file) = &args.matrix {
        let workbench = Arc::new(open::workbench(&args.subject.path, &args.relations)?);
        let record = dodona_mutation::hierarchy_of_matrix(&workbench, &options.mutate, &read_matrix(file)?);
        let record = record.map_err(open::lab_failure)?;
        print(&record, args)?;
        return ordered(&record);
    }
    let workbench = Arc::new(open::without_relations(&args.subject.path)?);
    let mut bar = Progress::new("mutants");
    let name = &workbench.target.manifest.name;
    let found = dodona_mutation::hierarchy(&workbench, &options, interrupted, &mut |p| {
        bar.update(&format!("{name}, {} alive", p.alive), p.done, p.planned);
    });
    bar.finish();
    let record = found.map_err(open::lab_failure)?;
    print(&record, args)?;
    if !record.contradictions.is_empty() {
        return Ok(mistake::or(&record.contradictions, Exit::Mistake));
    }
    if interrupted.is_raised() { Ok(interrupt::exit()) } else { ordered(&record) }
}

/// Mutants that no input kills are in no order: where there is no other, nothing was found.
fn ordered(record: &HierarchyRecord) -> Result<Exit, Failure> {
    match record.classified() {
        0 => Err(Failure::usage("no input kills a mutant, so that there is nothing to put in order")),
        _ => Ok(Exit::Success),
    }
}

fn read_matrix(file: &Path) -> Result<KillMatrix, Failure> {
    KillMatrix::read(&open::bytes(file)?)
        .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}

fn options(args: &HierarchyArgs) -> Result<HierarchyOptions, Failure> {
    Ok(HierarchyOptions {
        mutate: MutateOptions {
            functions: args.functions.clone(),
            callees: args.callees.callees.clone(),
            operators: args.operators.set()?,
            relations: Vec::new(),
            against: Against::Inputs,
            inputs: drawn(args.inputs, &args.from),
            files: args.from.clone(),
            made: Vec::new(),
            seed: args.seed.seed(),
            jobs: args.jobs.threads(),
            mode: Mode::Matrix,
            pruning: Pruning::Infected,
            bounds: MutationBounds { instructions: args.max_instructions, ..MutationBounds::default() },
            versions: Vec::new(),
            keep_matrix: KeepMatrix::No,
        },
        search: SearchOptions {
            time: Some(args.code_time),
            query_time: Some(args.query_time),
            solver: args.solver.clone(),
            ..SearchOptions::default()
        },
    })
}

fn print(record: &HierarchyRecord, args: &HierarchyArgs) -> Result<(), Failure> {
    let format = args.format.chosen;
    // A drawing has no place for a warning.
    let unsaid = matches!(format, Format::Dot | Format::Svg);
    record.warnings.iter().filter(|_| unsaid).for_each(|warning| complain(&format!("warning: {warning}\n")));
    first_or_whole(record, format, args.all)
}
