//! `dodona identify SUBJECT [FUNCTION]`

mod asked;
mod dialogue;
mod review;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use dodona_frames::{Framed, FreshCheck, Identified, IdentifyOptions, identify};
use dodona_records::{CandidatePair, IdentificationRecord, IdentifiedRelation};
use dodona_report::Format;
use dodona_target::Interruption;

use super::frames::framed;
use crate::args::{FormatArgs, FrameArgs, MOST_INPUTS};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{first_or_whole, report, write};
use crate::{interrupt, open};
use asked::answers;
use dialogue::Dialogue;
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
    /// Show a tester one candidate pair at a time and take, or let her write, its output relation; the answers stand in this table, which
    /// another person can go on with and a spreadsheet can edit; --write writes the relations that were accepted
    #[arg(long, value_name = "PAIRS.csv", conflicts_with_all = ["review_joined", "write_pairs"])]
    pub(crate) review: Option<PathBuf>,
    /// Ask of each relation that says what many pairs say whether it is accepted, rejected or left for later, and keep the answers in the
    /// file of --write
    #[arg(long, requires = "write")]
    pub(crate) review_joined: bool,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    /// List every relation, and some that were refuted
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<IdentificationRecord>,
}

/// Identifies relations, prints them and writes them where that is asked for.
pub(crate) fn run(args: &IdentifyArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.frames.time);
    if (args.review.is_some() || args.review_joined) && args.format.chosen == Format::Json {
        return Err(Failure::usage("a review asks a person, and --format json is for programs; choose one"));
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
    if let Some(table) = &args.review {
        return reviewed(&framed, &options, (args, table), interrupted);
    }
    let identified = match &args.write_pairs {
        None => identify(&framed, &options, interrupted, &mut |_| {}).map_err(open::lab_failure)?,
        Some(file) => with_pairs(&framed, &options, interrupted, destination(file, args))?,
    };
    let record = identified.record;
    first_or_whole(&record, args.format.chosen, args.all)?;
    // A file without a relation would be kept, and stand in the way of the next run.
    let is_any = args.review_joined || !record.relations.is_empty();
    if let Some(file) = args.write.as_ref().filter(|_| is_any) {
        let all: Vec<&IdentifiedRelation> = record.relations.iter().collect();
        let text = match args.review_joined {
            false => dodona_report::identified_file(&record, &all),
            true => Reviewed::ask(&before, &all, interrupted)?.file(&record),
        };
        destination(file, args).write(text.as_bytes())?;
    }
    Ok(exit(&record, interrupted.is_raised()))
}

/// Reviews candidate pairs with a tester: the table has her answers, and the file of `--write` the relations that she accepted or wrote.
fn reviewed(
    framed: &Framed,
    options: &IdentifyOptions,
    (args, table): (&IdentifyArgs, &Path),
    interrupted: &Interruption,
) -> Result<Exit, Failure> {
    let before = dialogue::before(table)?;
    // The table is known by its columns, and what it has is kept.
    let table = Destination::new(table, OverwriteArgs { is_given: true });
    table.check()?;
    let mut pairs = Vec::new();
    let identified =
        identify(framed, options, interrupted, &mut |pair| pairs.push(pair)).map_err(open::lab_failure)?;
    let check = FreshCheck::new(framed, options, &identified.samples).map_err(open::lab_failure)?;
    let pairs = dialogue::with_answers(pairs, before);
    if pairs.is_empty() {
        report(&identified.record, args.format.chosen)?;
        return Ok(exit(&identified.record, interrupted.is_raised()));
    }
    let pairs = Dialogue::new(pairs, table, check, answers(), interrupted).run()?;
    let file = dialogue::relations_file(&framed.declared().name, &pairs);
    if let Some(to) = &args.write {
        destination(to, args).write(file.as_bytes())?;
    }
    write(&format!("\n{}", dialogue::told(&pairs)))?;
    Ok(match super::frames::exit(&identified.record.frames) {
        _ if interrupted.is_raised() => Exit::Interrupted,
        exit => exit,
    })
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
        let mut number = 0;
        let mut tell = |pair: CandidatePair| {
            let Some(relation) = pair.text(&format!("pair_{}", number + 1)) else { return };
            number += 1;
            let how = if pair.origin == "inferred" { "inferred" } else { "from the declared order" };
            if failed.is_ok() {
                failed = writeln!(to, "{relation}  # {how}");
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
        Some(file) if args.review_joined => review::before(file),
        _ => Ok(String::new()),
    }
}

/// A file of relations. One that is reviewed is read and added to, so it may be replaced.
fn destination<'a>(file: &'a Path, args: &IdentifyArgs) -> Destination<'a> {
    let is_reviewed = args.review_joined && args.write.as_deref() == Some(file);
    let destination =
        Destination::new(file, OverwriteArgs { is_given: args.overwrite.is_given || is_reviewed });
    match args.review {
        Some(_) => destination.known_by(|bytes| bytes.starts_with(dialogue::FIRST_WORDS.as_bytes())),
        None => destination,
    }
}
