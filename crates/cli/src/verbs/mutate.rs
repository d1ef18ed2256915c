//! `dodona mutate SUBJECT…`

pub(crate) mod mutate_args;
mod single;

use std::ffi::OsStr;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use dodona_evidence::{CheckRecord, KillMatrix, Mode, MutationRecord};
use dodona_mutation::{KeepMatrix, MutateOptions, MutateOutcome, MutateStage, MutationBounds, prove_mutants};
use dodona_workbench::{Interruption, Workbench};

use crate::args::drawn;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{check_writable, styles, write};
use crate::progress::Progress;
use crate::{baseline, ending, interrupt, mistake, open};
use mutate_args::Format;
pub(crate) use mutate_args::MutateArgs;

/// Does what is asked for: an analysis, or something with single mutants instead.
pub(crate) fn run(args: &MutateArgs) -> Result<Exit, Failure> {
    let options = options(args)?;
    match args {
        MutateArgs { list: true, .. } => single::list(args, &options),
        MutateArgs { emit, .. } if !emit.is_empty() => single::emit(args, &options),
        MutateArgs { accept: Some(words), .. } => match words.as_slice() {
            [mutant, reason] => single::accept(args, &options, mutant, reason),
            _ => Err(Failure::usage("--accept takes a mutant and a reason")),
        },
        _ => analyse_all(args, &options),
    }
}

/// Analyses each subject and prints one report of all.
fn analyse_all(args: &MutateArgs, options: &MutateOptions) -> Result<Exit, Failure> {
    check_matrix(args)?;
    let interrupted = interrupt::listen_until(args.search.time);
    let mut records = Vec::new();
    let mut matrix = None;
    for path in &args.subjects.paths {
        let workbench = Arc::new(open::workbench(path, &args.relations.files)?);
        match analyse(&workbench, options, interrupted)? {
            MutateOutcome::BaselineViolated(check) => {
                let exit = if interrupted.is_raised() { interrupt::exit() } else { Exit::Violated };
                return baseline_violated(args, &records, *check, exit);
            }
            MutateOutcome::Analysed(mut mutation) => {
                if args.verify && !interrupted.is_raised() {
                    verify(&workbench, options, &mut mutation.record, interrupted)?;
                }
                if args.prove {
                    prove(&workbench, options, args, &mut mutation.record, interrupted)?;
                }
                if interrupt::is_out_of_time() {
                    mutation.record.warnings.push("the time was up; --time gives more".to_owned());
                }
                matrix = mutation.matrix;
                records.push(mutation.record);
            }
        }
        if interrupted.is_raised() {
            break;
        }
    }
    let left_over = interrupt::left_over(args.subjects.paths.get(records.len()..).unwrap_or_default());
    if let Some(last) = records.last_mut() {
        last.warnings.extend(left_over);
    }
    // The report first: that the matrix cannot be written must not cost it.
    print_as(&records, args.format.chosen)?;
    if let (Some(file), Some(matrix)) = (&args.matrix, &matrix) {
        write_matrix(file, matrix)?;
    }
    let contradictions: Vec<String> = records.iter().flat_map(|r| r.contradictions.clone()).collect();
    if !contradictions.is_empty() {
        return Ok(mistake::or(&contradictions, Exit::Mistake));
    }
    if interrupted.is_raised() {
        return Ok(interrupt::exit());
    }
    threshold(&records, args.fail_under)
}

/// Runs every mutant against every relation, and notes where that says something else.
fn verify(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    record: &mut MutationRecord,
    interrupted: &Interruption,
) -> Result<(), Failure> {
    let everything = MutateOptions { mode: Mode::EachRelation, ..options.clone() };
    if let MutateOutcome::Analysed(full) = analyse(workbench, &everything, interrupted)? {
        record.contradictions.extend(record.judged_otherwise(&full.record));
    }
    Ok(())
}

/// Asks of the mutants that are left whether they are equivalent.
fn prove(
    workbench: &Workbench,
    options: &MutateOptions,
    args: &MutateArgs,
    record: &mut MutationRecord,
    interrupted: &Interruption,
) -> Result<(), Failure> {
    let mut bar = Progress::new("proofs");
    let name = &workbench.manifest.name;
    let proved =
        prove_mutants(workbench, options, &args.search.proof(), record, interrupted, &mut |done, planned| {
            bar.update(name, done, planned);
        });
    bar.finish();
    proved.map_err(open::lab_failure)
}

