//! What the runners of an executable share: the compiled module, its functions under test, and what instances restore.

use std::fmt;

use dodona_subject::{Allocator, Function, Limits};
use wasmtime::{Engine, InstancePre, ModuleExport};

use crate::execute::LoadError;
use crate::execute::host::Host;
use crate::execute::instrument::{DriverLayout, Globals, Locations, Notes, StackPointer, names};
use crate::execute::isolation::{CallInstances, Isolation};
use crate::execute::residue::Residues;
use crate::execute::ticker::Ticker;

/// The export that a reactor of WASI is started with.
pub(crate) const INITIALIZE: &str = "_initialize";

/// What every runner shares.
pub(crate) struct Shared {
    pub compiled: Compiled,
    /// The functions under test, in the order given.
    pub functions: Vec<Function>,
    /// Each of them that is called, ready to be.
    pub prepared: Vec<Option<Prepared>>,
    pub allocator: Allocator,
    /// What new arenas hold before they are cleaned.
    pub residues: Residues,
    /// The stack that reused instances restore, with its floor.
    pub stack: Option<(StackPointer, u32)>,
}

impl Shared {
    /// The functions under test, in the order given.
    pub(crate) fn functions(&self) -> impl ExactSizeIterator<Item = &Function> {
        self.functions.iter()
    }

    /// A function under test that is called.
    ///
    /// # Panics
    /// When there is no such function, or the executable was loaded for calls of others.
    pub(crate) fn called(&self, function: usize) -> &Prepared {
        let name = &self.functions[function].name;
        let prepared = self.prepared[function].as_ref();
        prepared.unwrap_or_else(|| {
            panic!("`{name}` is called, and the module was loaded for calls of other functions")
        })
    }
}

/// The names of the functions under test.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.functions().map(|function| &function.name)).finish()
    }
}

/// The compiled module, with everything that making an instance of it takes.
pub(crate) struct Compiled {
    pub engine: Engine,
    /// Where a call may take seconds.
    pub ticker: Option<Ticker>,
    pub pre: InstancePre<Host>,
    pub exports: Exports,
    pub locations: Locations,
    pub limits: Limits,
    /// The maximum that the module declares for its memory, in bytes.
    pub declared_memory: Option<u64>,
    pub notes: Notes,
}

/// A function under test.
pub(crate) struct Prepared {
    pub function: Function,
    pub isolation: Isolation,
    /// Restored ones only if its code marks what it writes.
    pub instances: CallInstances,
    /// `None` for a command.
    pub driver: Option<Driver>,
    /// The export that is called without a driver: a command's `_start`.
    pub start: Option<ModuleExport>,
}

/// The driver of a function.
pub(crate) struct Driver {
    pub export: ModuleExport,
    pub layout: DriverLayout,
    pub in_memory: bool,
}

/// What is looked up in instances.
pub(crate) struct Exports {
    pub memory: Option<ModuleExport>,
    pub columns: ModuleExport,
    pub fuel: ModuleExport,
    pub row: ModuleExport,
    pub depth: ModuleExport,
    pub floor: ModuleExport,
    pub guarding: ModuleExport,
    pub arena_low: ModuleExport,
    pub arena_end: ModuleExport,
    pub arena_high: ModuleExport,
    pub arena_used: ModuleExport,
    pub violated: ModuleExport,
    pub limit: ModuleExport,
    /// The version and the alternative, in modules with variants.
    pub choice: Option<(ModuleExport, ModuleExport)>,
    pub allocate: Option<ModuleExport>,
    /// The module's start function.
    pub started: Option<ModuleExport>,
    pub initialize: Option<ModuleExport>,
    /// The global variables that are restored.
    pub globals: Vec<ModuleExport>,
}

/// An export that instrumentation added.
///
/// # Errors
/// When the module lacks it.
pub(crate) fn export(module: &wasmtime::Module, name: &str) -> Result<ModuleExport, LoadError> {
    module
        .get_export_index(name)
        .ok_or_else(|| LoadError::Compile { message: format!("the export {name} was lost") })
}

impl Exports {
    /// The exports of an instrumented module.
    ///
    /// # Errors
    /// When one is missing that every instrumented module has.
    pub(crate) fn of(module: &wasmtime::Module, globals: &Globals) -> Result<Exports, LoadError> {
        let global = |&index: &u32| module.get_export_index(&names::global(index));
        Ok(Exports {
            memory: module.get_export_index(names::MEMORY),
            columns: export(module, names::COLUMNS)?,
            fuel: export(module, names::FUEL)?,
            row: export(module, names::ROW)?,
            depth: export(module, names::DEPTH)?,
            floor: export(module, names::FLOOR)?,
            guarding: export(module, names::GUARDING)?,
            arena_low: export(module, names::ARENA_LOW)?,
            arena_end: export(module, names::ARENA_END)?,
            arena_high: export(module, names::ARENA_HIGH)?,
            arena_used: export(module, names::ARENA_USED)?,
            violated: export(module, names::VIOLATED)?,
            limit: export(module, names::LIMIT)?,
            choice: module.get_export_index(names::VERSION).zip(module.get_export_index(names::ALTERNATIVE)),
            allocate: module.get_export_index(names::ALLOCATE),
            started: module.get_export_index(names::START),
            initialize: module.get_export_index(INITIALIZE),
            globals: globals.numbers().iter().filter_map(global).collect(),
        })
    }
}
