//! `--resume`: the file in which a check keeps its requests and their answers until it has come to its end.

use std::path::{Path, PathBuf};

use dodona::Journal;
use dodona_records::{CheckRecord, StopReason};
use dodona_subject::{Manifest, ModuleSource, OutsideKind};
use dodona_target::digest;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::complain;
use crate::session;

/// The folder, in that of the session.
const FOLDER: &str = "calls";

/// Opens the file of a subject, and says how many calls it has.
///
/// # Errors
/// When the subject is no web service, or the file cannot be used.
pub(crate) fn open(manifest: &Manifest) -> Result<Journal, Failure> {
    let is_service = match &manifest.source {
        ModuleSource::Outside(outside) => matches!(outside.kind, OutsideKind::Http(_)),
        _ => false,
    };
    if !is_service {
        let why = "--resume is for web services; the code of other subjects may have been changed since";
        return Err(Failure::usage(why));
    }
    let path = path(manifest)?;
    let journal = Journal::open(&path, &manifest.signatures()).map_err(|error| {
        Failure::new(Exit::Subject, format!("{} cannot be used: {error}", path.display()))
    })?;
    session::ignore(Path::new(session::USUAL));
    if journal.calls() > 0 {
        complain(&format!("{} calls of a check that ended early are not made again\n", journal.calls()));
    }
    Ok(journal)
}

/// The file of a manifest as it is now: what another one says of calls and outputs is of another file.
fn path(manifest: &Manifest) -> Result<PathBuf, Failure> {
    let text = std::fs::read(&manifest.path)
        .map_err(|error| Failure::usage(format!("{} cannot be read: {error}", manifest.path.display())))?;
    let absolute = std::path::absolute(&manifest.path).unwrap_or_else(|_| manifest.path.clone());
    let [key, _] = digest(&(absolute, text, env!("CARGO_PKG_VERSION")));
    Ok(Path::new(session::USUAL).join(FOLDER).join(format!("{key:016x}.jsonl")))
}

/// Removes the file after a check that has come to its end: the next one asks anew.
pub(crate) fn close(journal: &Journal, record: &CheckRecord) {
    let is_cut_short = matches!(record.stop, StopReason::Interrupted { .. }) || record.failure.is_some();
    if is_cut_short {
        complain("the calls that were made are kept: the same command goes on from here\n");
    } else if let Err(error) = journal.remove()
        // Another check with the same calls was the first to end.
        && error.kind() != std::io::ErrorKind::NotFound
    {
        complain(&format!("warning: the calls of this check could not be forgotten: {error}\n"));
    }
}
