//! `dodona mutate SUBJECT…`

pub(crate) mod mutate_args;
mod outside;
pub(crate) mod shard;
mod single;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_mutation::{
    KeepMatrix, MutateOptions, MutateOutcome, MutateProgress, MutateStage, MutationBounds, prove_mutants,
};
use dodona_records::{CheckRecord, KillMatrix, Mode, MutationRecord};
use dodona_report::{Format, brief_mutation};
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use crate::args::drawn;
use crate::destination::Destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, report, styles, write};
use crate::progress::Progress;
use crate::several::Failed;
use crate::shards::ShardArgs;
use crate::source_text::source_text;
use crate::{baseline, ending, interrupt, mistake, open};
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
        MutateArgs { shard: ShardArgs { number: Some(shard), .. }, .. } => shard::run(args, *shard),
        _ => analyse_all(args, &options, &|_, workbench, options, interrupted| {
            analyse(workbench, options, interrupted)
        }),
    }
}

/// Analyses the subject at a path.
type Analyse<'a> =
    dyn Fn(&Path, &Arc<Workbench>, &MutateOptions, &Interruption) -> Result<MutateOutcome, Failure> + 'a;

/// Analyses each subject in this way and prints one report of all.
fn analyse_all(args: &MutateArgs, options: &MutateOptions, analyse: &Analyse<'_>) -> Result<Exit, Failure> {
    check_files(args)?;
    let elements_file = elements_file(args);
    let interrupted = interrupt::listen_until(args.search.time);
    let shown = |path: &PathBuf| path.display().to_string();
    let (analysed, failed) = Failed::run("subjects", &args.subjects.paths, shown, |path| {
        analyse_one(path, args, options, analyse, interrupted)
    });
    let (mut records, matrices): (Vec<MutationRecord>, Vec<Option<KillMatrix>>) =
        analysed.into_iter().unzip();
    let left_over = interrupt::left_over(failed.left(&args.subjects.paths));
    if let Some(last) = records.last_mut() {
        last.warnings.extend(left_over);
    }
    let analysed = records.len();
    if args.format.chosen != Format::Terminal {
        let seed = options.seed.0;
        let failures = failed.reported();
        records.extend(failures.map(|(path, why)| MutationRecord::failed(path.clone(), seed, why.words())));
    }
    // The report first: that the matrix cannot be written must not cost it.
    if !records.is_empty() {
        match args.format.chosen {
            Format::Terminal if !args.all => write(&brief_mutation(&records, styles()))?,
            other => report(&records[..], other)?,
        }
    }
    if let (Some(file), Some(Some(matrix))) = (&args.matrix, matrices.last()) {
        write_matrix(matrix_file(file, args), file, matrix)?;
    }
    let records = &records[..analysed];
    if let Some(file) = elements_file {
        let source = |record: &MutationRecord, file: &str| source_text(&record.manifest, file);
        file.write(dodona_report::elements(records, &source).as_bytes())?;
    }
    let contradictions: Vec<String> = records.iter().flat_map(|r| r.contradictions.clone()).collect();
    let exit = if interrupted.is_raised() { interrupt::exit() } else { threshold(records, args.fail_under) };
    Ok(mistake::or(&contradictions, failed.or(exit)))
}

/// Analyses one subject; its record, and the matrix if it is asked for.
fn analyse_one(
    path: &Path,
    args: &MutateArgs,
    options: &MutateOptions,
    in_this_way: &Analyse<'_>,
    interrupted: &Interruption,
) -> Result<(MutationRecord, Option<KillMatrix>), Failure> {
    let manifest = open::manifest(path)?;
    if dodona::is_outside(&manifest) {
        return outside::analyse(manifest, args, options, interrupted).map(|record| (record, None));
    }
    let workbench = Arc::new(open::opened_module(manifest, &args.relations.files)?);
    let options = &MutateOptions { versions: args.versions.open(&workbench)?, ..options.clone() };
    let mut mutation = match in_this_way(path, &workbench, options, interrupted)? {
        MutateOutcome::BaselineViolated(check) => return Err(violated(*check, args, interrupted)?),
        MutateOutcome::Analysed(mutation) => mutation,
    };
    if args.verify && !interrupted.is_raised() {
        verify(&workbench, options, &mut mutation.record, interrupted)?;
    }
    if args.prove {
        prove(&workbench, options, args, &mut mutation.record, interrupted)?;
    }
    if interrupt::is_out_of_time() {
        mutation.record.warnings.push("the time was up; --time gives more".to_owned());
    }
    Ok((mutation.record, mutation.matrix))
}

