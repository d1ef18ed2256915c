//! A module ready to run: checked, analysed, instrumented and compiled once.

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_subject::{Allocator, Function, Limits, Module};
use wasmtime::{Engine, InstancePre, Linker, ModuleExport};

use crate::engine::Trapping;
use crate::host::Host;
use crate::instance::{Instance, Stains};
use crate::instrument::{
    DriverLayout, Instrumented, Locations, Notes, Plan, STACK_STEP, StackPointer, Target, instrument, names,
    stack_pointer,
};
use crate::isolation::{Effect, Isolation, analyse_with};
use crate::ticker::{self, Ticker};
use crate::{LoadError, Options, Runner, Variants, allocator, engine, prepare, wasi};

/// A module ready to run its functions under test. Cheap to clone, and shared by threads: each makes its own
/// [`Runner`].
#[derive(Clone)]
pub struct Executable {
    pub(crate) shared: Arc<Shared>,
}

/// What every runner shares.
pub(crate) struct Shared {
    pub engine: Engine,
    /// Where a call may take seconds.
    pub ticker: Option<Ticker>,
    pub pre: InstancePre<Host>,
    pub exports: Exports,
    pub functions: Vec<Prepared>,
    pub locations: Locations,
    pub limits: Limits,
    pub allocator: Allocator,
    /// The maximum that the module declares for its memory, in bytes.
    pub declared_memory: Option<u64>,
    /// What new arenas hold before they are cleaned.
    pub stains: Stains,
    /// The stack that reused instances restore, with its floor.
    pub stack: Option<(StackPointer, u32)>,
    pub notes: Notes,
}

/// A function under test.
pub(crate) struct Prepared {
    pub function: Function,
    pub isolation: Isolation,
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
    /// The version and the alternative, in modules with variants.
    pub choice: Option<(ModuleExport, ModuleExport)>,
    pub allocate: Option<ModuleExport>,
    pub initialize: Option<ModuleExport>,
}

impl Executable {
    /// Loads a module with its functions under test.
    ///
    /// # Errors
    /// When an export is missing or of another type than declared, an import is not offered, a limit is out of range,
    /// or the module does not compile or instantiate. Each message says what to do.
    ///
    /// # Examples
    /// ```
    /// use dodona_execute::{Executable, Options};
    /// use dodona_subject::*;
    ///
    /// let wasm = wat::parse_str(r#"(module (func (export "half") (param f64) (result f64)
    ///     (f64.div (local.get 0) (f64.const 2))))"#).unwrap();
    /// let half = Function {
    ///     name: "half".into(),
    ///     export: "half".into(),
    ///     parameters: vec![Parameter {
    ///         name: "x".into(),
    ///         ty: Type::Scalar(Scalar::F64),
    ///         lowering: Lowering::Value,
    ///         domain: Domain::default(),
    ///         sampling: Sampling::default(),
    ///     }],
    ///     result: ResultLowering::Value(Scalar::F64),
    ///     arguments: vec![Argument::Value(0)],
    ///     requires: None,
    ///     relations: vec![],
    /// };
    /// let executable = Executable::load(&Module::parse(wasm)?, &[half], &Options::default())?;
    /// let calls = executable.runner().call(0, &[Column::Float(vec![3.0, -8.0])])?;
    /// assert_eq!(calls.outputs, [Column::Float(vec![1.5, -4.0])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(module: &Module, functions: &[Function], options: &Options) -> Result<Executable, LoadError> {
        Executable::load_with_variants(module, functions, options, &Variants::default())
    }

    /// [`Executable::load`] with versions of functions beside the originals, for [`Runner::choose`].
    ///
    /// Isolation is that of the originals: what versions do otherwise is held by guards, and a row that breaks them is
    /// run again in a fresh instance.
    ///
    /// # Errors
    /// As [`Executable::load`], and when a copy or a patch is out of place or makes the module invalid.
    pub fn load_with_variants(
        module: &Module,
        functions: &[Function],
        options: &Options,
        variants: &Variants,
    ) -> Result<Executable, LoadError> {
        variants.check(module)?;
        prepare::check_memories(module)?;
        prepare::check_imports(module)?;
        let allocator = allocator::find(module, options.allocator.as_deref())?;
        let pointers = prepare::pointers(module, functions);
        let mut isolations: Vec<Isolation> =
            functions.iter().map(|f| analyse_with(module, f, &pointers)).collect();
        if !variants.is_empty() {
            confine(&mut isolations, variants);
        }
        let trapping = trapping(&isolations, variants);
        let mut targets = Vec::new();
        for (function, isolation) in functions.iter().zip(&isolations) {
            targets.push(prepare::target(module, function, isolation, &pointers)?);
        }
        let instrumented = instrument(&Plan {
            module,
            targets: &targets,
            guarded: &guarded(&isolations),
            fuel: options.limits.fuel.0,
            allocator: allocator.function(),
            pointers: &pointers,
            variants,
        })?;
        // Code that asks for the clock takes more stack in a copy of a function than in the function itself, and a mutant must not
        // run out of stack where its original does not. So calls of versions are given up between rows only.
        let gives_up = ticker::is_needed(&options.limits) && variants.is_empty();
        let engine = engine::engine(&options.limits, trapping, instrumented.largest, gives_up)?;
        let mut shared = compile(engine, instrumented, functions, &isolations, &targets)?;
        shared.ticker = gives_up.then(|| Ticker::start(&shared.engine));
        shared.limits = options.limits;
        shared.allocator = allocator;
        shared.declared_memory = declared_memory(module);
        settle(&mut shared, module)?;
        Ok(Executable { shared: Arc::new(shared) })
    }

    /// The functions under test, in the order given.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = &Function> {
        self.shared.functions.iter().map(|p| &p.function)
    }

    /// Whether calls of a function share an instance, and why not.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn isolation(&self, function: usize) -> &Isolation {
        &self.shared.functions[function].isolation
    }

    /// A runner for one thread.
    pub fn runner(&self) -> Runner {
        Runner::new(self.clone())
    }
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.functions().map(|f| &f.name)).finish()
    }
}

