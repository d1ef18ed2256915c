//! A module ready to run: checked, analysed, instrumented and compiled once.

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_subject::{Function, Limits, Module, build::PANIC_HOOK, reachable};
use wasm_encoder::Instruction;
use wasmtime::{Engine, Linker};

use crate::execute::engine::Trapping;
use crate::execute::instance::Instance;
use crate::execute::instrument::{
    DriverLayout, Instrumented, Plan, STACK_STEP, StackPointer, Store, Target, instrument, names,
    stack_pointer,
};
use crate::execute::isolation::{CallInstances, Effect, Isolation, analyse_with};
use crate::execute::kept::{kept, never_original, referred};
use crate::execute::residue::Residues;
use crate::execute::shared::{Compiled, Driver, Exports, INITIALIZE, Prepared, Shared, export};
use crate::execute::ticker::{self, Ticker};
use crate::execute::{
    Called, LoadError, Options, Runner, TrapPlaces, Variants, allocator, engine, imports, prepare,
};

/// A module ready to run its functions under test. Cheap to clone, and shared by threads: each makes its own
/// [`Runner`].
#[derive(Clone)]
pub struct Executable {
    pub(crate) shared: Arc<Shared>,
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
    /// use dodona_wasm::execute::{Executable, Options};
    /// use dodona_subject::*;
    /// use dodona_target::*;
    ///
    /// let wasm = wat::parse_str(r#"(module (func (export "half") (param f64) (result f64)
    ///     (f64.div (local.get 0) (f64.const 2))))"#).unwrap();
    /// let parameters = vec![(Parameter::new("x", Type::Scalar(Scalar::F64)), Lowering::Value)];
    /// let half = Function::new("half", parameters, ResultLowering::Value(Scalar::F64));
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
        prepare::check_memories(module, &options.limits)?;
        prepare::check_exports(module)?;
        imports::check(module)?;
        let allocator = allocator::find(module, options.allocator.as_deref())?;
        let pointers = prepare::pointers(module, functions);
        let mut isolations = isolations(module, functions, &pointers, variants, &options.called);
        let targets = targets(module, functions, &isolations, &pointers)?;
        let calls = functions.iter().zip(&isolations).filter(|(_, isolation)| isolation.is_some());
        let mut kept = kept(module, calls.map(|(function, _)| function), &pointers, allocator, variants);
        if options.trap_places == TrapPlaces::WithCallers {
            kept.extend(reachable(module, &module.export_function(PANIC_HOOK).into_iter().collect()));
        }
        let marked = marked(module, functions, &isolations, &pointers, variants, &kept);
        let mut instrumented = instrument(&Plan {
            module,
            targets: &targets,
            kept: &kept,
            never_original: &never_original(module, allocator, variants),
            guarded: &guarded(&isolations),
            marked: &marked,
            limits_memory: isolations.iter().flatten().any(Isolation::grows_memory),
            fuel: options.limits.fuel.0,
            allocator: allocator.function(),
            exported: &exported(functions, &isolations),
            referred: &referred(module, &kept, variants),
            pointers: &pointers,
            variants,
        })?;
        let layouts = std::mem::take(&mut instrumented.drivers);
        // Code that asks for the clock takes more stack in a copy of a function than in the function itself, and a mutant must not
        // run out of stack where its original does not. So calls of versions are given up between rows only.
        let gives_up = ticker::is_needed(&options.limits) && variants.is_empty();
        let trapping = trapping(&isolations, variants);
        let code = engine::Code { largest: instrumented.largest, bytes: instrumented.bytes.len() };
        let engine = engine::engine(&options.limits, trapping, code, gives_up, options.trap_places)?;
        let compiled = compile(engine, gives_up, instrumented, module, &options.limits)?;
        let probe = Instance::new(&compiled).map_err(|unmade| unmade.refusal(&options.limits))?;
        let stack = restored_stack(&probe, module, &mut isolations);
        drop(probe);
        let prepared = prepared(&compiled, functions, isolations, &targets, layouts, &marked)?;
        let (functions, residues) = (functions.to_vec(), Residues::default());
        Ok(Executable {
            shared: Arc::new(Shared { compiled, functions, prepared, allocator, residues, stack }),
        })
    }

    /// The functions under test, in the order given.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = &Function> {
        self.shared.functions()
    }

    /// Whether calls of a function share an instance, and why not.
    ///
    /// # Panics
    /// When there is no such function, or it is not one of those that [are called](crate::execute::Called).
    pub fn isolation(&self, function: usize) -> &Isolation {
        &self.shared.called(function).isolation
    }

    /// The instances that calls of a function run in.
    ///
    /// # Panics
    /// When there is no such function, or it is not one of those that [are called](crate::execute::Called).
    pub fn instances(&self, function: usize) -> CallInstances {
        self.shared.called(function).instances
    }

    /// A runner for one thread.
    pub fn runner(&self) -> Runner {
        Runner::new(Arc::clone(&self.shared))
    }
}

