//! Opens the subject that a path on the command line names, and turns what goes wrong into messages with exit codes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use dodona::{Journal, Memory, Native};
use dodona_subject::{Manifest, ManifestError, ModuleSource, Outside, OutsideKind, build::BuildError};
use dodona_target::{Target, user_file};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Workbench as AnyWorkbench};

use crate::args::{NativeArgs, RelationFiles};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::complain;
use crate::{calls, interrupt, memory, mistake};

/// Finds and reads a manifest; its warnings go to standard error, whatever the verb.
pub(crate) fn manifest(path: &Path) -> Result<Manifest, Failure> {
    memory::subject(&path.display().to_string());
    let manifest = Manifest::find(path).map_err(|error| match error {
        ManifestError::Invalid { path, text, problems } => Failure::problems(&path, &text, problems),
        other => Failure::usage(other),
    })?;
    let file = manifest.path.display();
    manifest.warnings.iter().for_each(|warning| complain(&format!("warning: {file}:{warning}\n")));
    Ok(manifest)
}

/// The bytes of a file that the user named.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    user_file::bytes(path).map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))
}

/// A module that the user named is bad: their input, so exit code 2.
pub(crate) fn input_failure(error: BuildError) -> Failure {
    Failure::usage(error)
}

/// A subject that could not be built.
pub(crate) fn build_failure(error: BuildError) -> Failure {
    Failure::new(Exit::Subject, error)
}

/// Opens a subject: manifest, module and relations, those of other files where some are named.
pub(crate) fn workbench(path: &Path, files: &RelationFiles) -> Result<Workbench, Failure> {
    opened_module(manifest(path)?, files)
}

/// Opens a module whose manifest was read.
pub(crate) fn opened_module(manifest: Manifest, files: &RelationFiles) -> Result<Workbench, Failure> {
    dodona_wasm::open_with(manifest, &files.relation_files).map_err(lab_failure)
}

/// Opens functions outside of WebAssembly, whose manifest was read, with all their relations.
pub(crate) fn outside(
    manifest: Manifest,
    files: &RelationFiles,
    calling: &Calling,
) -> Result<Subject, Failure> {
    opened(manifest, files, calling, |manifest| dodona_wasm::open_with(manifest, &files.relation_files))
}

/// [`workbench`] for calls that the relations with these names make, and no others; without names, all relations.
pub(crate) fn for_relations(
    path: &Path,
    files: &RelationFiles,
    names: &[String],
) -> Result<Workbench, Failure> {
    dodona_wasm::open_for_relations(manifest(path)?, &files.relation_files, names).map_err(lab_failure)
}

/// Source inputs of a relation about programs that are run for each call, or about web services, where nobody says how many: a run or a request takes a thousand times as long as the
/// call of a function.
const SOURCES_OF_PROGRAMS: u64 = 100;

/// How many source inputs a relation about a subject has where nobody says, if they are fewer than usual.
pub(crate) fn sources_of(manifest: &Manifest) -> Option<u64> {
    let ModuleSource::Outside(Outside { kind, .. }) = &manifest.source else { return None };
    matches!(kind, OutsideKind::Command(_) | OutsideKind::Http(_)).then_some(SOURCES_OF_PROGRAMS)
}

/// How functions outside of WebAssembly are called, besides what their manifest says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calling {
    /// Makes every call, also one that was made before.
    pub(crate) is_uncached: bool,
    /// Begins with the calls of work that ended early.
    pub(crate) resumes: bool,
    /// The most requests in a second, in place of that of the manifest.
    pub(crate) rate: Option<f64>,
}

impl Calling {
    /// The manifest with the rate in it, and the memory of calls.
    fn of(&self, mut manifest: Manifest) -> Result<(Manifest, Memory), Failure> {
        if let Some(rate) = self.rate {
            match &mut manifest.source {
                ModuleSource::Outside(Outside { kind: OutsideKind::Http(service), .. }) => {
                    service.rate = Some(rate)
                }
                _ => return Err(Failure::usage("--rate is of requests, and [target] is no web service")),
            }
        }
        if self.resumes {
            let journal = calls::open(&manifest)?;
            return Ok((manifest, Memory::InFile(Arc::new(journal))));
        }
        Ok((manifest, if self.is_uncached { Memory::None } else { Memory::Kept }))
    }
}

/// A subject of any kind, with its manifest.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) workbench: Arc<AnyWorkbench>,
    /// Where its calls are kept until the work has come to its end, if they are.
    pub(crate) journal: Option<Arc<Journal>>,
}

