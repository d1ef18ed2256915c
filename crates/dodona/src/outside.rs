//! Functions outside of WebAssembly: programs that are run for each call, functions that a worker calls, and web services.

mod versions;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use dodona_subject::{Manifest, ModuleSource, Outside, OutsideKind};
use dodona_target::Target;
use dodona_workbench::{LabError, Memory, Relations, Repeated, Workbench, check_preconditions};
use dodona_workers::{
    CommandOptions, CommandTarget, HttpOptions, HttpTarget, ProtocolOptions, ProtocolTarget,
};

pub use versions::outside_versions;

/// Whether what a manifest declares is no module: a program, or functions that a worker calls.
pub fn is_outside(manifest: &Manifest) -> bool {
    matches!(manifest.source, ModuleSource::Outside(_))
}

/// Opens a program or the functions of a worker that a manifest declares, with its relations, or those of these files if there are any. Equal calls are made once, and some are made
/// a second time, to see whether they give the same.
///
/// # Errors
/// When the manifest declares a module, a relation is not valid, a program is not there, a worker cannot be used, or a web service cannot be reached.
pub fn open_outside(
    manifest: &Manifest,
    files: &[PathBuf],
    memory: Memory,
) -> Result<Arc<Workbench>, LabError> {
    let ModuleSource::Outside(outside) = &manifest.source else {
        return Err(LabError::opening(IsModule(manifest.name.clone())));
    };
    let signatures = manifest.signatures();
    check_preconditions(&signatures, &manifest.path)?;
    let read = if files.is_empty() { &manifest.relations[..] } else { files };
    // A mistake in a relation is told before anything is started.
    let relations = Relations { given: !files.is_empty(), ..Relations::read(read, &signatures)? };
    let (target, cost) = target_of(manifest, outside)?;
    Ok(Arc::new(Workbench::new(Repeated::new(target, cost, memory), relations)))
}

/// The functions that are called outside of WebAssembly, and what each call costs.
fn target_of(manifest: &Manifest, outside: &Outside) -> Result<(Arc<dyn Target>, u64), LabError> {
    let signatures = manifest.signatures();
    Ok(match &outside.kind {
        OutsideKind::Command(calls) => {
            let options = CommandOptions {
                name: manifest.name.clone(),
                declared_in: manifest.path.clone(),
                signatures,
                calls: calls.clone(),
                folder: folder(manifest),
                environment: environment(outside, &["PATH"]),
                memory: manifest.limits.memory.max(LEAST_MEMORY),
                time: manifest.limits.time,
                output: manifest.limits.output,
                processes: manifest.limits.processes,
            };
            (Arc::new(CommandTarget::find(options).map_err(LabError::opening)?), CommandTarget::COST)
        }
        OutsideKind::Worker(source) => {
            let options = ProtocolOptions {
                name: manifest.name.clone(),
                declared_in: manifest.path.clone(),
                signatures,
                source: source.clone(),
                environment: worker_environment(outside),
                memory: manifest.limits.memory,
                time: manifest.limits.time,
            };
            (Arc::new(ProtocolTarget::start(options).map_err(LabError::opening)?), ProtocolTarget::COST)
        }
        OutsideKind::Http(service) => {
            let options = HttpOptions {
                name: manifest.name.clone(),
                declared_in: manifest.path.clone(),
                signatures,
                service: service.clone(),
                time: manifest.limits.time,
                output: manifest.limits.output,
            };
            (Arc::new(HttpTarget::reach(options).map_err(LabError::opening)?), HttpTarget::COST)
        }
    })
}

/// The least memory of a program: what a dynamic linker and an interpreter reserve before they run anything.
const LEAST_MEMORY: u64 = 1 << 30;

/// The folder of a manifest, as an absolute path.
fn folder(manifest: &Manifest) -> PathBuf {
    let path = std::path::absolute(&manifest.path).unwrap_or_else(|_| manifest.path.clone());
    path.parent().map(PathBuf::from).unwrap_or_default()
}

/// The environment of a worker: that of its caller with what is declared, because interpreters and their packages are found by many variables.
fn worker_environment(outside: &Outside) -> Vec<(OsString, OsString)> {
    let mut environment = environment(outside, &[]);
    let declared: Vec<OsString> = environment.iter().map(|(name, _)| name.clone()).collect();
    environment.extend(std::env::vars_os().filter(|(name, _)| !declared.contains(name)));
    // The order of a set of Python is drawn at random otherwise, for each process.
    if !declared.iter().any(|name| name == "PYTHONHASHSEED") {
        environment.retain(|(name, _)| name != "PYTHONHASHSEED");
        environment.push(("PYTHONHASHSEED".into(), "0".into()));
    }
    environment
}

/// What a manifest declares of the environment, with these variables of the caller, and a locale that is the same everywhere.
fn environment(outside: &Outside, passed: &[&str]) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<(OsString, OsString)> = Vec::new();
    let mut add = |name: &str, value: OsString| {
        if variables.iter().all(|(known, _)| known != name) {
            variables.push((name.into(), value));
        }
    };
    for (name, value) in &outside.environment {
        add(name, value.into());
    }
    let passed = outside.passed.iter().map(String::as_str).chain(passed.iter().copied());
    for name in passed {
        if let Some(value) = std::env::var_os(name) {
            add(name, value);
        }
    }
    add("LANG", "C.UTF-8".into());
    variables
}

#[derive(Debug, thiserror::Error)]
#[error("{0} is a WebAssembly module, which is opened as one")]
struct IsModule(String);
