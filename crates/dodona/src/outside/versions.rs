//! Other versions of functions outside of WebAssembly: in folders, or made by a mutation tool of their language.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dodona_mutation::{OutsideVersion, SameProgram, ToolChange, have_same_types};
use dodona_subject::{Manifest, ModuleSource, Outside, OutsideKind, WorkerLanguage, WorkerSource};
use dodona_target::{Signature, Target, TracedCode};
use dodona_workbench::{LabError, Memory, Repeated, Workbench};
use dodona_workers::{PythonMutant, PythonTool, SameAs, python_mutants};
use tempfile::TempDir;

use super::{target_of, worker_environment};

/// Finds other versions of a subject, which are opened when they are run. Each path is the name of a tool that makes mutants of Python code (`cosmic-ray`, `mutmut`), where no folder has
/// that name; a version; or a folder with versions in it. A version has a `dodona.toml` with the same functions. A version of Python modules needs none: its files stand in the place of
/// the modules of the same paths, and what it does not have is taken from the subject.
///
/// # Errors
/// When a folder has no version, a version declares other functions, two versions have one name, or a tool fails.
pub fn outside_versions(
    manifest: &Manifest,
    workbench: &Workbench,
    paths: &[PathBuf],
) -> Result<Vec<OutsideVersion>, LabError> {
    let mut versions: Vec<OutsideVersion> = Vec::new();
    for path in paths {
        let tool = path.to_str().and_then(PythonTool::named).filter(|_| !path.exists());
        match (tool, python(manifest)) {
            (Some(tool), Some((outside, source))) => {
                let first = versions.len();
                versions.extend(made(tool, manifest, outside, source, workbench)?.into_iter().map(
                    |mut one| {
                        if let Some(SameProgram::Version(place)) = &mut one.same_as {
                            *place += first;
                        }
                        one
                    },
                ));
            }
            (Some(tool), None) => {
                let kind = workbench.target.traits().kind;
                let name = tool.name();
                return Err(LabError::Sources(format!(
                    "{name} makes mutants of Python code, and these are {kind}"
                )));
            }
            (None, _) => versions.extend(in_folder(manifest, path)?),
        }
    }
    for (place, version) in versions.iter().enumerate() {
        if versions[..place].iter().any(|other| other.name == version.name) {
            return Err(LabError::Sources(format!(
                "two versions are called {}: name each folder once, and give folders different names",
                version.name
            )));
        }
    }
    Ok(versions)
}