impl std::fmt::Debug for Executable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.shared.fmt(f)
    }
}

/// Whether calls of each function that is called share an instance, whatever versions run.
fn isolations(
    module: &Module,
    functions: &[Function],
    pointers: &[u32],
    variants: &Variants,
    called: &Called,
) -> Vec<Option<Isolation>> {
    let isolation =
        |(index, function)| called.includes(index).then(|| analyse_with(module, function, pointers));
    let mut isolations: Vec<Option<Isolation>> = functions.iter().enumerate().map(isolation).collect();
    if !variants.is_empty() {
        confine(&mut isolations, variants, !module.memories().is_empty());
    }
    isolations
}

/// How the driver of each function calls it; none for functions that are not called, and for commands. What is wrong with a function
/// is told also if it is not called.
fn targets(
    module: &Module,
    functions: &[Function],
    isolations: &[Option<Isolation>],
    pointers: &[u32],
) -> Result<Vec<Option<Target>>, LoadError> {
    let target = |(function, isolation): (&Function, &Option<Isolation>)| {
        let target = prepare::target(module, function, isolation.as_ref(), pointers)?;
        Ok(target.filter(|_| isolation.is_some()))
    };
    functions.iter().zip(isolations).map(target).collect()
}

/// The exports that the host calls without a driver: those of commands that are called, and what starts a module and tells of its panics.
fn exported<'a>(functions: &'a [Function], isolations: &[Option<Isolation>]) -> BTreeSet<&'a str> {
    let called = functions.iter().zip(isolations).filter(|(_, isolation)| isolation.is_some());
    let commands = called.map(|(function, _)| function).filter(|function| function.is_command());
    commands.map(|command| command.export.as_str()).chain([INITIALIZE, PANIC_HOOK]).collect()
}

/// Mutants trap often, and where calls get fresh instances the operating system would have to protect what each grew.
fn trapping(isolations: &[Option<Isolation>], variants: &Variants) -> Trapping {
    let all_reused = isolations.iter().flatten().all(Isolation::is_reused);
    if all_reused && variants.is_empty() { Trapping::BySignals } else { Trapping::ByTests }
}

fn guarded(isolations: &[Option<Isolation>]) -> BTreeSet<u32> {
    let mut functions = BTreeSet::new();
    for isolation in isolations.iter().flatten() {
        if let Isolation::Reused(reused) = isolation {
            functions.extend(&reused.functions);
        }
    }
    functions
}

/// The functions that mark what they write: all that can run in a call whose instance is restored.
fn marked(
    module: &Module,
    functions: &[Function],
    isolations: &[Option<Isolation>],
    pointers: &[u32],
    variants: &Variants,
    kept: &BTreeSet<u32>,
) -> BTreeSet<u32> {
    let called = functions.iter().zip(isolations);
    let restored = called.filter(|(_, isolation)| isolation.as_ref().is_some_and(Isolation::is_restorable));
    let mut roots: BTreeSet<u32> =
        restored.filter_map(|(function, _)| module.export_function(&function.export)).collect();
    match (roots.is_empty(), variants.is_empty()) {
        (true, _) => roots,
        // A version may call what its original did not.
        (false, false) => kept.clone(),
        (false, true) => {
            roots.extend(pointers);
            reachable(module, &roots)
        }
    }
}