/// Opens a subject of any kind; `module` opens one that is a module.
fn opened(
    manifest: Manifest,
    files: &RelationFiles,
    calling: &Calling,
    module: impl FnOnce(Manifest) -> Result<Workbench, LabError>,
) -> Result<Subject, Failure> {
    let (manifest, memory) = calling.of(manifest)?;
    let journal = match &memory {
        Memory::InFile(journal) => Some(Arc::clone(journal)),
        _ => None,
    };
    let workbench = match dodona::is_outside(&manifest) {
        true => dodona::open_outside(&manifest, &files.relation_files, memory),
        false => module(manifest.clone()).map(|workbench| workbench.any()),
    };
    Ok(Subject { workbench: workbench.map_err(lab_failure)?, manifest: Arc::new(manifest), journal })
}

/// A subject of any kind for calls that the relations with these names make, and no others; without names, all relations.
pub(crate) fn any_for_relations(
    path: &Path,
    files: &RelationFiles,
    names: &[String],
    calling: &Calling,
) -> Result<Subject, Failure> {
    let module = |manifest| dodona_wasm::open_for_relations(manifest, &files.relation_files, names);
    opened(manifest(path)?, files, calling, module)
}

/// A subject of any kind with all its functions and relations.
pub(crate) fn any(path: &Path, files: &RelationFiles, calling: &Calling) -> Result<Subject, Failure> {
    outside(manifest(path)?, files, calling)
}

/// A subject of any kind for its functions alone.
pub(crate) fn any_without_relations(path: &Path) -> Result<Subject, Failure> {
    opened(functions_of(path)?, &RelationFiles::default(), &Calling::default(), dodona_wasm::open)
}

/// [`any_without_relations`] for calls of the functions with these names, and no others.
pub(crate) fn any_for_functions(path: &Path, names: &BTreeSet<&str>) -> Result<Subject, Failure> {
    let module = |manifest| dodona_wasm::open_for_functions(manifest, names);
    opened(functions_of(path)?, &RelationFiles::default(), &Calling::default(), module)
}

/// A manifest for its functions alone: its relation files are not read, so a mistake in one does not stand in the way.
pub(crate) fn functions_of(path: &Path) -> Result<Manifest, Failure> {
    Ok(Manifest { relations: Vec::new(), ..manifest(path)? })
}

/// [`for_relations`] for calls of functions that are built for this machine.
pub(crate) fn natively(
    manifest: Manifest,
    files: &RelationFiles,
    names: &[String],
    native: &NativeArgs,
) -> Result<Native, Failure> {
    let sanitizers = native.sanitizers();
    dodona::open_natively(manifest, &files.relation_files, names, &sanitizers).map_err(lab_failure)
}

/// Whatever kept a subject from being opened or checked.
pub(crate) fn lab_failure(error: LabError) -> Failure {
    match error {
        LabError::Relations { path, text, problems } => Failure::problems(&path, &text, problems),
        LabError::Accepted { path, text, problem } => Failure::problems(&path, &text, vec![*problem]),
        error if error.is_stopped() => stopped(),
        // The interruption ended the solver that was being started.
        LabError::Solver(_) if interrupt::listen().is_raised() => stopped(),
        error @ (LabError::Opening(_)
        | LabError::Call(_)
        | LabError::CutShort(_)
        | LabError::NotDeterministic { .. }
        | LabError::Thread(_)) => Failure::new(Exit::Subject, error),
        error if error.is_ours() => mistake::failure(&error),
        error => Failure::usage(error),
    }
}

/// The time was up, or somebody interrupted, before anything was found.
fn stopped() -> Failure {
    match interrupt::listen().is_raised() {
        true => Failure::new(Exit::Interrupted, "interrupted before there was anything to tell"),
        false => Failure::new(
            Exit::Budget,
            "the time was up before a call of the function had returned; give more with --time",
        ),
    }
}

/// Opens a module for its functions alone.
pub(crate) fn without_relations(path: &Path) -> Result<Workbench, Failure> {
    dodona_wasm::open(functions_of(path)?).map_err(lab_failure)
}

/// [`without_relations`] for calls of the function that is named, and no others; without a name, of all functions.
pub(crate) fn for_function(path: &Path, name: Option<&str>) -> Result<Workbench, Failure> {
    match name {
        Some(name) => {
            dodona_wasm::open_for_functions(functions_of(path)?, &[name].into()).map_err(lab_failure)
        }
        None => without_relations(path),
    }
}

/// The function under test that is named, or the only one, by index.
pub(crate) fn function<T: Target + ?Sized>(
    workbench: &dodona_workbench::Workbench<T>,
    name: Option<&str>,
) -> Result<usize, Failure> {
    let index = match name {
        Some(name) => workbench.function(name),
        None => workbench.only_function(),
    };
    index.map_err(lab_failure)
}
