//! `dodona select SUBJECT [FUNCTION]`

use clap::Args;
use dodona_adequacy::{Selection, order, select};
use dodona_evidence::{GroupRecord, SelectionRecord};
use dodona_lab::group_paths;

use super::adequacy::{MeasureArgs, Measured, exit};
use crate::args::{Format, FormatArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{styles, write};
use crate::{interrupt, open};

/// Select the few metamorphic groups that reach a degree of k-MR coverage
#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// The degree, above 0 and at most 1
    #[arg(long, value_name = "DEGREE", default_value = "0.9", value_parser = degree)]
    pub(crate) adequacy: f64,
    /// All groups that add to the degree, those that add most first
    #[arg(long, conflicts_with = "adequacy")]
    pub(crate) order: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<Format>,
}

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
    let selection = match args.order {
        false => select(requirements, associations, k, args.adequacy),
        true => {
            let groups = order(requirements, associations, k);
            let whole = select(requirements, associations, k, 1.0);
            Selection { groups, ..whole }
        }
    };
    let adequacy = measured.record();
    let instrumented = measured.instrumented()?;
    let paths = group_paths(&instrumented, &measured.executed, measured.jobs(), interrupted)
        .map_err(open::lab_failure)?;
    let names = measured.workbench.relation_names(&measured.executed.relations);
    let group = |(source, relation): &(usize, usize)| GroupRecord {
        relation: names[*relation].clone(),
        source: measured.source(*source),
    };
    let exit = exit(&adequacy);
    let record = SelectionRecord {
        wanted: if args.order { 1.0 } else { args.adequacy },
        degree: selection.degree,
        groups: selection.groups.iter().map(group).collect(),
        least: selection.least as u64,
        paths: paths.path_criteria(&measured.executed, &selection.groups),
        adequacy,
    };
    match args.format.chosen {
        Format::Terminal => write(&dodona_report::terminal_selection(&record, styles()).to_string())?,
        Format::Json => write(&dodona_report::json_selection(&record))?,
    }
    let is_short = record.degree < record.wanted;
    Ok(match exit {
        _ if interrupted.is_raised() => Exit::Interrupted,
        Exit::Success if is_short => Exit::Budget,
        exit => exit,
    })
}