/// What holds of reused instances whatever versions reach: see [`Guards::Confined`](crate::execute::instrument).
fn confine(isolations: &mut [Option<Isolation>], variants: &Variants, has_memory: bool) {
    let stores = |i: &Isolation| matches!(i, Isolation::Reused(reused) if reused.stores);
    let stores = has_memory && store_to_memory(variants) || isolations.iter().flatten().any(stores);
    for isolation in isolations.iter_mut().flatten() {
        if let Isolation::Reused(reused) = isolation {
            // A version may call what its original did not.
            reused.stores |= stores;
            // Code that could leave a trace is not run in them at all.
            reused.discards_after_trap = false;
        }
    }
}

/// Whether a patch stores to the module's own memory.
fn store_to_memory(variants: &Variants) -> bool {
    let code = variants.copies.iter().flat_map(|copy| &copy.patches).flat_map(|patch| &patch.code);
    code.into_iter().any(|instruction| match instruction {
        Instruction::MemoryFill(memory)
        | Instruction::MemoryCopy { dst_mem: memory, .. }
        | Instruction::MemoryInit { mem: memory, .. } => *memory == 0,
        other => Store::of(other).is_some_and(|store| store.memory == 0),
    })
}

fn declared_memory(module: &Module) -> Option<u64> {
    match module.memories() {
        [only] => only.maximum.map(|pages| pages.saturating_mul(crate::execute::limits::PAGE)),
        _ => None,
    }
}

/// Compiles an instrumented module.
fn compile(
    engine: Engine,
    gives_up: bool,
    instrumented: Instrumented,
    module: &Module,
    limits: &Limits,
) -> Result<Compiled, LoadError> {
    let refuse = |e: wasmtime::Error| LoadError::Compile { message: format!("{e:#}") };
    let compiled = wasmtime::Module::new(&engine, &instrumented.bytes).map_err(refuse)?;
    let mut linker = Linker::new(&engine);
    imports::offer(&mut linker, &compiled).map_err(refuse)?;
    let mistyped = |e: wasmtime::Error| LoadError::ImportType { message: format!("{e:#}") };
    Ok(Compiled {
        pre: linker.instantiate_pre(&compiled).map_err(mistyped)?,
        exports: Exports::of(&compiled, &instrumented.globals)?,
        ticker: gives_up.then(|| Ticker::start(&engine)),
        engine,
        locations: instrumented.locations,
        limits: *limits,
        declared_memory: declared_memory(module),
        notes: instrumented.notes,
    })
}

/// The stack that reused instances restore, with its floor, as it is in a fresh instance. Where the module has a stack that cannot
/// be restored, functions that store need fresh instances from now on.
fn restored_stack(
    fresh: &Instance,
    module: &Module,
    isolations: &mut [Option<Isolation>],
) -> Option<(StackPointer, u32)> {
    let stack = stack_pointer(module)?;
    let floor = floor(fresh.memory(), stack.top);
    if floor.is_none() {
        for isolation in isolations.iter_mut().flatten() {
            if matches!(isolation, Isolation::Reused(reused) if reused.stores) {
                *isolation = Isolation::fresh(Effect::NoStack);
            }
        }
    }
    floor.map(|floor| (stack, floor))
}

