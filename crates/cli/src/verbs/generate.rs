//! `dodona generate SUBJECT [FUNCTION]`

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use dodona_frames::frame_maker;
use dodona_generation::{GenerateOptions, Generated, Technique, generate, provenance};
use dodona_report::{Format as ReportFormat, Report as _};
use dodona_sources::file::{Format, Records, Wanted};
use dodona_target::Signature;
use dodona_wasm::Workbench;

use crate::args::{RelationArgs, SearchArgs, SeedArgs, TargetArgs, TechniqueName};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, complain_document, error_styles, write_records};
use crate::{interrupt, mistake, open};

/// Write source inputs along the paths of a function or the ways through relations, far from each other, at random, or of frames
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// How inputs are found
    #[arg(long, value_enum, default_value_t)]
    pub(crate) technique: TechniqueName,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    /// How many inputs [default: one a path or way; 100 for adaptive and random; 10 a frame]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: Option<u32>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Where the inputs are written, .jsonl or .csv [default: standard output, as JSON lines]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    /// How the summary on standard error is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) summary: Summary,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Summary {
    /// For people
    #[default]
    Terminal,
    /// One JSON document
    Json,
    /// None
    None,
}

/// Generates inputs and writes them with where they come from.
pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.search.time());
    let format = match &args.output {
        Some(file) => Format::of(file).map_err(Failure::usage)?,
        None => Format::Jsonl,
    };
    let destination = args.output.as_ref().map(|file| Destination::new(file, args.overwrite));
    destination.iter().try_for_each(Destination::check)?;
    let name = args.target.function.as_deref();
    let workbench = Arc::new(workbench(args)?);
    let index = open::function(&workbench, name)?;
    let function = &workbench.functions()[index];
    if function.parameters.is_empty() {
        let message =
            format!("`{}` has no parameters: it has one input, and nothing to generate", function.name);
        return Err(Failure::usage(message));
    }
    let generated =
        generate(&workbench, index, &options(args, &workbench)?, interrupted).map_err(open::lab_failure)?;
    output(destination, function, &generated, format)?;
    match args.summary {
        Summary::Terminal => {
            complain(&generated.record.report(ReportFormat::Terminal, error_styles()));
        }
        Summary::Json => complain_document(&generated.record.json()),
        Summary::None => {}
    }
    let exit = exit(args, &generated, interrupted.is_raised());
    // The engine is wrong about the subject.
    Ok(mistake::or(&generated.record.contradictions(), exit))
}

fn exit(args: &GenerateArgs, generated: &Generated, interrupted: bool) -> Exit {
    let record = &generated.record;
    if interrupted {
        Exit::Interrupted
    } else if record.inputs < args.count.map_or(1, u64::from) {
        // Fewer than were asked for.
        Exit::Budget
    } else {
        Exit::Success
    }
}

/// The subject. Only ways ask for its relations.
fn workbench(args: &GenerateArgs) -> Result<Workbench, Failure> {
    let RelationArgs { names, files } = &args.relations;
    if args.technique.0 == Technique::Ways {
        return open::workbench(&args.target.subject, files);
    }
    if !names.is_empty() || !files.relation_files.is_empty() {
        return Err(Failure::usage(
            "--relation and --relations are for --technique ways: the other techniques ask for no relation",
        ));
    }
    open::for_function(&args.target.subject, args.target.function.as_deref())
}

fn options(args: &GenerateArgs, workbench: &Arc<Workbench>) -> Result<GenerateOptions, Failure> {
    let names = &args.relations.names;
    let relations = (args.technique.0 == Technique::Ways).then(|| workbench.select(names));
    Ok(GenerateOptions {
        technique: args.technique.0,
        count: args.count.map(|count| count as usize),
        seed: args.seed.seed(),
        search: args.search.options(),
        frames: Some(frame_maker(workbench)),
        relations: relations.transpose().map_err(open::lab_failure)?,
    })
}

fn output(
    file: Option<Destination<'_>>,
    function: &Signature,
    generated: &Generated,
    format: Format,
) -> Result<(), Failure> {
    let wanted: Vec<Wanted> =
        function.parameters.iter().map(|p| Wanted { name: p.name.clone(), ty: p.ty }).collect();
    let rows = (0..generated.coverage.len()).map(|row| {
        let values = generated.columns.iter().map(|column| column.value(row)).collect();
        (values, provenance(generated, row))
    });
    let records = Records::new(&wanted, rows.collect());
    let order: Vec<usize> = (0..records.len()).collect();
    write_records(file, &records, &order, format)
}
