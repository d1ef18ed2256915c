//! `dodona frames SUBJECT [FUNCTION]`

use std::path::PathBuf;

use clap::Args;
use dodona_frames::{Framed, Samples, frames_record, samples};
use dodona_records::FramesRecord;
use dodona_report::FramesReport;
use dodona_sources::file::{Format as FileFormat, Records, Wanted};

use crate::args::{FormatArgs, FrameArgs};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{report, write_records};
use crate::{interrupt, open};

/// Enumerate the frames of a specification by categories and choices, with inputs for each and what these give
#[derive(Debug, Args)]
pub(crate) struct FramesArgs {
    #[command(flatten)]
    pub(crate) frames: FrameArgs,
    /// List every frame
    #[arg(long)]
    pub(crate) all: bool,
    /// Write the inputs, each with its frame and how it was found, to this file, .jsonl or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<FramesReport<'static>>,
}

/// Makes inputs of all frames, runs them, and prints what is possible.
pub(crate) fn run(args: &FramesArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.frames.time);
    let output = match &args.output {
        Some(file) => {
            let destination = Destination::new(file, args.overwrite);
            destination.check()?;
            Some((destination, FileFormat::of(file).map_err(Failure::usage)?))
        }
        None => None,
    };
    let framed = framed(&args.frames)?;
    let samples = samples(&framed, &args.frames.options(), interrupted).map_err(open::lab_failure)?;
    let record = frames_record(&framed, &samples, args.frames.seed.seed());
    if let Some((file, format)) = output {
        let records = records(&framed, &samples);
        let order: Vec<usize> = (0..records.len()).collect();
        write_records(Some(file), &records, &order, format)?;
    }
    report(&FramesReport { record: &record, all: args.all }, args.format.chosen)?;
    Ok(if interrupted.is_raised() { Exit::Interrupted } else { exit(&record) })
}

/// Opens the subject with its categories and choices.
pub(crate) fn framed(args: &FrameArgs) -> Result<Framed, Failure> {
    let workbench = open::any_without_relations(&args.target.subject)?.workbench;
    let function = args.target.function.as_deref();
    Framed::open(&workbench, args.frames.as_deref(), function).map_err(open::lab_failure)
}

/// No frame with an input, categories that do not divide the inputs, and constraints that contradict each other or an input, are mistakes in the file.
pub(crate) fn exit(record: &FramesRecord) -> Exit {
    let has_input = record.frames.iter().any(|frame| frame.inputs > 0);
    match record.misfits.is_empty() && record.contradiction.is_empty() && has_input {
        true => Exit::Success,
        false => Exit::Usage,
    }
}

fn records(framed: &Framed, samples: &Samples) -> Records {
    let parameters = &framed.declared().parameters;
    let wanted: Vec<Wanted> = parameters.iter().map(|p| Wanted { name: p.name.clone(), ty: p.ty }).collect();
    let row = |row: usize| {
        let frame = framed.specification.words(&samples.frames[samples.frame_of[row] as usize]);
        let technique = samples.origins[row].name();
        let keys = [("frame".to_owned(), frame.into()), ("technique".to_owned(), technique.into())];
        (samples.values(row), keys.into_iter().collect())
    };
    Records::new(&wanted, (0..samples.rows()).map(row).collect())
}
