//! `dodona select SUBJECT [FUNCTION]`

use clap::Args;
use dodona_generation::adequacy::{Order, Selection, order, select};
use dodona_records::{GroupRecord, SelectionRecord};

use super::adequacy::{MeasureArgs, Measured, exit};
use crate::args::FormatArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::first_or_whole;

/// Select the few metamorphic groups that reach a degree of k-MR coverage
#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// The degree, above 0 and at most 1
    #[arg(long, value_name = "DEGREE", default_value = "0.9", value_parser = degree)]
    pub(crate) adequacy: f64,
    /// All groups in the order in which faults should show early: those first that add most to the degree
    #[arg(long, conflicts_with = "adequacy")]
    pub(crate) order: bool,
    /// List every group
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<SelectionRecord>,
}

/// Groups that are put in order. Each round of those that reach the degree costs as much as a selection.
const MOST_ORDERED: usize = 10_000;

fn degree(text: &str) -> Result<f64, String> {
    let degree: f64 = text.trim().parse().map_err(|_| "a degree is a number above 0 and at most 1")?;
    match degree > 0.0 && degree <= 1.0 {
        true => Ok(degree),
        false => Err("a degree is a number above 0 and at most 1".to_owned()),
    }
}

/// Runs relations on source inputs, and prints the groups that are enough.
pub(crate) fn run(args: &SelectArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.measure.frames.time);
    let measured = Measured::of(&args.measure, interrupted)?;
    let k = usize::from(args.measure.k);
    let (requirements, associations) = (&measured.requirements, &measured.executed.associations);
    let (selection, enough) = match args.order {
        false => (select(requirements, associations, k, args.adequacy), None),
        true => {
            let Order { groups, enough, degree } = order(requirements, associations, k, MOST_ORDERED);
            let whole = select(requirements, associations, k, degree.max(f64::MIN_POSITIVE));
            (Selection { groups, degree, least: whole.least }, Some(enough))
        }
    };
    let adequacy = measured.record();
    let paths = measured.paths(interrupted)?;
    let chosen = &selection.groups[..enough.unwrap_or(selection.groups.len())];
    let names = measured.workbench.relation_names(&measured.executed.relations);
    let group = |(source, relation): &(usize, usize)| GroupRecord {
        relation: names[*relation].clone(),
        source: measured.source(*source),
    };
    let exit = exit(&adequacy);
    let record = SelectionRecord {
        wanted: if args.order { selection.degree } else { args.adequacy },
        degree: selection.degree,
        groups: selection.groups.iter().map(group).collect(),
        least: selection.least as u64,
        enough: enough.map(|enough| enough as u64),
        paths: (paths.count > 0).then(|| paths.path_criteria(&measured.executed, chosen)),
        adequacy,
    };
    first_or_whole(&record, args.format.chosen, args.all)?;
    let is_short = record.degree < record.wanted;
    Ok(match exit {
        _ if interrupted.is_raised() => Exit::Interrupted,
        Exit::Success if is_short => Exit::Budget,
        exit => exit,
    })
}
