//! `dodona identify SUBJECT [FUNCTION]`

mod review;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use dodona_frames::{Framed, Identified, IdentifyOptions, identify};
use dodona_records::{IdentificationRecord, IdentifiedRelation};
use dodona_report::Format;
use dodona_target::Interruption;

use super::frames::framed;
use crate::args::{FormatArgs, FrameArgs, MOST_INPUTS};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::report;
use crate::{interrupt, open};
use review::Reviewed;

/// A list that may have nothing on it would be an answer to no question.
fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MOST_INPUTS)
}

/// Identify relations from pairs of frames, as METRIC+ does
#[derive(Debug, Args)]
pub(crate) struct IdentifyArgs {
    #[command(flatten)]
    pub(crate) frames: FrameArgs,
    /// Random inputs that each relation has to hold on before it is reported
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) fresh: u64,
    /// Only pairs whose frames differ in at most so many categories of inputs
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub(crate) distance: Option<usize>,
    /// Changes of at most so many parameters at once
    #[arg(long, value_name = "N", default_value = "2", value_parser = RangedU64ValueParser::<usize>::new().range(1..=8))]
    pub(crate) parameters: usize,
    /// At most so many candidate pairs, those whose frames differ in the fewest categories
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub(crate) pairs: Option<usize>,
    /// At most so many relations
    #[arg(long, value_name = "N", default_value = "40", value_parser = at_least_one())]
    pub(crate) most: usize,
    /// Write the relations to this file, which must not exist unless it is reviewed
    #[arg(long, value_name = "FILE.mr")]
    pub(crate) write: Option<PathBuf>,
    /// Write the relation of each candidate pair to this file, before those that say the same are joined
    #[arg(long, value_name = "FILE.mr")]
    pub(crate) write_pairs: Option<PathBuf>,
    /// Ask of each relation whether it is accepted, rejected or left for later, and keep the answers in the file of --write
    #[arg(long, requires = "write")]
    pub(crate) review: bool,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<IdentificationRecord>,
}

/// Identifies relations, prints them and writes them where that is asked for.
pub(crate) fn run(args: &IdentifyArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.frames.time);
    if args.review && args.format.chosen == Format::Json {
        return Err(Failure::usage("--review asks a person, and --format json is for programs; choose one"));
    }
    let before = writable(args)?;
    let framed = framed(&args.frames)?;
    let options = IdentifyOptions {
        frames: args.frames.options(),
        fresh: args.fresh,
        distance: args.distance,
        parameters: args.parameters,
        pairs: args.pairs,
        most: args.most,
    };
    let identified = match &args.write_pairs {
        None => identify(&framed, &options, interrupted, &mut |_| {}).map_err(open::lab_failure)?,
        Some(file) => with_pairs(&framed, &options, interrupted, destination(file, args))?,
    };
    let record = identified.record;
    report(&record, args.format.chosen)?;
    // A file without a relation would be kept, and stand in the way of the next run.
    let is_any = args.review || !record.relations.is_empty();
    if let Some(file) = args.write.as_ref().filter(|_| is_any) {
        let all: Vec<&IdentifiedRelation> = record.relations.iter().collect();
        let text = match args.review {
            false => dodona_report::identified_file(&record, &all),
            true => Reviewed::ask(&before, &all, interrupted)?.file(&record),
        };
        destination(file, args).write(text.as_bytes())?;
    }
    Ok(exit(&record, interrupted.is_raised()))
}

fn exit(record: &IdentificationRecord, interrupted: bool) -> Exit {
    match super::frames::exit(&record.frames) {
        _ if interrupted => Exit::Interrupted,
        Exit::Success if record.relations.is_empty() => Exit::Budget,
        exit => exit,
    }
}

/// Identifies relations and writes those of pairs to a file as they come, for there may be hundreds of thousands. Without any, there is no file.
fn with_pairs(
    framed: &Framed,
    options: &IdentifyOptions,
    interrupted: &Interruption,
    file: Destination<'_>,
) -> Result<Identified, Failure> {
    let mut identified = None;
    let written = file.write_with(|to| {
        let mut failed = Ok(());
        let mut tell = |relation: &str| {
            if failed.is_ok() {
                failed = writeln!(to, "{relation}");
            }
        };
        let found = identify(framed, options, interrupted, &mut tell);
        let is_any = found.as_ref().is_ok_and(|found| found.record.pair_relations > 0);
        identified = Some(found);
        failed?;
        is_any.then_some(()).ok_or_else(|| std::io::Error::other("no relation of a pair"))
    });
    match (identified, written) {
        (Some(Ok(found)), Err(failure)) if found.record.pair_relations > 0 => Err(failure),
        (Some(found), _) => found.map_err(open::lab_failure),
        (None, Err(failure)) => Err(failure),
        (None, Ok(())) => Err(Failure::usage("nothing was identified")),
    }
}

/// Sees before the long run that files can be written and none is lost; what a file says that is reviewed.
fn writable(args: &IdentifyArgs) -> Result<String, Failure> {
    let absolute = |file: &PathBuf| std::path::absolute(file).ok();
    if args.write.is_some() && args.write.as_ref().map(absolute) == args.write_pairs.as_ref().map(absolute) {
        return Err(Failure::usage("--write and --write-pairs name the same file; each needs its own"));
    }
    for file in args.write.iter().chain(&args.write_pairs) {
        destination(file, args).check()?;
    }
    match &args.write {
        Some(file) if args.review => review::before(file),
        _ => Ok(String::new()),
    }
}

/// A file of relations. One that is reviewed is read and added to, so it may be replaced.
fn destination<'a>(file: &'a Path, args: &IdentifyArgs) -> Destination<'a> {
    let is_reviewed = args.review && args.write.as_deref() == Some(file);
    Destination::new(file, OverwriteArgs { is_given: args.overwrite.is_given || is_reviewed })
}
