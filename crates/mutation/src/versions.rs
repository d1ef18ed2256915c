//! Faulty versions: other builds of a subject, with real faults in place of seeded ones. They stand in its place as mutants do.
//!
//! A version is loaded with the functions of the subject in their order, so that the same tests run on it. How its values cross stands in its own
//! manifest; the bounds of a call are those of the subject.

mod find;
mod run_versions;
mod version_record;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_subject::build::{self, Rebuild};
use dodona_subject::{Function, Manifest, Module, ModuleSource};
use dodona_target::{Output, OutputName, Signature, Type};
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Called, Executable, Options, Runner, TrapPlaces};
use dodona_workbench::LabError;

pub(crate) use version_record::VersionResults;

/// Another build of a subject.
pub struct FaultyVersion {
    name: String,
    path: PathBuf,
    executable: Executable,
    module: Module,
    /// Whose code it has, if it is that of the subject or of a version before it.
    same_as: Option<SameCode>,
    /// The functions of the subject that it cannot stand in for, by their indices, and what differs.
    lacks: BTreeMap<usize, String>,
}

/// Whose code a version has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SameCode {
    /// That of the subject.
    Subject,
    /// That of a version before it, given by its place.
    Version(usize),
}

/// A folder that is no version of the subject.
#[derive(Debug, thiserror::Error)]
#[error("faulty version {}: {error}", path.display())]
struct Unusable {
    path: PathBuf,
    error: Box<dyn std::error::Error + Send + Sync>,
}

/// Opens the faulty versions of a subject in some folders. Each folder is a version (it has a `dodona.toml`) or has versions in it: folders with a
/// `dodona.toml`, and modules. A module may also be named itself. What is not declared beside a module is declared as for the subject.
///
/// # Errors
/// When a folder has no version, a version is named twice, cannot be built or loaded, or has no function of the subject.
pub fn open_versions(original: &Workbench, paths: &[PathBuf]) -> Result<Vec<Arc<FaultyVersion>>, LabError> {
    let found = find::versions(paths)?;
    let mut versions: Vec<Arc<FaultyVersion>> = Vec::new();
    for (name, path) in found {
        let version = FaultyVersion::open(original, name, path)?;
        let same_as = version.same_code(original, &versions);
        versions.push(Arc::new(FaultyVersion { same_as, ..version }));
    }
    Ok(versions)
}

/// Refuses versions that lack one of these functions of the subject, given by their indices.
///
/// # Errors
/// The first version that lacks one, and what differs.
pub fn stand_in_for(versions: &[Arc<FaultyVersion>], functions: &BTreeSet<usize>) -> Result<(), LabError> {
    let lacking = |version: &Arc<FaultyVersion>| {
        let (_, what) = version.lacks.iter().find(|(function, _)| functions.contains(function))?;
        Some(LabError::Sources(format!("faulty version {}: {what}", version.path.display())))
    };
    versions.iter().find_map(lacking).map_or(Ok(()), Err)
}

impl FaultyVersion {
    fn open(original: &Workbench, name: String, path: PathBuf) -> Result<FaultyVersion, LabError> {
        let unusable = |error: Box<dyn std::error::Error + Send + Sync>| {
            LabError::opening(Unusable { path: path.clone(), error })
        };
        let manifest = manifest(original, &path).map_err(|error| unusable(error.into()))?;
        let (_, module) = build::open(&manifest, Rebuild::WhenStale).map_err(|e| unusable(e.into()))?;
        let subject = &original.target.manifest;
        let stand_ins = StandIns::of(&subject.functions, &manifest);
        let called = Called::Only(stand_ins.found());
        if stand_ins.found().is_empty() {
            let what = stand_ins.lacks.into_values().next().unwrap_or_default();
            return Err(LabError::Sources(format!("faulty version {}: {what}", path.display())));
        }
        let limits = subject.limits;
        let trap_places = TrapPlaces::Unknown;
        let options = Options { limits, trap_places, called, ..Options::of(&manifest) };
        let executable =
            Executable::load(&module, &stand_ins.functions, &options).map_err(|e| unusable(e.into()))?;
        Ok(FaultyVersion { name, path, executable, module, same_as: None, lacks: stand_ins.lacks })
    }

