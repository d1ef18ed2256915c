//! `dodona generate SUBJECT [FUNCTION]`

use std::path::Path;

use dodona_generation::{GenerateOptions, Generated, generate, provenance};
use dodona_sources::Seed;
use dodona_sources::file::{Format, Records, Wanted};
use dodona_subject::Function;

use crate::args::generate::{GenerateArgs, Summary};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{check_writable, complain, error_styles, write_records};
use crate::{interrupt, mistake, open};

/// Generates inputs and writes them with where they come from.
pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.search.time);
    let format = match &args.output {
        Some(file) => Format::of(file).map_err(Failure::usage)?,
        None => Format::Jsonl,
    };
    if let Some(file) = &args.output {
        check_writable(file)?;
    }
    let workbench = open::without_relations(&args.subject)?;
    let index = open::function(&workbench, args.function.as_deref())?;
    let function = &workbench.manifest.functions[index];
    if function.parameters.is_empty() {
        let message =
            format!("`{}` has no parameters: it has one input, and nothing to generate", function.name);
        return Err(Failure::usage(message));
    }
    let generated = generate(&workbench, index, &options(args), interrupted).map_err(open::lab_failure)?;
    output(args.output.as_deref(), function, &generated, format)?;
    match args.summary {
        Summary::Terminal => {
            complain(&dodona_report::terminal_generation(&generated.record, error_styles()).to_string());
        }
        Summary::Json => complain(&dodona_report::json_generation(&generated.record)),
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

fn options(args: &GenerateArgs) -> GenerateOptions {
    GenerateOptions {
        technique: args.technique.into(),
        count: args.count.map(|count| count as usize),
        seed: Seed(args.seed),
        search: args.search.options(),
    }
}

fn output(
    file: Option<&Path>,
    function: &Function,
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