/// The worker for Python that a manifest declares.
fn python(manifest: &Manifest) -> Option<(&Outside, &WorkerSource)> {
    match &manifest.source {
        ModuleSource::Outside(outside) => match &outside.kind {
            OutsideKind::Worker(source) if source.language == WorkerLanguage::Python => {
                Some((outside, source))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The mutants that a tool makes of the code that the functions under test can run.
fn made(
    tool: PythonTool,
    manifest: &Manifest,
    outside: &Outside,
    source: &WorkerSource,
    workbench: &Workbench,
) -> Result<Vec<OutsideVersion>, LabError> {
    let mut session = workbench.target.open();
    let mut code: Vec<TracedCode> = Vec::new();
    for function in 0..workbench.functions().len() {
        code.extend(session.traced_code(function)?);
    }
    let folder = tempfile::tempdir().map_err(|error| {
        LabError::Sources(format!("a folder for the mutants of {} cannot be made: {error}", tool.name()))
    })?;
    let environment = worker_environment(outside);
    let mutants =
        python_mutants(tool, source, &environment, &code, folder.path()).map_err(LabError::opening)?;
    if mutants.is_empty() {
        let (name, tool) = (&manifest.name, tool.name());
        return Err(LabError::Sources(format!(
            "{tool} makes no mutant of the code that the functions of {name} run: it is not Python, or lies in other folders"
        )));
    }
    let kept = Arc::new(folder);
    Ok(mutants.into_iter().map(|mutant| of_tool(manifest, mutant, &kept)).collect())
}

fn of_tool(manifest: &Manifest, mutant: PythonMutant, kept: &Arc<TempDir>) -> OutsideVersion {
    let PythonMutant { folder, operator, file, function, line, column, before, after, same_as } = mutant;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let opened = overlaid(manifest, folder.clone());
    // The files of the mutants are there as long as one of them may be opened.
    let kept = Arc::clone(kept);
    OutsideVersion {
        name: format!("mutant {name}"),
        path: folder.display().to_string(),
        change: Some(ToolChange { operator, file, function, line, column, before, after }),
        same_as: same_as.map(|same| match same {
            SameAs::Original(_) => SameProgram::Original,
            SameAs::Mutant(number) => SameProgram::Version(number - 1),
        }),
        open: Arc::new(move |time| {
            let _ = &kept;
            opened(time)
        }),
    }
}

/// Opens a version whose files stand in the place of modules.
fn overlaid(
    manifest: &Manifest,
    folder: PathBuf,
) -> impl Fn(Duration) -> Result<Arc<dyn Target>, LabError> + Send + Sync + use<> {
    let mut manifest = manifest.clone();
    if let ModuleSource::Outside(Outside { kind: OutsideKind::Worker(source), .. }) = &mut manifest.source {
        source.version = Some(folder);
    }
    move |time| opened(&manifest, time)
}

/// Opens the functions that a manifest declares, for calls that may take so long at most.
fn opened(manifest: &Manifest, time: Duration) -> Result<Arc<dyn Target>, LabError> {
    let ModuleSource::Outside(outside) = &manifest.source else {
        return Ok(dodona_wasm::open(manifest.clone())?.target.shared());
    };
    let mut manifest = manifest.clone();
    manifest.limits.time = manifest.limits.time.min(time);
    let (target, cost) = target_of(&manifest, outside)?;
    Ok(Arc::new(Repeated::new(target, cost, Memory::Kept)))
}

/// The versions in a folder, in the order of their paths.
fn in_folder(manifest: &Manifest, path: &Path) -> Result<Vec<OutsideVersion>, LabError> {
    let shown = path.display();
    if !path.is_dir() {
        return Err(LabError::Sources(format!("there is no version in {shown}: it is no folder")));
    }
    let mut folders = match is_version(manifest, path) {
        true => vec![path.to_owned()],
        false => {
            let all = fs::read_dir(path).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
            all.filter(|folder| folder.is_dir() && is_version(manifest, folder)).collect()
        }
    };
    folders.sort();
    if folders.is_empty() {
        let wanted = match python(manifest) {
            Some((_, source)) => {
                format!("no folder with {} or with a dodona.toml", modules(source).join(", "))
            }
            None => "no folder with a dodona.toml".to_owned(),
        };
        return Err(LabError::Sources(format!("there is no version in {shown}: {wanted}")));
    }
    folders.into_iter().map(|folder| in_folder_of_its_own(manifest, folder)).collect()
}

fn is_version(manifest: &Manifest, folder: &Path) -> bool {
    let has = |module: &String| folder.join(module).exists();
    folder.join("dodona.toml").is_file()
        || python(manifest).is_some_and(|(_, source)| modules(source).iter().any(has))
}

/// What a version of Python code has at least one of: the outermost package or module of a function.
fn modules(source: &WorkerSource) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in &source.names {
        let outermost = name.split([':', '.']).next().unwrap_or_default();
        for wanted in [outermost.to_owned(), format!("{outermost}.py")] {
            if !found.contains(&wanted) {
                found.push(wanted);
            }
        }
    }
    found
}

fn in_folder_of_its_own(manifest: &Manifest, folder: PathBuf) -> Result<OutsideVersion, LabError> {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    let name = whole
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
    let path = folder.display().to_string();
    if folder.join("dodona.toml").is_file() {
        let own =
            Manifest::find(&folder).map_err(|error| LabError::Sources(format!("version {path}: {error}")))?;
        if let Some(what) = differences(&manifest.signatures(), &own.signatures()) {
            return Err(LabError::Sources(format!("version {path}: {what}")));
        }
        let open = Arc::new(move |time| opened(&own, time));
        return Ok(OutsideVersion { name, path, change: None, same_as: None, open });
    }
    let is_same = is_as_original(&folder, &super::folder(manifest));
    let same_as = is_same.then_some(SameProgram::Original);
    let open = Arc::new(overlaid(manifest, whole));
    Ok(OutsideVersion { name, path, change: None, same_as, open })
}

/// Whether each file of a version is as it is in the folder of the subject.
fn is_as_original(version: &Path, original: &Path) -> bool {
    let Ok(entries) = fs::read_dir(version) else { return false };
    entries.filter_map(Result::ok).filter(|entry| entry.file_name() != "__pycache__").all(|entry| {
        let (own, other) = (entry.path(), original.join(entry.file_name()));
        match own.is_dir() {
            true => is_as_original(&own, &other),
            false => fs::read(own).ok().zip(fs::read(other).ok()).is_some_and(|(a, b)| a == b),
        }
    })
}

/// What differs in the functions of a version, which has to have those of the subject in their order. The names of parameters may differ.
fn differences(wanted: &[Signature], own: &[Signature]) -> Option<String> {
    for (place, wanted) in wanted.iter().enumerate() {
        match own.get(place) {
            Some(own) if own.name == wanted.name && have_same_types(own, wanted) => {}
            Some(own) if own.name == wanted.name => {
                return Some(format!("the types of `{}` are not those that the subject has", own.name));
            }
            _ => {
                return Some(format!(
                    "function {} is not `{}`: a version declares the functions of the subject in their order",
                    place + 1,
                    wanted.name
                ));
            }
        }
    }
    None
}