    /// Whose code it has. The first of several versions with the same code has another one than all before it.
    fn same_code(&self, original: &Workbench, before: &[Arc<FaultyVersion>]) -> Option<SameCode> {
        let target = &original.target;
        if self.has_code_of(&target.module, target.manifest.functions.iter()) {
            return Some(SameCode::Subject);
        }
        let same = |other: &Arc<FaultyVersion>| self.has_code_of(&other.module, other.executable.functions());
        before.iter().position(same).map(SameCode::Version)
    }

    /// Whether it runs this module and calls these functions in the same way.
    fn has_code_of<'f>(&self, module: &Module, functions: impl Iterator<Item = &'f Function>) -> bool {
        let crosses = |f: &Function| (f.export.clone(), f.result.clone(), f.arguments.clone());
        self.module.is_same_code(module)
            && self.executable.functions().map(crosses).eq(functions.map(crosses))
    }

    /// Its name, which no other version has: that of its folder or module, or the whole path where another version has the same.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its folder or module.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whose code it has, if it is that of the subject or of a version before it: then it is no fault of its own.
    pub fn same_as(&self) -> Option<&SameCode> {
        self.same_as.as_ref()
    }

    /// Runs it: the functions have the numbers that they have in the subject.
    pub fn runner(&self) -> Runner {
        self.executable.runner()
    }
}

impl fmt::Debug for FaultyVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultyVersion").field("name", &self.name).field("path", &self.path).finish()
    }
}

/// The manifest of a version. A module alone is declared as the subject is.
fn manifest(original: &Workbench, path: &Path) -> Result<Manifest, dodona_subject::ManifestError> {
    let is_module = path.extension().is_some_and(|extension| extension == "wasm");
    if is_module && path.is_file() && !path.with_extension("toml").exists() {
        let source = ModuleSource::File(path.to_owned());
        return Ok(Manifest { source, ..Manifest::clone(&original.target.manifest) });
    }
    Manifest::find(path)
}

/// For each function of the subject the one of a version in its place.
struct StandIns {
    /// As many as the subject has. In the place of one that the version lacks stands one that it has: each needs an export, and this one is never called.
    functions: Vec<Function>,
    lacks: BTreeMap<usize, String>,
}

impl StandIns {
    fn of(wanted: &[Function], version: &Manifest) -> StandIns {
        let mut lacks = BTreeMap::new();
        let mut found = Vec::new();
        for (index, wanted) in wanted.iter().enumerate() {
            let own = stand_in(wanted, version);
            lacks.extend(own.as_ref().err().map(|what| (index, what.clone())));
            found.push(own.ok());
        }
        let any = found.iter().flatten().next().copied();
        let or_any = |(own, wanted): (Option<&Function>, &Function)| own.or(any).unwrap_or(wanted).clone();
        let functions = found.into_iter().zip(wanted).map(or_any).collect();
        StandIns { functions, lacks }
    }

    fn found(&self) -> BTreeSet<usize> {
        (0..self.functions.len()).filter(|index| !self.lacks.contains_key(index)).collect()
    }
}

/// The function of a version in the place of one of the subject, or what differs.
fn stand_in<'v>(wanted: &Function, version: &'v Manifest) -> Result<&'v Function, String> {
    let own = version.functions.iter().find(|own| own.name == wanted.name);
    let own = own.ok_or_else(|| format!("it has no function `{}`", written(wanted)))?;
    differences(wanted, own).map_or(Ok(own), Err)
}

