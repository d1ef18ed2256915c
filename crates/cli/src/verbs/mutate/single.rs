//! Mutants one by one: listed, remembered as judged, or written as modules of their own.

use dodona_evidence::MutantId;
use dodona_mutation::MutateOptions;
use dodona_workbench::Workbench;

use super::mutate_args::{Emit, Format, MutateArgs};
use super::print_as;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::{styles, write};

/// Prints the mutants of each subject; none is run.
pub(super) fn list(args: &MutateArgs, options: &MutateOptions) -> Result<Exit, Failure> {
    let list = |path| {
        let workbench = open::without_relations(path)?;
        dodona_mutation::list(&workbench, options).map_err(open::lab_failure)
    };
    let records = args.subjects.paths.iter().map(|path| list(path)).collect::<Result<Vec<_>, _>>()?;
    match args.format.chosen {
        Format::Terminal => write(&dodona_report::terminal_mutants(&records, styles()).to_string())?,
        other => print_as(&records, other)?,
    }
    Ok(Exit::Success)
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
    for Emit { mutant, file } in &args.emit {
        let module = dodona_mutation::emit(&workbench, options, *mutant).map_err(open::lab_failure)?;
        dodona_sources::write_atomically(file, &module)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", file.display())))?;
        write(&format!("{mutant} is {} ({} bytes)\n", file.display(), module.len()))?;
    }
    Ok(Exit::Success)
}

/// A mutant's number speaks of one subject.
fn only_subject(args: &MutateArgs, option: &str) -> Result<Workbench, Failure> {
    match args.subjects.paths.as_slice() {
        [path] => open::without_relations(path),
        more => Err(super::several(option, more.len())),
    }
}