/// The functions under test that are called, each with its driver.
fn prepared(
    compiled: &Compiled,
    functions: &[Function],
    isolations: Vec<Option<Isolation>>,
    targets: &[Option<Target>],
    layouts: Vec<Option<DriverLayout>>,
    marked: &BTreeSet<u32>,
) -> Result<Vec<Option<Prepared>>, LoadError> {
    let module = compiled.pre.module();
    let mut prepared = Vec::new();
    let parts = functions.iter().zip(isolations).zip(targets).zip(layouts);
    for (index, (((function, isolation), target), layout)) in parts.enumerate() {
        let Some(isolation) = isolation else {
            prepared.push(None);
            continue;
        };
        let driver = match (target, layout) {
            (Some(target), Some(layout)) => Some(Driver {
                export: export(module, &names::driver(index))?,
                layout,
                in_memory: target.in_memory,
            }),
            _ => None,
        };
        let start = match driver {
            Some(_) => None,
            None => module.get_export_index(&function.export),
        };
        let is_marked = target.as_ref().is_some_and(|target| marked.contains(&target.index));
        let instances = match isolation.is_reused() {
            true => CallInstances::Reused,
            false if is_marked && isolation.is_restorable() => CallInstances::Restored,
            false => CallInstances::Fresh,
        };
        prepared.push(Some(Prepared { function: function.clone(), isolation, instances, driver, start }));
    }
    Ok(prepared)
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

    /// Whether the instance of a function is restored, for a body that its module has.
    fn is_restored(body: &str) -> bool {
        let wat = format!(
            r#"(module (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
            (memory 1) (table 1 funcref) (global $n (mut i32) (i32.const 0)) (func (export "f") {body}))"#
        );
        let module = Module::parse(wat::parse_str(wat).expect("text")).expect("a module");
        let f = Function::new("f", vec![], dodona_subject::ResultLowering::None);
        let executable = Executable::load(&module, &[f], &Options::default()).expect("it loads");
        executable.instances(0) == CallInstances::Restored
    }

    #[test]
    fn instances_are_restored_where_all_that_calls_change_can_be() {
        assert!(is_restored("(i32.store (i32.const 8) (i32.const 1))"));
        assert!(is_restored("(global.set $n (i32.const 1))"));
        assert!(is_restored("(drop (memory.grow (i32.const 1)))"));
        assert!(!is_restored("(drop (call $yield))"));
        assert!(!is_restored("(table.set (i32.const 0) (ref.null func))"));
        assert!(!is_restored("nop"), "its instance is reused");
    }

    /// How many exports the compiled module has, of this many functions under test, and whether one of them is called or all are.
    fn exports(count: usize, called: Called) -> usize {
        let code = (0..count).map(|n| format!("(func (export \"f{n}\") (global.set $n (i32.const {n})))"));
        let wat = format!("(module (global $n (mut i32) (i32.const 0)) {})", code.collect::<String>());
        let module = Module::parse(wat::parse_str(wat).expect("text")).expect("a module");
        let functions: Vec<Function> = (0..count)
            .map(|n| Function::new(&format!("f{n}"), vec![], dodona_subject::ResultLowering::None))
            .collect();
        let options = Options { called, ..Options::default() };
        let executable = Executable::load(&module, &functions, &options).expect("it loads");
        executable.shared.compiled.pre.module().exports().count()
    }

    #[test]
    fn only_what_is_called_is_exported() {
        // Compiling an access to a global variable takes time with the number of exports.
        let one = |count| exports(count, Called::Only([1].into()));
        assert_eq!(one(2000), one(2));
        assert_eq!(exports(50, Called::All), one(2) + 49, "a driver for each");
    }

    #[test]
    fn what_code_refers_to_stays_exported() {
        let wat = r#"(module (func $g (export "g")) (func (export "f") (drop (ref.func $g))))"#;
        let module = Module::parse(wat::parse_str(wat).expect("text")).expect("a module");
        let f = Function::new("f", vec![], dodona_subject::ResultLowering::None);
        Executable::load(&module, &[f], &Options::default()).expect("it loads");
    }

    #[test]
    fn executables_are_shared_by_threads_and_runners_move_to_them() {
        fn shared<T: Send + Sync + Clone>() {}
        fn moved<T: Send>() {}
        shared::<Executable>();
        moved::<Runner>();
    }
}