/// Whether two functions have parameters and outputs of the same types, in the same order. The names of parameters may differ.
pub fn have_same_types(one: &Signature, other: &Signature) -> bool {
    let types = |f: &Signature| -> (Vec<Type>, Vec<Type>) {
        (f.parameters.iter().map(|p| p.ty).collect(), f.outputs.iter().map(|o| o.ty).collect())
    };
    types(one) == types(other)
}

/// What differs in the types of two functions of the same name. The names of parameters may differ.
fn differences(wanted: &Signature, own: &Signature) -> Option<String> {
    (!have_same_types(wanted, own)).then(|| {
        let (own, wanted) = (written(own), written(wanted));
        format!("it has `{own}`, and the subject has `{wanted}`: parameters and results have to be of the same types")
    })
}

/// `gcd(p: i32, q: i32) -> i32`; a parameter that the function writes stands among the results: `sort(xs: [i32]) -> xs: [i32]`.
fn written(function: &Signature) -> String {
    let parameters: Vec<String> =
        function.parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
    let output = |output: &Output| match &output.name {
        OutputName::Parameter(name) => format!("{name}: {}", output.ty),
        _ => output.ty.to_string(),
    };
    let outputs: Vec<String> = function.outputs.iter().map(output).collect();
    let arrow = if outputs.is_empty() { "" } else { " -> " };
    format!("{}({}){arrow}{}", function.name, parameters.join(", "), outputs.join(", "))
}

#[cfg(test)]
mod tests {
    use dodona_subject::Manifest;

    use super::*;

    fn manifest(text: &str) -> Manifest {
        Manifest::parse(Path::new("dodona.toml"), &format!("module = \"m.wasm\"\n{text}"))
            .expect("a manifest")
    }

    #[test]
    fn a_version_stands_in_where_types_are_the_same_whatever_the_order_and_the_names() {
        let subject = manifest(
            "[[function]]\nsignature = \"f(x: i32) -> f64\"\n[[function]]\nsignature = \"sort(xs: [i32])\"\nlower.xs = \"in-out\"\n",
        );
        let version = manifest(
            "[[function]]\nsignature = \"sort(ys: [i32])\"\nlower.ys = \"in-out\"\n[[function]]\nsignature = \"f(y: i32) -> f64\"\n",
        );
        let all = StandIns::of(&subject.functions, &version);
        assert_eq!(all.found(), BTreeSet::from([0, 1]));
        assert_eq!(all.functions[0].parameters[0].name, "y", "it is called as the version declares it");
    }

    #[test]
    fn what_differs_is_said() {
        let subject = manifest(
            "[[function]]\nsignature = \"f(x: i32) -> f64\"\n[[function]]\nsignature = \"sort(xs: [i32])\"\nlower.xs = \"in-out\"\n",
        );
        let version = manifest("[[function]]\nsignature = \"f(x: i64) -> f64\"\n");
        let StandIns { lacks, .. } = StandIns::of(&subject.functions, &version);
        assert_eq!(
            lacks[&0],
            "it has `f(x: i64) -> f64`, and the subject has `f(x: i32) -> f64`: parameters and results have to be of the same types"
        );
        assert_eq!(lacks[&1], "it has no function `sort(xs: [i32]) -> xs: [i32]`");
    }

    #[test]
    fn in_the_place_of_a_function_that_a_version_lacks_stands_one_that_it_exports() {
        let two = manifest(
            "[[function]]\nsignature = \"f(x: i32) -> i32\"\n[[function]]\nsignature = \"g(x: i32) -> i32\"\n",
        );
        let one = manifest("[[function]]\nsignature = \"g(x: i32) -> i32\"\n");
        let stand_ins = StandIns::of(&two.functions, &one);
        let exports: Vec<&str> =
            stand_ins.functions.iter().map(|function| function.export.as_str()).collect();
        assert_eq!((exports, stand_ins.found()), (vec!["g", "g"], BTreeSet::from([1])));
    }
}
