//! `dodona identify SUBJECT [FUNCTION]`

mod review;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use dodona_evidence::{IdentificationRecord, IdentifiedRelation};
use dodona_frames::{IdentifyOptions, identify};

use super::frames::framed;
use crate::args::{Format, FormatArgs, FrameArgs, MOST_INPUTS};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{check_writable, styles, write};
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
    #[arg(long, value_name = "N")]
    pub(crate) distance: Option<usize>,
    /// Changes of at most so many parameters at once
    #[arg(long, value_name = "N", default_value = "2", value_parser = RangedU64ValueParser::<usize>::new().range(1..=8))]
    pub(crate) parameters: usize,
    /// At most so many candidate pairs
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
    pub(crate) format: FormatArgs<Format>,
}

/// Identifies relations, prints them and writes them where that is asked for.
pub(crate) fn run(args: &IdentifyArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.frames.time);
    let before = writable(args)?;
    let framed = framed(&args.frames)?;
    let mut pairs = PairFile::default();
    let options = IdentifyOptions {
        frames: args.frames.options(),
        fresh: args.fresh,
        distance: args.distance,
        parameters: args.parameters,
        pairs: args.pairs,
        most: args.most,
    };
    let mut keep = |relation: &str| pairs.add(args.write_pairs.is_some(), relation);
    let identified = identify(&framed, &options, interrupted, &mut keep).map_err(open::lab_failure)?;
    let record = identified.record;
    if let Some(file) = args.write_pairs.as_ref().filter(|_| !pairs.text.is_empty()) {
        whole(file, &pairs.text)?;
    }
    match args.format.chosen {
        Format::Terminal => write(&dodona_report::terminal_identification(&record, styles()).to_string())?,
        Format::Json => write(&dodona_report::json_identification(&record))?,
    }
    // A file without a relation would be kept, and stand in the way of the next run.
    let is_any = args.review || !record.relations.is_empty();
    if let Some(file) = args.write.as_ref().filter(|_| is_any) {
        let all: Vec<&IdentifiedRelation> = record.relations.iter().collect();
        let text = match args.review {
            false => dodona_report::identified_file(&record, &all),
            true => Reviewed::ask(&before, &all, interrupted)?.file(&record),
        };
        whole(file, text.as_bytes())?;
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

/// The relations of pairs, as they come.
#[derive(Default)]
struct PairFile {
    text: Vec<u8>,
}

impl PairFile {
    fn add(&mut self, is_wanted: bool, relation: &str) {
        if is_wanted {
            // Writing to a vector cannot fail.
            let _ = writeln!(self.text, "{relation}");
        }
    }
}

/// Sees before the long run that files can be written and none is lost; what a file says that is reviewed.
fn writable(args: &IdentifyArgs) -> Result<String, Failure> {
    let absolute = |file: &PathBuf| std::path::absolute(file).ok();
    if args.write.is_some() && args.write.as_ref().map(absolute) == args.write_pairs.as_ref().map(absolute) {
        return Err(Failure::usage("--write and --write-pairs name the same file; each needs its own"));
    }
    for file in args.write.iter().chain(&args.write_pairs) {
        check_writable(file)?;
        if file.exists() && !(args.review && args.write.as_ref() == Some(file)) {
            return Err(Failure::usage(format!("{} exists and is kept; name another file", file.display())));
        }
    }
    match &args.write {
        Some(file) if args.review => review::before(file),
        _ => Ok(String::new()),
    }
}

/// Writes a file whole or not at all.
fn whole(file: &Path, text: &[u8]) -> Result<(), Failure> {
    dodona_sources::write_atomically(file, text)
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))
}
