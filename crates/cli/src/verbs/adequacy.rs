//! `dodona adequacy SUBJECT [FUNCTION]`

mod measured;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dodona_frames::FrameCriterion;
use dodona_lab::CodeCriterion;
use dodona_records::AdequacyRecord;

use crate::args::{FormatArgs, FrameArgs, JobsArgs, RelationArgs, from_0_to_1};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{complain, first_or_whole};
pub(crate) use measured::Measured;

/// Measure how many different relations test each statement, branch or frame: k-MR coverage
#[derive(Debug, Args)]
pub(crate) struct AdequacyArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// List every requirement that lacks tests
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<AdequacyRecord>,
    /// Exit with 1 when the degree is below this, from 0 to 1
    #[arg(long, value_name = "DEGREE", value_parser = |text: &str| from_0_to_1("a degree", text))]
    pub(crate) fail_under: Option<f64>,
}

/// What is measured: relations, source inputs and a criterion.
#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) frames: FrameArgs,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    /// How many different relations each requirement is to be tested with
    #[arg(short, long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) k: u16,
    /// What source inputs are to satisfy
    #[arg(long, value_enum, default_value_t)]
    pub(crate) criterion: Criterion,
    /// Random source inputs [default: 1000; none for frames, which have inputs of their own, and with --from]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=crate::args::MOST_INPUTS))]
    pub(crate) inputs: Option<u64>,
    /// Files of source inputs, .csv or .jsonl: these alone are rated, unless --inputs adds random ones
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Criterion {
    /// Each statement: line of the source, or block of code
    #[default]
    Statement,
    /// Each direction of each branch
    Branch,
    /// Each choice of an input category
    IChoice,
    /// Each pair of choices of two input categories
    IChoicePair,
    /// Each input-and-output-based complete test frame
    IoCtf,
}

impl From<Criterion> for dodona_lab::Criterion {
    fn from(criterion: Criterion) -> Self {
        match criterion {
            Criterion::Statement => Self::Code(CodeCriterion::Statement),
            Criterion::Branch => Self::Code(CodeCriterion::Branch),
            Criterion::IChoice => Self::Frames(FrameCriterion::Choice),
            Criterion::IChoicePair => Self::Frames(FrameCriterion::ChoicePair),
            Criterion::IoCtf => Self::Frames(FrameCriterion::IoFrame),
        }
    }
}

/// Runs relations on source inputs and prints how adequate that is.
pub(crate) fn run(args: &AdequacyArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.measure.frames.time);
    let measured = Measured::of(&args.measure, interrupted)?;
    let paths = measured.paths(interrupted)?.of_relations(&measured.executed);
    let record = AdequacyRecord { paths: (paths.paths > 0).then_some(paths), ..measured.record() };
    first_or_whole(&record, args.format.chosen, args.all)?;
    if interrupted.is_raised() {
        return Ok(Exit::Interrupted);
    }
    Ok(match (exit(&record), args.fail_under) {
        (Exit::Success, Some(least)) if record.degree < least => {
            complain(&format!("error: the degree is {:.3}, below {least}\n", record.degree));
            Exit::Violated
        }
        (exit, _) => exit,
    })
}

/// A violated relation is a violation; without any requirement or association nothing was measured.
pub(crate) fn exit(record: &AdequacyRecord) -> Exit {
    if !record.violated.is_empty() {
        Exit::Violated
    } else if record.associations == 0 || record.requirements.is_empty() {
        Exit::Usage
    } else {
        Exit::Success
    }
}
