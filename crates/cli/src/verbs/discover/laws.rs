//! `dodona discover SUBJECT --laws`

use std::sync::Arc;

use dodona_discovery::{LawsOptions, LawsProgress, LawsStage};
use dodona_evidence::{LawsRecord, LawsStop};
use dodona_workbench::{Interruption, Workbench};

use super::DiscoverArgs;
use crate::args::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{document, styles, write};
use crate::progress::Progress;
use crate::written::{WrittenRelations, tell};
use crate::{ending, mistake, open};

/// Whether laws are searched: where they are asked for, and where nobody says which of several functions is meant.
pub(super) fn are_wanted(args: &DiscoverArgs, workbench: &Workbench) -> bool {
    args.laws || args.target.function.is_none() && workbench.manifest.functions.len() > 1
}

/// Searches for laws, prints them and writes them to a file.
pub(super) fn run(
    args: &DiscoverArgs,
    workbench: &Arc<Workbench>,
    interrupted: &Interruption,
) -> Result<Exit, Failure> {
    if let Some(option) = &args.of_relations {
        let names: Vec<&str> = workbench.manifest.functions.iter().map(|f| f.name.as_str()).collect();
        return Err(Failure::usage(format!(
            "{option} is an option of the search for relations of one function, and {} has several: name one of {}. Without {option}, laws over all of them are \
             searched for",
            workbench.manifest.name,
            names.join(", "),
        )));
    }
    let functions = match args.target.function.as_deref() {
        Some(name) => vec![open::function(workbench, Some(name))?],
        None => (0..workbench.manifest.functions.len()).collect(),
    };
    let files = WrittenRelations::new(&args.written, &workbench.manifest, "laws.mr", args.seed.number)?;
    let options = LawsOptions {
        seed: args.seed.seed(),
        time: Some(args.time),
        fresh: args.evidence.fresh,
        mutants: args.data.mutants,
        jobs: args.jobs.threads(),
    };
    let mut bar = Progress::of_stages();
    let name = workbench.manifest.name.clone();
    let record = dodona_discovery::laws(workbench, &functions, &options, interrupted, &mut |progress| {
        bar.update(&format!("{name}: {}", words(progress)), progress.laws, progress.laws);
    });
    bar.finish();
    let record = record.map_err(open::lab_failure)?;
    ending::answer();
    let mut told = Vec::new();
    let written = match record.laws.is_empty() {
        true => Ok(()),
        false => files.write(&dodona_report::laws_file(&record, &mistake::command()), &mut told),
    };
    // Printed after what was found is safe on the disk.
    match args.format.chosen {
        Format::Terminal => write(&dodona_report::terminal_laws(&record, styles()).to_string())?,
        Format::Json => document(&dodona_report::json_laws(&record))?,
    }
    tell(&told, args.format.chosen)?;
    written?;
    Ok(mistake::or(&record.contradictions, exit(&record)))
}

fn words(progress: LawsProgress) -> &'static str {
    match progress.stage {
        LawsStage::Executions => "calls",
        LawsStage::Columns => "laws of recorded calls",
        LawsStage::Filter => "fresh inputs",
        LawsStage::Mutants => "mutants",
    }
}

fn exit(record: &LawsRecord) -> Exit {
    match record.stop {
        LawsStop::Interrupted => Exit::Interrupted,
        _ if record.laws.is_empty() => Exit::Budget,
        _ => Exit::Success,
    }
}
