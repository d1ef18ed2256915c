//! Mutants one by one: listed, remembered as judged, or written as modules of their own.

use std::path::PathBuf;

use dodona_mutation::MutateOptions;
use dodona_records::MutantId;
use dodona_report::{Format, terminal_mutants};
use dodona_wasm::Workbench;

use super::mutate_args::{Emit, MutateArgs};
use crate::destination::Destination;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::{report, screen, styles, write};
use crate::several::Failed;

/// Prints the mutants of each subject; none is run.
pub(super) fn list(args: &MutateArgs, options: &MutateOptions) -> Result<Exit, Failure> {
    let shown = |path: &PathBuf| path.display().to_string();
    let (records, failed) = Failed::run("subjects", &args.subjects.paths, shown, |path| {
        let workbench = open::without_relations(path)?;
        dodona_mutation::list(&workbench, options).map_err(open::lab_failure)
    });
    if records.is_empty() {
        return Ok(failed.or(Exit::Success));
    }
    match args.format.chosen {
        Format::Terminal => screen(&terminal_mutants(&records, styles()).to_string())?,
        other => report(&records[..], other)?,
    }
    Ok(failed.or(Exit::Success))
}

/// Remembers what a person said of a mutant and tells where.
pub(super) fn accept(
    args: &MutateArgs,
    options: &MutateOptions,
    mutant: &str,
    reason: &str,
) -> Result<Exit, Failure> {
    let id: MutantId = mutant.parse().map_err(Failure::usage)?;
    let workbench = only_subject(args, "--accept")?;
    let file = dodona_mutation::accept(&workbench, options, id, reason).map_err(open::lab_failure)?;
    write(&format!("{id} is accepted in {}\n", file.display()))?;
    Ok(Exit::Success)
}

/// Writes mutants as modules; tells each file.
pub(super) fn emit(args: &MutateArgs, options: &MutateOptions) -> Result<Exit, Failure> {
    let workbench = only_subject(args, "--emit")?;
    let shown = |emit: &Emit| emit.mutant.to_string();
    let (_, failed) = Failed::run("mutants", &args.emit, shown, |Emit { mutant, file }| {
        let destination = Destination::new(file, args.overwrite);
        destination.check()?;
        let module = dodona_mutation::emit(&workbench, options, *mutant).map_err(open::lab_failure)?;
        destination.write(&module)?;
        write(&format!("{mutant} is {} ({} bytes)\n", file.display(), module.len()))
    });
    Ok(failed.or(Exit::Success))
}

/// A mutant's number speaks of one subject.
fn only_subject(args: &MutateArgs, option: &str) -> Result<Workbench, Failure> {
    match args.subjects.paths.as_slice() {
        [path] => open::without_relations(path),
        more => Err(super::several(option, more.len())),
    }
}
