//! Writing what was found: the relations, and tests of them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dodona_sources::write_new;
use dodona_subject::Manifest;

use super::targets::Targets;
use super::tests;
use crate::args::WrittenArgs;
use crate::destination::Destination;
use crate::failure::Failure;

/// What is written.
pub(super) struct Files<'a> {
    pub(super) args: &'a WrittenArgs,
    pub(super) manifest: &'a Manifest,
    /// The relations.
    pub(super) text: &'a str,
    /// Where tests draw their inputs from.
    pub(super) seed: u64,
}

/// Files with their texts.
struct Texts {
    files: Vec<(PathBuf, String)>,
    /// What one language cannot say: it does not cost the others.
    refused: Result<(), Failure>,
}

impl Files<'_> {
    /// Writes the file of relations and the tests, and tells which.
    pub(super) fn write(&self, wanted: &Targets, told: &mut Vec<String>) -> Result<(), Failure> {
        let texts = match self.args.overwrite.is_given {
            true => self.write_over(wanted)?,
            false => self.write_free(wanted)?,
        };
        let is_other = texts.files.iter().all(|(path, _)| *path != wanted.relations);
        if is_other {
            let kept = wanted.relations.display();
            told.push(format!("{kept} exists and is kept (--overwrite replaces it)"));
        }
        told.extend(texts.files.iter().map(|(path, _)| format!("wrote {}", path.display())));
        texts.refused
    }

    fn write_over(&self, wanted: &Targets) -> Result<Texts, Failure> {
        let texts = self.texts(wanted);
        for (path, text) in &texts.files {
            Destination::new(path, self.args.overwrite).write(text.as_bytes())?;
        }
        Ok(texts)
    }

    /// Writes under the first name that nothing has. Another process may take a name between the look and the writing: then the
    /// next one is tried.
    fn write_free(&self, wanted: &Targets) -> Result<Texts, Failure> {
        for targets in wanted.free() {
            let texts = self.texts(&targets);
            let files: Vec<(&Path, &[u8])> =
                texts.files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
            match write_new(&files) {
                Ok(()) => return Ok(texts),
                Err((_, error)) if error.kind() == ErrorKind::AlreadyExists => {}
                Err((path, error)) => return Err(cannot(&path, &error)),
            }
        }
        Err(cannot(&wanted.relations, &ErrorKind::AlreadyExists.into()))
    }

    fn texts(&self, targets: &Targets) -> Texts {
        let mut texts =
            Texts { files: vec![(targets.relations.clone(), self.text.to_owned())], refused: Ok(()) };
        for (emit, (_, path)) in self.args.emit.iter().zip(&targets.tests) {
            match tests::write(emit, self.manifest, (self.text, self.seed), path) {
                Ok(text) => texts.files.push((path.clone(), text)),
                Err(failure) => texts.refused = Err(failure),
            }
        }
        texts
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot write {}: {error}", path.display()))
}