fn options(args: &MutateArgs) -> Result<MutateOptions, Failure> {
    Ok(MutateOptions {
        functions: args.functions.clone(),
        callees: args.callees.callees.clone(),
        operators: args.operators.set()?,
        relations: args.relations.names.clone(),
        against: args.against.into(),
        inputs: drawn(args.inputs, &args.from),
        files: args.from.clone(),
        made: Vec::new(),
        seed: args.seed.seed(),
        jobs: args.jobs.threads(),
        mode: match &args.matrix {
            Some(_) => Mode::Matrix,
            None if args.hierarchy => Mode::Classes,
            None if args.stop_at_kill => Mode::StopAtKill,
            None => Mode::EachRelation,
        },
        pruning: args.pruning.into(),
        bounds: MutationBounds { instructions: args.max_instructions, ..MutationBounds::default() },
        keep_matrix: if args.matrix.is_some() { KeepMatrix::Yes } else { KeepMatrix::No },
    })
}

fn several(option: &str, subjects: usize) -> Failure {
    Failure::usage(format!("{option} is of one subject, and {subjects} are named"))
}

/// What can be wrong with the file of the matrix is said before the long run, not after it.
fn check_matrix(args: &MutateArgs) -> Result<(), Failure> {
    let Some(file) = &args.matrix else { return Ok(()) };
    if args.subjects.paths.len() > 1 {
        return Err(several("--matrix", args.subjects.paths.len()));
    }
    check_writable(file)
}

fn analyse(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    interrupted: &Interruption,
) -> Result<MutateOutcome, Failure> {
    let mut bar = Progress::new("mutants");
    let name = &workbench.manifest.name;
    let outcome = dodona_mutation::mutate(workbench, options, interrupted, &mut |p| {
        if p.stage == MutateStage::Recording {
            // The record is what is answered, however soon somebody wants it.
            ending::answer();
        }
        bar.update(&format!("{name}, {} alive", p.alive), p.done, p.planned);
    });
    bar.finish();
    if !interrupted.is_raised() {
        ending::work_on();
    }
    outcome.map_err(open::lab_failure)
}

fn print_as(records: &[MutationRecord], format: Format) -> Result<(), Failure> {
    let text = match format {
        Format::Terminal => dodona_report::terminal_mutation(records, styles()).to_string(),
        Format::Json => dodona_report::json_mutation(records),
        Format::Csv => dodona_report::csv_mutation(records),
        Format::Sarif => dodona_report::sarif(records),
    };
    write(&text)
}

/// What was analysed before is printed in its format; the violated relations where people look.
fn baseline_violated(
    args: &MutateArgs,
    records: &[MutationRecord],
    check: CheckRecord,
    exit: Exit,
) -> Result<Exit, Failure> {
    if !records.is_empty() {
        print_as(records, args.format.chosen)?;
    }
    let needs = "anything is mutated; mutation analysis";
    Err(baseline::violated(check, needs, exit, args.format.chosen == Format::Terminal)?)
}

/// Every subject must reach the score. One without a score does not: nothing was tested.
fn threshold(records: &[MutationRecord], least: Option<f64>) -> Result<Exit, Failure> {
    let Some(least) = least else { return Ok(Exit::Success) };
    let below = records.iter().filter_map(|record| {
        let score = record.score().filter(|score| *score < least)?;
        Some(format!("{} has {score:.4}", record.subject))
    });
    let without = records.iter().filter_map(|r| Some(format!("{}: {}", r.subject, r.no_score()?)));
    let (below, without): (Vec<String>, Vec<String>) = (below.collect(), without.collect());
    let mut words = Vec::new();
    if !below.is_empty() {
        words.push(format!("the mutation score is below {least}: {}", below.join(", ")));
    }
    if !without.is_empty() {
        words.push(format!("there is no mutation score to compare with {least}: {}", without.join(", ")));
    }
    match (below.is_empty(), without.is_empty()) {
        (true, true) => Ok(Exit::Success),
        (true, false) => Err(Failure::usage(words.join("; "))),
        (false, _) => Err(Failure::new(Exit::Violated, words.join("; "))),
    }
}

/// Comma-separated values where the file's name says so, else the compact form; whole or not at all.
fn write_matrix(file: &Path, matrix: &KillMatrix) -> Result<(), Failure> {
    let is_table = file.extension().is_some_and(|e: &OsStr| e.eq_ignore_ascii_case("csv"));
    let written = dodona_sources::write_atomically_with(file, |out| {
        let mut out = BufWriter::new(out);
        match is_table {
            true => matrix.write_csv(&mut out)?,
            false => matrix.write(&mut out)?,
        }
        out.flush()
    });
    written.map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))
}
