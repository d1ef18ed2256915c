//! What work on a subject depends on. It is looked at before anything is compiled, so that a run of what has not changed ends at once.

use std::path::PathBuf;

use dodona_frames::Framed;
use dodona_mutation::AcceptedMutants;
use dodona_run::files_of;
use dodona_session::{Key, KeyBuilder};
use dodona_sources::regressions;
use dodona_subject::build::{self, BuildError, Rebuild};
use dodona_subject::{Manifest, ModuleSource};

use super::version;
use crate::failure::Failure;
use crate::open;

/// The key of the work of a verb on a subject, apart from its options: this build, the files that the options name, and the subject.
///
/// # Errors
/// As [`subject_key`].
pub(crate) fn verb_key<'f>(
    verb: &str,
    mut files: impl Iterator<Item = &'f PathBuf>,
    manifest: &Manifest,
) -> Result<Key, Failure> {
    let with = |key: KeyBuilder, file: &PathBuf| Ok(key.with(open::bytes(file)?));
    subject_key(files.try_fold(KeyBuilder::new(verb).with(version()), with)?, manifest)
}

/// The key of work on a subject: what was asked for, its manifest, its relations, and the module that it is built to.
///
/// # Errors
/// When it cannot be built, or a file cannot be read.
pub(crate) fn subject_key(mut key: KeyBuilder, manifest: &Manifest) -> Result<Key, Failure> {
    let read = open::bytes;
    key = key.with(manifest.path.display().to_string()).with(read(&manifest.path)?);
    // Mutants that a person accepted as they are.
    key = key.with(read(&AcceptedMutants::path(&manifest.path)).unwrap_or_default());
    for file in &manifest.relations {
        // What is wrong with a file is told where it is read as relations, with the line.
        key = key.with(file.display().to_string()).with(read(file).unwrap_or_default());
    }
    key = key.with(files_of(&manifest.folder().join(regressions::FOLDER)).bytes());
    // Categories and choices, where there are some.
    key = key.with(read(&Framed::file_beside(manifest.folder())).unwrap_or_default());
    if let ModuleSource::C(source) = &manifest.source {
        // A comment that changes leaves the module as it is, and is part of the lines that are shown.
        for file in &source.files {
            key = key.with(read(&manifest.folder().join(file)).unwrap_or_default());
        }
    }
    if let ModuleSource::Outside(_) = &manifest.source {
        // As much of what it depends on as is at hand, for whoever watches it.
        return Ok(key.with(files_of(manifest.folder()).bytes()).key());
    }
    let failure = |error: BuildError| match manifest.source {
        ModuleSource::File(_) => open::input_failure(error),
        _ => open::build_failure(error),
    };
    let module = build::build(manifest, Rebuild::WhenStale).map_err(failure)?;
    Ok(key.with(read(&module)?).key())
}
