//! `dodona compare SUBJECT [FUNCTION]`

use std::num::NonZeroUsize;
use std::sync::Arc;

use dodona_evidence::ComparisonRecord;
use dodona_generation::{GenerateOptions, Technique};
use dodona_lab::{CompareOptions, Versions, compare};
use dodona_mutation::OperatorSet;
use dodona_report::Styles;
use dodona_sources::{Seed, write_atomically};

use crate::args::compare::{CompareArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{check_writable, styles, write};
use crate::progress::Progress;
use crate::{ending, interrupt, mistake, open};

/// Compares techniques by the faults that their inputs detect.
pub(crate) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let options = options(args)?;
    if let Some(file) = &args.output {
        check_writable(file)?;
    }
    let interrupted = interrupt::listen();
    let workbench = Arc::new(open::workbench(&args.subject, &args.files)?);
    let index = open::function(&workbench, args.function.as_deref())?;
    let function = &workbench.manifest.functions[index];
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
        return Err(Failure::new(Exit::Interrupted, "interrupted before there was a comparison"));
    };
    output(args, &record)?;
    Ok(mistake::or(&record.contradictions, Exit::Success))
}

fn options(args: &CompareArgs) -> Result<CompareOptions, Failure> {
    let techniques: Vec<Technique> = args.techniques.iter().map(|&technique| technique.into()).collect();
    if let Some(twice) = (1..techniques.len()).find(|&i| techniques[..i].contains(&techniques[i])) {
        let name = techniques[twice].name();
        return Err(Failure::usage(format!("--techniques names {name} twice")));
    }
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let names: Vec<&str> = args.operators.iter().map(|name| name.trim()).collect();
    Ok(CompareOptions {
        repeats: args.repeats,
        by: args.by.into(),
        generate: GenerateOptions {
            technique: techniques[0],
            count: args.count.map(|count| count as usize),
            seed: Seed(args.seed),
            search: args.search.options(),
        },
        techniques,
        relations: args.relations.clone(),
        versions: match args.faults {
            true => Versions::Folders,
            false => Versions::Mutants {
                operators: OperatorSet::parse(&names).map_err(Failure::usage)?,
                callees: args.callees.clone(),
            },
        },
        jobs: args.jobs.unwrap_or_else(cores),
    })
}

fn output(args: &CompareArgs, record: &ComparisonRecord) -> Result<(), Failure> {
    let tables = |styles: Styles| dodona_report::terminal_comparison(record, styles).to_string();
    let text = |styles: Styles| match args.format {
        Format::Terminal => tables(styles),
        Format::Csv => dodona_report::csv_comparison(record),
        Format::Json => dodona_report::json_comparison(record),
    };
    let Some(file) = &args.output else { return write(&text(styles())) };
    ending::answer();
    write_atomically(file, text(Styles::plain()).as_bytes())
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))?;
    match args.format {
        Format::Terminal => Ok(()),
        Format::Csv | Format::Json => write(&tables(styles())),
    }
}
