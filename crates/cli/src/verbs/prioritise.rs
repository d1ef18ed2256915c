//! `dodona prioritise SUBJECT [FUNCTION] --from FILE`

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use dodona_generation::{
    Coverage, CoveredFunction, Detail, InputCoverage, Order, StatementScope,
    adequacy::prioritise::{Prioritisation, additions},
    prioritise, statements,
};
use dodona_sources::file::{Format, Records, Wanted};
use dodona_target::{Column, Signature};
use dodona_wasm::execute::CoverageMap;
use dodona_workbench::{columns, eligible_rows};

use crate::args::{By, JobsArgs, SeedArgs, TargetArgs};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, remark, write_records};
use crate::progress::Progress;
use crate::{interrupt, open};

/// Write inputs in another order: what runs most that is new comes first
#[derive(Debug, Args)]
pub(crate) struct PrioritiseArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Its inputs, a .csv or .jsonl file with columns or keys named like the parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) from: PathBuf,
    /// What comes first
    #[arg(long, value_enum, default_value_t)]
    pub(crate) by: By,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Where the inputs are written, .csv or .jsonl [default: standard output, in the form of the input]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
}

/// The inputs that are told of one by one.
const MOST_TOLD: usize = 10;

/// Orders the inputs of a file.
pub(crate) fn run(args: &PrioritiseArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let by = Prioritisation::from(args.by);
    let format = format(args)?;
    let workbench = open::any_without_relations(&args.target.subject)?.workbench;
    let index = open::function(&workbench, args.target.function.as_deref())?;
    let function = &workbench.functions()[index];
    let records = Records::read(&args.from, &wanted(function)?).map_err(Failure::usage)?;
    let columns = columns(function, (0..records.len()).map(|row| records.values(row)));
    let eligible = eligible(args, function, &columns)?;
    let columns: Vec<Column> = columns.iter().map(|column| column.select(&eligible)).collect();
    let order = if by.needs_order() { Order::Noted } else { Order::Left };
    let covered = CoveredFunction::of(&workbench, index, StatementScope::AtHand, order);
    let covered = covered.map_err(open::lab_failure)?;
    let mut bar = Progress::new("inputs");
    let batches = vec![columns.clone()];
    let coverage = covered.cover(batches, Detail::Inputs, args.jobs.threads(), interrupted, &mut |p| {
        bar.update(&function.name, p.run, p.planned);
    });
    bar.finish();
    let coverage = coverage.map_err(open::lab_failure)?;
    if interrupted.is_raised() {
        return Err(Failure::new(
            Exit::Interrupted,
            "interrupted before there was an order; nothing is written",
        ));
    }
    complain_of_cut_paths(args, &coverage.inputs);
    let go_on = || !interrupted.is_raised();
    let order = prioritise(by, function, &columns, &coverage.inputs, args.seed.seed(), &go_on);
    let destination = args.output.as_ref().map(|file| Destination::new(file, args.overwrite));
    write_records(destination, &records, &whole_order(&order, &eligible, records.len()), format)?;
    let ordered = Ordered { records: &records, eligible: &eligible, order: &order };
    remark(&told(by, function, &ordered, &coverage));
    if order.len() == eligible.len() {
        return Ok(Exit::Success);
    }
    let (first, all) = (order.len(), eligible.len());
    let message = format!(
        "interrupted when {first} of {all} inputs were in order; the others come after them as they stand"
    );
    Err(Failure::new(Exit::Interrupted, message))
}

/// The rows of the file that the function is meant to work on; the others are not run, and a warning says how many they are.
fn eligible(args: &PrioritiseArgs, function: &Signature, columns: &[Column]) -> Result<Vec<u32>, Failure> {
    let eligible = eligible_rows(function, columns);
    let others = columns.first().map_or(0, Column::len) - eligible.len();
    let (file, name) = (args.from.display(), &function.name);
    if eligible.is_empty() && others > 0 {
        return Err(Failure::usage(format!(
            "no input in {file} is in the domains of `{name}` and meets what it requires"
        )));
    }
    if eligible.is_empty() {
        return Err(Failure::usage(format!("{file} has no input, so that there is nothing to put in order")));
    }
    if others > 0 {
        complain(&format!(
            "warning: {file}: {others} of the inputs are not eligible for `{name}`; they come last and are not run\n"
        ));
    }
    Ok(eligible)
}

/// The order of all rows of the file: those that were put in order, then the other eligible ones and those that are not eligible, as
/// they stand.
fn whole_order(order: &[usize], eligible: &[u32], rows: usize) -> Vec<usize> {
    let mut is_placed = vec![false; rows];
    let mut whole = Vec::with_capacity(rows);
    let ordered = order.iter().map(|&input| eligible[input]);
    for row in ordered.chain(eligible.iter().copied()).map(|row| row as usize).chain(0..rows) {
        if !std::mem::replace(&mut is_placed[row], true) {
            whole.push(row);
        }
    }
    whole
}

/// Eligible inputs of a file in an order.
struct Ordered<'r> {
    records: &'r Records,
    /// Their rows in the file.
    eligible: &'r [u32],
    /// Their places among those.
    order: &'r [usize],
}

/// The form of what is written. A file that cannot be written is refused before anything is run.
fn format(args: &PrioritiseArgs) -> Result<Format, Failure> {
    let Some(file) = &args.output else { return Format::of(&args.from).map_err(Failure::usage) };
    let format = Format::of(file).map_err(|_| {
        Failure::usage(format!("cannot write {}: name a file that ends in .csv or .jsonl", file.display()))
    })?;
    Destination::new(file, args.overwrite).check()?;
    Ok(format)
}

fn wanted(function: &Signature) -> Result<Vec<Wanted>, Failure> {
    if function.parameters.is_empty() {
        let message =
            format!("`{}` has no parameters: there is one input, and nothing to put in order", function.name);
        return Err(Failure::usage(message));
    }
    Ok(function.parameters.iter().map(|p| Wanted { name: p.name.clone(), ty: p.ty }).collect())
}

/// Says of how many paths only the beginning is compared.
fn complain_of_cut_paths(args: &PrioritiseArgs, inputs: &[InputCoverage]) {
    let cut = inputs.iter().filter(|input| input.sequence.as_ref().is_some_and(|path| path.is_cut)).count();
    if cut > 0 {
        let (file, most) = (args.from.display(), CoverageMap::STEPS);
        complain(&format!(
            "warning: {file}: {cut} of the inputs run more than {most} blocks; only these are compared\n"
        ));
    }
}

/// For people: what the first inputs add.
fn told(by: Prioritisation, function: &Signature, ordered: &Ordered<'_>, coverage: &Coverage) -> String {
    let Ordered { records, eligible, order } = *ordered;
    let added = additions(order, &statements(&coverage.inputs));
    let covered: usize = added.iter().sum();
    // The last that adds anything.
    let needed = added.iter().rposition(|statements| *statements > 0).map_or(0, |last| last + 1);
    let first = if needed == 1 { "first runs".to_owned() } else { format!("first {needed} run") };
    let mut out = format!(
        "{} inputs of {} by {by}: the {first} all {covered} statements that any of them runs\n",
        order.len(),
        function.name,
    );
    for (place, (&input, added)) in order.iter().zip(&added).take(needed.min(MOST_TOLD)).enumerate() {
        let input = eligible[input] as usize;
        let values = function.parameters.iter().zip(records.values(input));
        let values: Vec<String> = values.map(|(p, value)| format!("{} = {value}", p.name)).collect();
        let line = records.line(input);
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "  {}. line {line} adds {added}: {}", place + 1, values.join(", "));
    }
    out
}
