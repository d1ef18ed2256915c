//! The functions of a crate, or of C, as they are built for this machine, beside the WebAssembly build.

use std::path::PathBuf;
use std::sync::Arc;

use dodona_subject::Manifest;
use dodona_subject::build::{self, Sanitizer};
use dodona_target::Target;
use dodona_wasm::WasmTarget;
use dodona_workbench::{Compared, LabError, Limits, Relations, Workbench, check_preconditions};
use dodona_workers::WorkerTarget;

/// A crate or sources of C that are opened natively: their functions are called in worker processes.
pub struct Native {
    /// The functions with their relations.
    pub workbench: Arc<Workbench>,
    /// The same functions in WebAssembly, where the code can be compiled to it.
    pub module: Option<Arc<Workbench<WasmTarget>>>,
    /// The comparison of both.
    compared: Option<Compared>,
    /// Why there is no module.
    why_not: Option<String>,
}

/// Opens the crate or the sources of C that a manifest declares, built for this machine, with sanitizers where they are wanted, and, if that works, to
/// WebAssembly. Relations are those of the manifest, or of these
/// files if there are any; of the module only what the relations with these names call is compiled.
///
/// # Errors
/// When the manifest is not about C, or a crate that is called as it is, the code cannot be built for this machine, or a relation is not valid.
pub fn open_natively(
    mut manifest: Manifest,
    files: &[PathBuf],
    names: &[String],
    sanitizers: &[Sanitizer],
) -> Result<Native, LabError> {
    if !files.is_empty() {
        manifest.relations = files.to_vec();
    }
    let signatures = build::native_signatures(&manifest).map_err(LabError::opening)?;
    // A mistake in a relation is told before anything is built.
    check_preconditions(&signatures, &manifest.path)?;
    let read = Relations::read(&manifest.relations, &signatures)?;
    let relations = Relations { given: !files.is_empty(), ..read };
    let program = build::native_program(&manifest, sanitizers).map_err(LabError::opening)?;
    let memory = manifest.limits.memory;
    let (name, path) = (manifest.name.clone(), manifest.path.clone());
    let target: Arc<dyn Target> = Arc::new(WorkerTarget::new(name, path, signatures, program, memory));
    // Without relations, any function may be called.
    let opened = match manifest.relations.is_empty() {
        true => dodona_wasm::open(manifest),
        false => dodona_wasm::open_for_relations(manifest, &[], names),
    };
    let (module, why_not) = match opened {
        Ok(module) => (Some(Arc::new(module)), None),
        Err(LabError::Opening(why)) => (None, Some(why.to_string())),
        Err(error) => return Err(error),
    };
    let compared = module
        .as_ref()
        .map(|module| Compared::new(Arc::clone(&target), module.target.shared(), Limits::Differ));
    let workbench: Arc<Workbench> = match &compared {
        Some(compared) => Arc::new(Workbench::new(compared.clone(), relations)),
        None => Arc::new(Workbench::new(target, relations)),
    };
    Ok(Native { workbench, module, compared, why_not })
}

impl Native {
    /// What is to be told of the two builds: where the calls that were made differ, or why there is only one.
    pub fn warnings(&self) -> Vec<String> {
        let differences = self.compared.iter().flat_map(Compared::differences);
        let told = differences.map(|difference| {
            let name = &self.workbench.functions()[difference.function].name;
            let [compared, differing] = difference.calls;
            let [native, module] = &difference.ends;
            format!(
                "`{name}` is not the same in both builds, in {differing} of {compared} calls: {} gives {native} on this machine \
                 and {module} in WebAssembly (book/native.md says what differs by itself)",
                difference.call
            )
        });
        told.chain(self.why_not.as_ref().map(|why| without_module(why))).collect()
    }
}

/// What is lost without a module, and why there is none: the first error of the compiler, which may say much more.
fn without_module(why: &str) -> String {
    let is_error = |line: &&str| line.trim_start().starts_with("error") || line.contains("error: ");
    let error = why.lines().find(is_error).or_else(|| why.lines().next());
    let error = error.unwrap_or_default().trim();
    format!(
        "checked on this machine alone: the code does not compile to WebAssembly ({error}), so it has no mutants, proofs, paths, coverage or \
         discovery; `dodona build` shows all that the compiler says"
    )
}
