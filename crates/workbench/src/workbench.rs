//! A subject opened for work: its module is built and compiled, and its relations are checked and compiled.

mod load;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dodona_execute::{Called, Diagnosis, Executable, Options, TrapPlaces};
use dodona_relations::{Precondition, Program, Relation};
use dodona_subject::build::{self, Rebuild};
use dodona_subject::{Column, DebugInfo, Manifest, Module, ModuleSource, Parameter, Type, nearest};

use crate::{LabError, SubjectCaller};

/// A relation, and the place where it is written.
pub struct LoadedRelation {
    /// The checked relation.
    pub relation: Relation,
    /// Compiled for columns.
    pub program: Program,
    /// The file with the relation.
    pub file: PathBuf,
    /// The line in that file, from 1.
    pub line: usize,
}

/// A subject opened for work.
pub struct Workbench {
    /// The manifest.
    pub manifest: Manifest,
    /// The module.
    pub module: Module,
    /// The module, compiled.
    pub executable: Executable,
    /// The relations in the order of the files.
    pub relations: Vec<LoadedRelation>,
    /// Whether the relations are those of files that the user named in place of the manifest's.
    pub relations_given: bool,
    /// The debug information, which is read when the first place in the source is asked for.
    debug: Arc<OnceLock<Option<DebugInfo>>>,
    /// For each function of which a call was explained, the module compiled for that.
    explaining: Mutex<BTreeMap<usize, Executable>>,
}

/// The manifest with these files of relations in place of its own, if there are any.
fn with_files(mut manifest: Manifest, files: &[PathBuf]) -> Manifest {
    if !files.is_empty() {
        manifest.relations.clear();
    }
    for file in files {
        if !manifest.relations.contains(file) {
            manifest.relations.push(file.clone());
        }
    }
    manifest
}

/// Compiles a module with the limits of a manifest. The path is for messages.
fn load_module(module: &Module, manifest: &Manifest, path: PathBuf) -> Result<Executable, LabError> {
    Executable::load(module, &manifest.functions, &Options::of(manifest))
        .map_err(|error| LabError::Load { module: path, error })
}

impl Workbench {
    /// Reads the relations, builds the module if it is out of date, and compiles it.
    ///
    /// # Errors
    /// Everything that is wrong with the module, the manifest's declarations, or the relation files.
    pub fn open(manifest: Manifest) -> Result<Workbench, LabError> {
        Workbench::open_calling(manifest, |_| Called::All)
    }

    /// [`Workbench::open_with`] for calls of those functions alone that its relations call. Of a module with thousands of functions under
    /// test only these are compiled; a call of another one panics.
    ///
    /// # Errors
    /// As [`Workbench::open`].
    pub fn open_for_relations(manifest: Manifest, files: &[PathBuf]) -> Result<Workbench, LabError> {
        let called = |relations: &[LoadedRelation]| {
            let calls = relations.iter().flat_map(|loaded| loaded.relation.calls());
            calls.map(|call| call.function).collect()
        };
        let manifest = with_files(manifest, files);
        let workbench = Workbench::open_calling(manifest, |relations| Called::Only(called(relations)))?;
        Ok(Workbench { relations_given: !files.is_empty(), ..workbench })
    }

    fn open_calling(
        manifest: Manifest,
        called: impl FnOnce(&[LoadedRelation]) -> Called,
    ) -> Result<Workbench, LabError> {
        check_preconditions(&manifest)?;
        let mut relations = load::relations(&manifest);
        // A build may take a minute, and a mistake in a relation is told at once. A module that is there says why a relation cannot be
        // understood, if it has another name for the function.
        if !matches!(manifest.source, ModuleSource::File(_)) {
            relations = Ok(relations?);
        }
        let (path, module) = build::open(&manifest, Rebuild::WhenStale)?;
        let called = relations.as_ref().map_or(Called::All, |relations| called(relations));
        let options = Options { called, ..Options::of(&manifest) };
        // What is wrong with the module is told before what is wrong with relations.
        let executable = Executable::load(&module, &manifest.functions, &options)
            .map_err(|error| LabError::Load { module: path, error })?;
        Ok(Workbench {
            manifest,
            module,
            executable,
            relations: relations?,
            relations_given: false,
            debug: Arc::default(),
            explaining: Mutex::default(),
        })
    }

    /// [`Workbench::open`] with the relations of these files in place of those that the manifest names, if there are any.
    ///
    /// # Errors
    /// As [`Workbench::open`].
    pub fn open_with(manifest: Manifest, files: &[PathBuf]) -> Result<Workbench, LabError> {
        let workbench = Workbench::open(with_files(manifest, files))?;
        Ok(Workbench { relations_given: !files.is_empty(), ..workbench })
    }

    /// The same subject with other relations, which are given as text and belong to no file.
    ///
    /// # Errors
    /// When the text does not consist of valid relations of these functions.
    pub fn with_relations(&self, text: &str) -> Result<Workbench, LabError> {
        Ok(Workbench {
            manifest: self.manifest.clone(),
            module: self.module.clone(),
            executable: self.executable.clone(),
            relations: load::relations_in(&self.manifest, Path::new("discovered"), text)?,
            relations_given: true,
            debug: Arc::clone(&self.debug),
            explaining: Mutex::default(),
        })
    }