/// Mutants trap often, and where calls get fresh instances the operating system would have to protect what each grew.
fn trapping(isolations: &[Isolation], variants: &Variants) -> Trapping {
    let all_reused = isolations.iter().all(Isolation::is_reused);
    if all_reused && variants.is_empty() { Trapping::BySignals } else { Trapping::ByTests }
}

fn guarded(isolations: &[Isolation]) -> BTreeSet<u32> {
    let mut functions = BTreeSet::new();
    for isolation in isolations {
        if let Isolation::Reused(reused) = isolation {
            functions.extend(&reused.functions);
        }
    }
    functions
}

/// What holds of reused instances whatever versions reach: see [`Guards::Confined`](crate::instrument).
fn confine(isolations: &mut [Isolation], variants: &Variants) {
    let stores = |i: &Isolation| matches!(i, Isolation::Reused(reused) if reused.stores);
    let stores = variants.stores() || isolations.iter().any(stores);
    for isolation in isolations {
        if let Isolation::Reused(reused) = isolation {
            // A version may call what its original did not.
            reused.stores |= stores;
            // Code that could leave a trace is not run in them at all.
            reused.discards_after_trap = false;
        }
    }
}

fn declared_memory(module: &Module) -> Option<u64> {
    match module.memories() {
        [only] => only.maximum.map(|pages| pages.saturating_mul(crate::limits::PAGE)),
        _ => None,
    }
}

fn compile(
    engine: Engine,
    instrumented: Instrumented,
    functions: &[Function],
    isolations: &[Isolation],
    targets: &[Option<Target>],
) -> Result<Shared, LoadError> {
    let refuse = |e: wasmtime::Error| LoadError::Compile { message: format!("{e:#}") };
    let module = wasmtime::Module::new(&engine, &instrumented.bytes).map_err(refuse)?;
    let mut linker = Linker::new(&engine);
    wasi::offer(&mut linker).map_err(refuse)?;
    let pre = linker.instantiate_pre(&module).map_err(refuse)?;
    let mut prepared = Vec::new();
    let parts = functions.iter().zip(isolations).zip(targets).zip(instrumented.drivers);
    for (index, (((function, isolation), target), layout)) in parts.enumerate() {
        let driver = match (target, layout) {
            (Some(target), Some(layout)) => Some(Driver {
                export: export(&module, &names::driver(index))?,
                layout,
                in_memory: target.in_memory,
            }),
            _ => None,
        };
        let start = module.get_export_index(&function.export);
        prepared.push(Prepared { function: function.clone(), isolation: isolation.clone(), driver, start });
    }
    Ok(Shared {
        exports: Exports::of(&module)?,
        engine,
        ticker: None,
        pre,
        functions: prepared,
        locations: instrumented.locations,
        limits: Limits::default(),
        allocator: Allocator::Pages,
        declared_memory: None,
        stains: Stains::default(),
        stack: None,
        notes: instrumented.notes,
    })
}

fn export(module: &wasmtime::Module, name: &str) -> Result<ModuleExport, LoadError> {
    module
        .get_export_index(name)
        .ok_or_else(|| LoadError::Compile { message: format!("the export {name} was lost") })
}

impl Exports {
    fn of(module: &wasmtime::Module) -> Result<Exports, LoadError> {
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
            choice: module.get_export_index(names::VERSION).zip(module.get_export_index(names::ALTERNATIVE)),
            allocate: module.get_export_index(names::ALLOCATE),
            initialize: module.get_export_index("_initialize"),
        })
    }
}

/// Instantiates once: shows that it works, and finds the stack that reused instances restore.
fn settle(shared: &mut Shared, module: &Module) -> Result<(), LoadError> {
    let probe = Instance::new(shared).map_err(|message| LoadError::Instantiate { message })?;
    let Some(stack) = stack_pointer(module) else { return Ok(()) };
    let floor = floor(probe.memory(), stack.top);
    shared.stack = floor.map(|floor| (stack, floor));
    if floor.is_none() {
        for prepared in &mut shared.functions {
            if matches!(&prepared.isolation, Isolation::Reused(reused) if reused.stores) {
                prepared.isolation = Isolation::fresh(Effect::NoStack);
            }
        }
    }
    Ok(())
}

/// The lowest address from which on the stack is all zero, a whole number of steps below its top.
fn floor(memory: &[u8], top: u32) -> Option<u32> {
    let stack = memory.get(..top as usize)?;
    let used = stack.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let steps = (top - used as u32) / STACK_STEP;
    (steps > 0).then(|| top - steps * STACK_STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_shared_by_threads_and_runners_move_to_them() {
        fn shared<T: Send + Sync + Clone>() {}
        fn moved<T: Send>() {}
        shared::<Executable>();
        moved::<Runner>();
    }
}
