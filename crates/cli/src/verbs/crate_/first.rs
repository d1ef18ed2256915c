//! The first run in a crate: its functions are found, relations of them are looked for, and both are written.

use super::files::heading;
use super::screen::{Reader, listing};
use super::surveyed::{Answer, Files, surveyed};
use super::{Job, files};
use crate::crate_functions::{Heading, MadeFolder, built, choose, interface, manifest_text, source};
use crate::exit::Exit;
use crate::failure::Failure;

const COMMENT: &str = "The functions that `cargo dodona` calls. Edit: domains, names of parameters, further functions. A function that is not meant stays out\n\
    where # stands before its lines; one that is deleted is told as new by the next run.";

/// Surveys the crate.
///
/// # Errors
/// When no function can be called, the crate does not compile, or files cannot be written.
pub(super) fn run(job: &Job<'_>) -> Result<Exit, Failure> {
    let Job { args, package, home } = job;
    let head = package.head(&args.package, &home.folder);
    let _folder = MadeFolder::at(&home.folder)?;
    home.check_writable()?;
    let source = source(&head, &home.folder)?;
    let mut interface = interface(&source)?;
    choose(&mut interface, &args.functions)?;
    if interface.functions.is_empty() {
        return Err(Failure::usage(format!(
            "no function of {} can be called, so that there is nothing to find relations of\n{}",
            package.name,
            listing(package, &interface).trim_end()
        )));
    }
    let workbench =
        built(&home.manifest, &mut interface, &|interface| manifest_text(&head, interface, None))?;
    let heading_of = Heading { comment: COMMENT, name: &package.name };
    let manifest = manifest_text(&head, &interface, Some(&heading_of));
    let declined = files::declined(&home.relations_text()?);
    let answer = Answer {
        home: home.clone(),
        reader: Reader::new(job, &interface, workbench.functions()),
        files: Files::New { manifest, heading: heading(&package.name) },
    };
    surveyed(job, workbench, declined, &answer)
}