/// A relation is violated on the original, so that it cannot tell mutants apart.
fn violated(check: CheckRecord, args: &MutateArgs, interrupted: &Interruption) -> Result<Failure, Failure> {
    let exit = if interrupted.is_raised() { interrupt::exit() } else { Exit::Violated };
    let needs = "anything is mutated; mutation analysis";
    baseline::violated(check, needs, exit, args.format.chosen == Format::Terminal)
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
    let name = &workbench.target.manifest.name;
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
        versions: Vec::new(),
        keep_matrix: if args.matrix.is_some() { KeepMatrix::Yes } else { KeepMatrix::No },
    })
}

fn several(option: &str, subjects: usize) -> Failure {
    Failure::usage(format!("{option} is of one subject, and {subjects} are named"))
}

/// The file of the mutants for dashboards and editors.
fn elements_file(args: &MutateArgs) -> Option<Destination<'_>> {
    args.elements.as_ref().map(|file| Destination::new(file, args.overwrite))
}

/// What can be wrong with what is read and written beside the subjects is said before the long run, not after it.
fn check_files(args: &MutateArgs) -> Result<(), Failure> {
    check_matrix(args)?;
    elements_file(args).as_ref().map_or(Ok(()), Destination::check)?;
    match args.versions.are_named() && args.subjects.paths.len() > 1 {
        true => Err(several("--versions", args.subjects.paths.len())),
        false => Ok(()),
    }
}

/// The same of the file of the matrix.
fn check_matrix(args: &MutateArgs) -> Result<(), Failure> {
    let Some(file) = &args.matrix else { return Ok(()) };
    if args.subjects.paths.len() > 1 {
        return Err(several("--matrix", args.subjects.paths.len()));
    }
    matrix_file(file, args).check()
}

/// The file of the matrix, which is known again by its first bytes.
fn matrix_file<'a>(file: &'a Path, args: &MutateArgs) -> Destination<'a> {
    Destination::new(file, args.overwrite).known_by(KillMatrix::is_file)
}

fn analyse(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    interrupted: &Interruption,
) -> Result<MutateOutcome, Failure> {
    shown(workbench, |progress| dodona_mutation::mutate(workbench, options, interrupted, progress))
}

/// Shows the progress of an analysis.
fn shown<T>(
    workbench: &Workbench,
    analyse: impl FnOnce(&mut dyn FnMut(MutateProgress)) -> Result<T, LabError>,
) -> Result<T, Failure> {
    let mut bar = Progress::new("mutants");
    let name = &workbench.target.manifest.name;
    let outcome = analyse(&mut |p| {
        if p.stage == MutateStage::Recording {
            // The record is what is answered, however soon somebody wants it.
            ending::answer();
        }
        bar.update(&format!("{name}, {} alive", p.alive), p.done, p.planned);
    });
    bar.finish();
    if !interrupt::is_raised() {
        ending::work_on();
    }
    outcome.map_err(open::lab_failure)
}

/// Every subject must reach the score. One without a score does not: nothing was tested.
fn threshold(records: &[MutationRecord], least: Option<f64>) -> Exit {
    let Some(least) = least else { return Exit::Success };
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
    if words.is_empty() {
        return Exit::Success;
    }
    complain(&format!("error: {}\n", words.join("; ")));
    if below.is_empty() { Exit::Usage } else { Exit::Violated }
}

/// Comma-separated values where the file's name says so, else the compact form; whole or not at all.
fn write_matrix(destination: Destination<'_>, file: &Path, matrix: &KillMatrix) -> Result<(), Failure> {
    let is_table = file.extension().is_some_and(|e: &OsStr| e.eq_ignore_ascii_case("csv"));
    destination.write_with(|mut out| match is_table {
        true => matrix.write_csv(&mut out),
        false => matrix.write(&mut out),
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::help::Cli;
    use crate::verbs::Verb;

    #[test]
    fn what_nobody_says_is_what_the_library_does() {
        let cli = Cli::try_parse_from(["dodona", "mutate", "subjects/gcd"]).expect("it is whole");
        let Verb::Mutate(args) = cli.verb else { panic!("another verb") };
        let said = options(&args).expect("valid options");
        let usual = MutateOptions { jobs: said.jobs, ..MutateOptions::default() };
        assert_eq!(format!("{said:?}"), format!("{usual:?}"));
    }
}