    /// The same subject without relations, whose sequences and texts are drawn in any length that their domains allow, up to this one, and whose calls may
    /// take this many times the fuel. `None` if that is how they are drawn already.
    ///
    /// # Errors
    /// When the module cannot be compiled anew.
    pub fn with_data_up_to(&self, longest: u64, fuel_times: u64) -> Result<Option<Workbench>, LabError> {
        let mut manifest = self.manifest.clone();
        let parameters = || self.manifest.functions.iter().flat_map(|f| &f.parameters);
        if parameters().all(|parameter| lengths(parameter, longest).is_none()) {
            return Ok(None);
        }
        manifest.limits.fuel.0 = manifest.limits.fuel.0.saturating_mul(fuel_times).min(i64::MAX as u64);
        for parameter in manifest.functions.iter_mut().flat_map(|f| &mut f.parameters) {
            if let Some(allowed) = lengths(parameter, longest) {
                parameter.sampling.length = Some(allowed);
            }
        }
        let executable = load_module(&self.module, &manifest, manifest.path.clone())?;
        Ok(Some(Workbench {
            manifest,
            module: self.module.clone(),
            executable,
            relations: Vec::new(),
            relations_given: true,
            debug: Arc::clone(&self.debug),
            explaining: Mutex::default(),
        }))
    }

    /// The path in the registry of a library's source file, which debug information names.
    pub fn library_path(&self, file: &str) -> Option<String> {
        self.debug_info()?.library_path(file).map(|path| path.display().to_string())
    }

    /// The places in the source of the module's code, if it has debug information.
    pub fn debug_info(&self) -> Option<&DebugInfo> {
        self.debug.get_or_init(|| self.module.debug_info()).as_ref()
    }

    /// Why the call with the first row of these arguments does not return, with the places of all calls that led there. Nothing if the
    /// module cannot be compiled so, or the call cannot be made.
    pub(crate) fn diagnose(&self, function: usize, arguments: &[Column]) -> Option<Diagnosis> {
        let executable = self.explaining(function)?;
        executable.runner().diagnose(function, arguments).ok()
    }

    fn explaining(&self, function: usize) -> Option<Executable> {
        let mut loaded = self.explaining.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(executable) = loaded.get(&function) {
            return Some(executable.clone());
        }
        let called = Called::Only([function].into());
        let options = Options { trap_places: TrapPlaces::WithCallers, called, ..Options::of(&self.manifest) };
        let executable = Executable::load(&self.module, &self.manifest.functions, &options).ok()?;
        loaded.insert(function, executable.clone());
        Some(executable)
    }

    /// A caller for one thread.
    pub fn caller(&self) -> SubjectCaller {
        SubjectCaller::new(self.executable.runner())
    }

    /// The index of the function under test of this name.
    ///
    /// # Errors
    /// When there is none. The error has the nearest name.
    pub fn function(&self, name: &str) -> Result<usize, LabError> {
        let known = || self.manifest.functions.iter().map(|f| f.name.as_str());
        known().position(|known| known == name).ok_or_else(|| {
            let hint = match nearest(name, known()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; there are: {}", known().collect::<Vec<_>>().join(", ")),
            };
            LabError::UnknownFunction { name: name.to_owned(), hint }
        })
    }

    /// The index of the only function under test.
    ///
    /// # Errors
    /// When there are several.
    pub fn only_function(&self) -> Result<usize, LabError> {
        match self.manifest.functions.as_slice() {
            [_] => Ok(0),
            all => Err(LabError::WhichFunction(all.iter().map(|f| f.name.clone()).collect())),
        }
    }

    /// The indices of the relations with these names; if no name is given, all relations.
    ///
    /// # Errors
    /// When there are no relations at all, or none with a name.
    pub fn select(&self, names: &[String]) -> Result<Vec<usize>, LabError> {
        if self.relations.is_empty() {
            return Err(LabError::NoRelations(self.no_relations()));
        }
        if names.is_empty() {
            return Ok((0..self.relations.len()).collect());
        }
        let places: HashMap<&str, usize> =
            self.relations.iter().enumerate().map(|(place, r)| (r.relation.name(), place)).collect();
        let place = |name: &String| places.get(name.as_str()).copied().ok_or_else(|| self.unknown(name));
        names.iter().map(place).collect()
    }

    /// The names of relations, by their indices.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn relation_names(&self, relations: &[usize]) -> Vec<String> {
        relations.iter().map(|&index| self.relations[index].relation.name().to_owned()).collect()
    }

    fn no_relations(&self) -> String {
        let manifest = self.manifest.path.display();
        match self.manifest.relations.as_slice() {
            [] => format!(
                "{manifest} names no relations; add relations = [\"NAME.mr\"] to it, or name files with --relations"
            ),
            files => {
                let files: Vec<_> = files.iter().map(|f| f.display().to_string()).collect();
                format!(
                    "no relation stands in {}; write one, such as `relation even: f(-x) == f(x)`",
                    files.join(", ")
                )
            }
        }
    }

    fn unknown(&self, name: &str) -> LabError {
        let known = || self.relations.iter().map(|r| r.relation.name());
        let hint = match nearest(name, known()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => format!("; there are: {}", known().collect::<Vec<_>>().join(", ")),
        };
        LabError::UnknownRelation { name: name.to_owned(), hint }
    }
}

/// Preconditions are in the manifest, so an error in one is reported there, not for each relation that calls the function.
fn check_preconditions(manifest: &Manifest) -> Result<(), LabError> {
    for function in &manifest.functions {
        Precondition::compile(function).map_err(|problems| LabError::Relations {
            path: format!("{}, requires of `{}`", manifest.path.display(), function.name).into(),
            text: function.requires.clone().unwrap_or_default(),
            problems,
        })?;
    }
    Ok(())
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
