//! Opens what a manifest declares: its module is built and compiled, its relations are read.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::execute::{Called, Executable, LoadError, Options};
use dodona_subject::build::{self, Rebuild};
use dodona_subject::{Manifest, Module, ModuleSource};
use dodona_target::{Parameter, Sampling, Type};
use dodona_workbench::{LabError, LoadedRelation, Relations, called, check_preconditions};

use crate::{WasmTarget, Workbench};

/// Reads the relations, builds the module if it is out of date, and compiles it.
///
/// # Errors
/// Everything that is wrong with the module, the manifest's declarations, or the relation files.
pub fn open(manifest: Manifest) -> Result<Workbench, LabError> {
    open_with(manifest, &[])
}

/// [`open`] with the relations of these files in place of those that the manifest names, if there are any.
///
/// # Errors
/// As [`open`].
pub fn open_with(manifest: Manifest, files: &[PathBuf]) -> Result<Workbench, LabError> {
    open_calling(manifest, files, |_| Called::All)
}

/// [`open_with`] for calls of those functions alone that the relations with these names call; without names, all relations. Of a
/// module with thousands of functions under test only these are compiled; a call of another one panics.
///
/// # Errors
/// As [`open`]. A name that no relation has is none: [`Workbench::select`](dodona_workbench::Workbench::select) tells it.
pub fn open_for_relations(
    manifest: Manifest,
    files: &[PathBuf],
    names: &[String],
) -> Result<Workbench, LabError> {
    let is_chosen = |loaded: &&LoadedRelation| {
        names.is_empty() || names.iter().any(|name| name == loaded.relation.name())
    };
    let functions = |relations: &[LoadedRelation]| {
        relations.iter().filter(is_chosen).flat_map(|loaded| called(&loaded.relation)).collect()
    };
    open_calling(manifest, files, |relations| Called::Only(functions(relations)))
}

/// [`open`] for calls of the functions with these names alone. Only these are compiled; a call of
/// another one panics.
///
/// # Errors
/// As [`open`]. A name that no function has is none: [`Workbench::function`](dodona_workbench::Workbench::function) tells it.
pub fn open_for_functions(manifest: Manifest, names: &BTreeSet<&str>) -> Result<Workbench, LabError> {
    let functions = manifest.functions.iter().enumerate();
    let named = functions.filter(|(_, function)| names.contains(function.name.as_str()));
    let called = Called::Only(named.map(|(index, _)| index).collect());
    open_calling(manifest, &[], |_| called)
}

fn open_calling(
    mut manifest: Manifest,
    files: &[PathBuf],
    called: impl FnOnce(&[LoadedRelation]) -> Called,
) -> Result<Workbench, LabError> {
    if !files.is_empty() {
        manifest.relations.clear();
    }
    for file in files {
        if !manifest.relations.contains(file) {
            manifest.relations.push(file.clone());
        }
    }
    let signatures = dodona_subject::signatures(&manifest.functions);
    check_preconditions(&signatures, &manifest.path)?;
    let mut relations = Relations::read(&manifest.relations, &signatures);
    // A build may take a minute, and a mistake in a relation is told at once. A module that is there says why a relation cannot be
    // understood, if it has another name for the function.
    if !matches!(manifest.source, ModuleSource::File(_)) {
        relations = Ok(relations?);
    }
    let (path, module) = build::open(&manifest, Rebuild::WhenStale).map_err(LabError::opening)?;
    let called = relations.as_ref().map_or(Called::All, |relations| called(&relations.all));
    let options = Options { called, ..Options::of(&manifest) };
    // What is wrong with the module is told before what is wrong with relations.
    let executable = load(&module, &manifest, &options, path)?;
    let relations = Relations { given: !files.is_empty(), ..relations? };
    Ok(Workbench::new(WasmTarget::new(manifest, module, executable), relations))
}

/// A module does not fit its manifest, or cannot run.
#[derive(Debug, thiserror::Error)]
#[error("{module}: {error}", module = .module.display())]
struct Unfit {
    module: PathBuf,
    error: LoadError,
}

/// Compiles a module for a manifest's functions. The path is for messages.
fn load(
    module: &Module,
    manifest: &Manifest,
    options: &Options,
    path: PathBuf,
) -> Result<Executable, LabError> {
    Executable::load(module, &manifest.functions, options)
        .map_err(|error| LabError::opening(Unfit { module: path, error }))
}

/// The same subject without relations, whose sequences and texts are drawn in any length that their domains allow, up to this one, and whose calls may
/// take this many times the fuel. `None` if that is how they are drawn already.
///
/// # Errors
/// When the module cannot be compiled anew.
pub fn with_data_up_to(
    workbench: &Workbench,
    longest: u64,
    fuel_times: u64,
) -> Result<Option<Workbench>, LabError> {
    let target = &workbench.target;
    let mut manifest = Manifest::clone(&target.manifest);
    let mut parameters = workbench.functions().iter().flat_map(|f| &f.parameters);
    if parameters.all(|parameter| lengths(parameter, longest).is_none()) {
        return Ok(None);
    }
    manifest.limits.fuel.0 = manifest.limits.fuel.0.saturating_mul(fuel_times).min(i64::MAX as u64);
    for parameter in manifest.functions.iter_mut().flat_map(|f| &mut f.signature.parameters) {
        if let Some(allowed) = lengths(parameter, longest) {
            parameter.sampling.length = Some(allowed);
        }
    }
    let executable = load(&target.module, &manifest, &Options::of(&manifest), manifest.path.clone())?;
    let relations = Relations { given: true, ..Relations::default() };
    Ok(Some(Workbench::new(target.with_manifest(manifest, executable), relations)))
}

/// The same subject without relations, whose inputs are drawn in another way: `change` changes the sampling of a parameter, and tells whether it did. `None` if
/// it changed none.
pub fn drawn_otherwise(
    workbench: &Workbench,
    change: &dyn Fn(&Parameter) -> Option<Sampling>,
) -> Option<Workbench> {
    let target = &workbench.target;
    let mut manifest = Manifest::clone(&target.manifest);
    let mut is_changed = false;
    for parameter in manifest.functions.iter_mut().flat_map(|f| &mut f.signature.parameters) {
        if let Some(sampling) = change(parameter) {
            parameter.sampling = sampling;
            is_changed = true;
        }
    }
    let relations = Relations { given: true, ..Relations::default() };
    // How inputs are drawn is nothing that was compiled.
    let executable = target.executable.clone();
    is_changed.then(|| Workbench::new(target.with_manifest(manifest, executable), relations))
}

/// The lengths of a sequence or text that its domain allows, up to this one; `None` if they are what is drawn.
fn lengths(parameter: &Parameter, longest: u64) -> Option<(u64, u64)> {
    if !matches!(parameter.ty, Type::Sequence(_) | Type::Text) {
        return None;
    }
    let (least, most) = parameter.domain.length.unwrap_or((0, longest));
    let allowed = (least, most.min(longest).max(least));
    (parameter.sampling.length != Some(allowed)).then_some(allowed)
}
