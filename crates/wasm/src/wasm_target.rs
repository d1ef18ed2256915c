//! A module under test, compiled.

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::execute::{Called, Diagnosis, Executable, Options, Runner, TrapPlaces};
use dodona_subject::{DebugInfo, Manifest, Module, signatures};
use dodona_target::{
    CallError, Caller, Calls, Column, Ending, Outcome, Session, Signature, Target, Traits, Until,
};

use crate::ending;

/// A module with the functions under test that its manifest declares. It is cheap to clone: the parts are shared.
#[derive(Clone)]
pub struct WasmTarget {
    /// The manifest.
    pub manifest: Arc<Manifest>,
    /// The module.
    pub module: Module,
    /// The module, compiled.
    pub executable: Executable,
    /// What relations see of the manifest's functions.
    signatures: Arc<[Signature]>,
    /// The debug information, which is read when the first place in the source is asked for.
    debug: Arc<OnceLock<Option<DebugInfo>>>,
    /// For each function of which a call was explained, the module compiled for that.
    explaining: Arc<Mutex<BTreeMap<usize, Executable>>>,
}

impl WasmTarget {
    /// A module that was compiled with the functions and limits of this manifest.
    pub fn new(manifest: Manifest, module: Module, executable: Executable) -> WasmTarget {
        WasmTarget {
            signatures: signatures(&manifest.functions).into(),
            manifest: Arc::new(manifest),
            module,
            executable,
            debug: Arc::default(),
            explaining: Arc::default(),
        }
    }

    /// The same module with another manifest of the same functions, for which it was compiled anew.
    pub(crate) fn with_manifest(&self, manifest: Manifest, executable: Executable) -> WasmTarget {
        let other = WasmTarget::new(manifest, self.module.clone(), executable);
        WasmTarget { debug: Arc::clone(&self.debug), ..other }
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
}

impl Target for WasmTarget {
    fn name(&self) -> &str {
        &self.manifest.name
    }

    fn declared_in(&self) -> &Path {
        &self.manifest.path
    }

    fn functions(&self) -> &[Signature] {
        &self.signatures
    }

    fn traits(&self) -> Traits {
        Traits {
            kind: "WebAssembly modules",
            isolated: true,
            deterministic: true,
            unit_of_cost: "units of fuel",
        }
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(WasmSession { runner: self.executable.runner(), target: self.clone() })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Calls a module's functions on one thread.
struct WasmSession {
    runner: Runner,
    target: WasmTarget,
}

impl Caller for WasmSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        Ok(self.runner.call(function, arguments)?)
    }
}

impl Session for WasmSession {
    fn end_at(&mut self, until: &Until) {
        self.runner.end_at(until);
    }

    fn costs(&self) -> &[u64] {
        self.runner.fuel_used()
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        ending::ending(&self.target, &mut self.runner, function, arguments, outcome)
    }
}
