//! One instance of the instrumented module, with what the host does to its memory around calls.
//!
//! The start function is called by the host. The engine would call it while it makes the instance, when nobody can read the instance's
//! fuel yet, and running out of fuel would look like a trap.

mod restored;
mod versions;

use dodona_subject::{Allocator, build::PANIC_HOOK};
use dodona_target::{Column, Malformed};
use wasmtime::{Memory, ModuleExport, Store, TypedFunc, Val};

use crate::execute::host::{Host, MemoryCap};
use crate::execute::instrument::{
    ESCAPED, FUEL_IN_RECORDS, GUARDS_OFF, LEAST_USED, Passed, STACK_KEPT, STACK_STEP,
};
use crate::execute::limits::PAGE;
use crate::execute::lower::{self, Layout};
use crate::execute::outcomes::{Stop, stop};
use crate::execute::residue::Residue;
use crate::execute::run::Run;
use crate::execute::said;
use crate::execute::shared::{Compiled, Driver, Prepared, Shared};
use crate::execute::start::{INITIALIZE, START, Unmade};
use crate::execute::wasi::Process;
use crate::execute::{Choice, HostError, Isolation, records, ticker};
use dodona_target::Until;

pub(crate) use restored::RestoredInstance;

/// An instance in its own store.
pub(crate) struct Instance {
    store: Store<Host>,
    instance: wasmtime::Instance,
    memory: Option<Memory>,
    columns: Memory,
    drivers: Vec<Option<DriverFunction>>,
    arena: Option<Arena>,
    /// What the globals say.
    choice: Choice,
}

/// The first row, the end row and the fuel of each; gives the row behind the last that was run.
type DriverFunction = TypedFunc<(u32, u32, i64), u32>;

/// The base of the arena of an instance that has none.
const NO_ARENA: u32 = u32::MAX - 255;

/// Memory for the arguments of one call.
#[derive(Clone, Copy, Debug)]
struct Arena {
    base: u32,
    /// Bytes from the base that may not be zero.
    dirty: u64,
}

/// Where the driver finds how much fuel a row may use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowFuel {
    /// So much for each.
    Same(u64),
    /// In the rows' records.
    InRecords,
}

/// How a guard stopped a row, which is then to be run in a fresh instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Violation {
    /// Before a store outside the stack and the arguments.
    Stored,
    /// Before an effect that no guard confines: only code that versions reach, or that would trap in the end.
    Escaped,
}

/// How a run of the driver stopped early.
pub(crate) struct Stopped {
    /// The row it was at.
    pub row: usize,
    /// Fuel that the row used.
    pub fuel: u64,
    pub violation: Option<Violation>,
    pub stop: Stop,
}

impl Instance {
    /// A fresh instance, initialised.
    ///
    /// # Errors
    /// When the pool is exhausted, or the module does not start.
    pub(crate) fn new(compiled: &Compiled) -> Result<Instance, Unmade> {
        Self::with_process(compiled, Process::default())
    }

    /// A fresh instance whose host functions serve this process.
    pub(crate) fn with_process(compiled: &Compiled, process: Process) -> Result<Instance, Unmade> {
        let cap = MemoryCap {
            limit: compiled.limits.memory,
            declared: compiled.declared_memory,
            arguments: 0,
            columns: compiled.notes.pages() * PAGE,
        };
        let host = Host { cap, process, memory: None, fuel: None, until: Until::default() };
        let mut store = Store::new(&compiled.engine, host);
        store.limiter(|host| &mut host.cap);
        if compiled.ticker.is_some() {
            ticker::listen(&mut store);
        }
        let instance = compiled.pre.instantiate(&mut store).map_err(|e| Unmade::instantiate(&e))?;
        let exported =
            |store: &mut Store<Host>, export: &ModuleExport| instance.get_module_export(store, export);
        let memory = compiled
            .exports
            .memory
            .as_ref()
            .and_then(|e| exported(&mut store, e))
            .and_then(|e| e.into_memory());
        let columns = exported(&mut store, &compiled.exports.columns).and_then(|e| e.into_memory());
        let columns = columns.ok_or_else(|| Unmade::Host("the columns memory was lost".to_owned()))?;
        store.data_mut().fuel = exported(&mut store, &compiled.exports.fuel).and_then(|e| e.into_global());
        store.data_mut().memory = memory;
        let mut made = Instance {
            store,
            instance,
            memory,
            columns,
            drivers: Vec::new(),
            arena: None,
            choice: Choice::default(),
        };
        made.initialize(compiled)?;
        Ok(made)
    }

    /// Calls what has to run before anything else: the module's start function, then `_initialize`.
    fn initialize(&mut self, compiled: &Compiled) -> Result<(), Unmade> {
        let exports = &compiled.exports;
        for (name, export) in [(START, &exports.started), (INITIALIZE, &exports.initialize)] {
            let Some(function) = export.as_ref().and_then(|export| self.function(export)) else { continue };
            let Ok(function) = function.typed::<(), ()>(&self.store) else { continue };
            if let Err(error) = function.call(&mut self.store, ()) {
                return Err(self.unstarted(name, compiled, &error));
            }
        }
        Ok(())
    }

    #[cold]
    fn unstarted(&mut self, name: &'static str, compiled: &Compiled, error: &wasmtime::Error) -> Unmade {
        let left = self.get(&compiled.exports.fuel);
        match stop(error, left, &compiled.locations) {
            Ok(stop) => Unmade::Start { name, said: self.said(&stop), stop },
            Err(error) => Unmade::Host(error.to_string()),
        }
    }

    /// Has the module keep the message of a panic, if it can: returns the address where it keeps it.
    pub(crate) fn set_panic_hook(&mut self) -> Option<u32> {
        let function = self.instance.get_func(&mut self.store, PANIC_HOOK)?;
        function.typed::<(), u32>(&self.store).ok()?.call(&mut self.store, ()).ok()
    }

    /// What the program said before it stopped, for people.
    pub(crate) fn said(&self, stop: &Stop) -> Option<String> {
        match stop.aborted {
            Some(aborted) => Some(aborted.words(self.memory())),
            None => said::on_standard_error(self.process().stderr()),
        }
    }

    fn function(&mut self, export: &ModuleExport) -> Option<wasmtime::Func> {
        self.instance.get_module_export(&mut self.store, export)?.into_func()
    }

    fn global(&mut self, export: &ModuleExport) -> Option<wasmtime::Global> {
        self.instance.get_module_export(&mut self.store, export)?.into_global()
    }

    fn get(&mut self, export: &ModuleExport) -> i64 {
        match self.global(export).map(|g| g.get(&mut self.store)) {
            Some(Val::I32(x)) => i64::from(x as u32),
            Some(Val::I64(x)) => x,
            _ => 0,
        }
    }

    fn set(&mut self, export: &ModuleExport, value: u32) {
        self.set_value(export, Val::I32(value as i32));
    }

    fn set_value(&mut self, export: &ModuleExport, value: Val) {
        if let Some(global) = self.global(export) {
            // Every global set here is a mutable one of the value's type that instrumentation added.
            let set = global.set(&mut self.store, value);
            debug_assert!(set.is_ok());
        }
    }

    /// The module's memory; empty when it has none.
    pub(crate) fn memory(&self) -> &[u8] {
        self.memory.map_or(&[], |m| m.data(&self.store))
    }

    /// The records of the columns memory.
    pub(crate) fn records(&mut self) -> &mut [u8] {
        self.columns.data_mut(&mut self.store)
    }

    /// What the process wrote.
    pub(crate) fn process(&self) -> &Process {
        &self.store.data().process
    }

    /// Fuel left; below zero when it ran out.
    pub(crate) fn fuel_left(&mut self, shared: &Shared) -> i64 {
        self.get(&shared.compiled.exports.fuel)
    }

    /// Turns guards on: from now on calls leave no trace, or stop.
    pub(crate) fn enable_guards(&mut self, shared: &Shared) {
        if let Some((_, floor)) = shared.stack {
            self.set(&shared.compiled.exports.floor, floor);
        }
        // Until there is an arena it lies where there is never memory.
        self.set(&shared.compiled.exports.arena_low, NO_ARENA);
        self.set(&shared.compiled.exports.arena_end, NO_ARENA);
        self.set(&shared.compiled.exports.arena_used, LEAST_USED as u32);
        self.set(&shared.compiled.exports.depth, STACK_STEP);
        self.set(&shared.compiled.exports.guarding, 1);
    }

    /// When calls are given up, where they may take seconds.
    fn until(&mut self, shared: &Shared, until: &Until) {
        if shared.compiled.ticker.is_some() {
            self.store.data_mut().until = until.clone();
        }
    }

    /// Runs a command from its start.
    pub(crate) fn start(
        &mut self,
        shared: &Shared,
        prepared: &Prepared,
        until: &Until,
    ) -> Result<(), wasmtime::Error> {
        self.until(shared, until);
        let function = prepared.start.as_ref().and_then(|export| self.function(export));
        let Some(function) = function else { return Ok(()) };
        function.typed::<(), ()>(&self.store)?.call(&mut self.store, ())
    }

    /// Runs the driver over the records from `first` up to `end`, the chosen version of each function. It comes back sooner where
    /// rows take long: gives the row behind the last that was run.
    ///
    /// # Errors
    /// The row at which it stopped; nested: the host's own failures.
    pub(crate) fn run(
        &mut self,
        run: &Run<'_>,
        first: usize,
        end: usize,
        fuel: RowFuel,
    ) -> Result<Result<usize, Stopped>, HostError> {
        let engine = |message: String| HostError::Engine { function: None, message };
        self.choose(run.shared, run.choice);
        let function = run.function;
        if self.drivers.len() <= function {
            self.drivers.resize(run.shared.functions.len(), None);
        }
        if self.drivers[function].is_none() {
            let found =
                self.function(&run.driver.export).ok_or_else(|| engine("a driver was lost".into()))?;
            let typed = found.typed(&self.store).map_err(|e| engine(format!("{e:#}")))?;
            self.drivers[function] = Some(typed);
        }
        self.until(run.shared, run.until);
        let Some(driver) = &self.drivers[function] else { return Ok(Ok(end)) };
        let tank = match fuel {
            RowFuel::Same(fuel) => fuel as i64,
            RowFuel::InRecords => FUEL_IN_RECORDS,
        };
        match driver.call(&mut self.store, (first as u32, end as u32, tank)) {
            Ok(done) => Ok(Ok(done as usize)),
            Err(error) => self.stopped(run.shared, run.driver, fuel, &error).map(Err),
        }
    }

    #[cold]
    fn stopped(
        &mut self,
        shared: &Shared,
        driver: &Driver,
        fuel: RowFuel,
        error: &wasmtime::Error,
    ) -> Result<Stopped, HostError> {
        let exports = &shared.compiled.exports;
        let left = self.get(&exports.fuel);
        let row = self.get(&exports.row) as usize;
        let given = match fuel {
            RowFuel::Same(fuel) => fuel,
            // Only a row that returns writes what it used over its limit.
            RowFuel::InRecords => {
                records::slot(self.records(), row * driver.layout.stride + driver.layout.fuel)
            }
        };
        let violation = match self.get(&exports.violated) as i32 {
            0 => None,
            ESCAPED => Some(Violation::Escaped),
            _ => Some(Violation::Stored),
        };
        let stopped = Stopped {
            row,
            fuel: given.saturating_sub(left.max(0) as u64),
            violation,
            stop: stop(error, left, &shared.compiled.locations)?,
        };
        self.set(&exports.violated, 0);
        self.clean_stack(shared);
        if let Some(arena) = self.arena {
            let high = self.get(&exports.arena_high) as u64;
            self.touched(high.saturating_sub(arena.base.into()));
        }
        Ok(stopped)
    }

    /// Zeroes what a stopped call left on the stack, as the driver does after one that returns.
    fn clean_stack(&mut self, shared: &Shared) {
        let Some((stack, _)) = shared.stack else { return };
        let depth = self.get(&shared.compiled.exports.depth) as u32;
        if depth == GUARDS_OFF as u32 {
            return;
        }
        if let Some(memory) = self.memory {
            let top = stack.top as usize;
            memory.data_mut(&mut self.store)[top - depth as usize..top].fill(0);
        }
        self.set(&shared.compiled.exports.depth, depth.min(STACK_KEPT));
    }

    /// Notes that this many bytes of the arena may hold something.
    pub(crate) fn touched(&mut self, bytes: u64) {
        if let Some(arena) = &mut self.arena {
            arena.dirty = arena.dirty.max(bytes);
        }
    }

    /// Makes the arena of an instance that has none yet.
    ///
    /// # Errors
    /// [`Malformed::Allocation`] when the module gives no memory.
    pub(crate) fn ensure_arena(
        &mut self,
        shared: &Shared,
        isolation: &Isolation,
        capacity: u64,
    ) -> Result<(), Malformed> {
        if self.arena.is_some() {
            return Ok(());
        }
        // The allocator writes where it likes: what it leaves is the same in each instance.
        let guarding = self.get(&shared.compiled.exports.guarding) as u32;
        self.set(&shared.compiled.exports.guarding, 0);
        let base = self.allocate(shared, capacity).ok_or(Malformed::Allocation)?;
        self.set(&shared.compiled.exports.guarding, guarding);
        let low = base.checked_next_multiple_of(16).ok_or(Malformed::Allocation)?;
        let end = u64::from(low) + capacity;
        let memory = self.memory.ok_or(Malformed::Allocation)?.data_mut(&mut self.store);
        if end > memory.len() as u64 {
            return Err(Malformed::Allocation);
        }
        let (low, end) = (low as usize, end as usize);
        let residue =
            shared.residues.of(capacity, || Residue::look(shared.allocator, shared.stack, memory, low..end));
        memory[low..low + residue.arena].fill(0);
        // Only for functions that share instances: their fresh instances must show the same bytes. What counts as stack
        // may begin with zeroed statics, the allocator's own among them, and those that share never allocate.
        if let (Some((stack, _)), Isolation::Reused(_)) = (shared.stack, isolation) {
            memory[stack.top as usize - residue.stack..stack.top as usize].fill(0);
        }
        let low = low as u32;
        self.set(&shared.compiled.exports.arena_low, low);
        self.set(&shared.compiled.exports.arena_end, end as u32);
        self.arena = Some(Arena { base: low, dirty: 0 });
        Ok(())
    }

    fn allocate(&mut self, shared: &Shared, capacity: u64) -> Option<u32> {
        // Room to align what the allocator gives.
        let size = i32::try_from(capacity + 16).ok()?;
        if capacity > shared.compiled.limits.memory.max(64 << 10) {
            return None;
        }
        let given = match shared.allocator {
            Allocator::Pages => return self.grow(capacity),
            Allocator::Malloc(_) => {
                let function = self.function(shared.compiled.exports.allocate.as_ref()?)?;
                function.typed::<i32, i32>(&self.store).ok()?.call(&mut self.store, size)
            }
            Allocator::Realloc(_) => {
                let function = self.function(shared.compiled.exports.allocate.as_ref()?)?;
                let typed = function.typed::<(i32, i32, i32, i32), i32>(&self.store).ok()?;
                typed.call(&mut self.store, (0, 0, 16, size))
            }
        };
        given.ok().map(|address| address as u32).filter(|address| *address != 0)
    }

    fn grow(&mut self, capacity: u64) -> Option<u32> {
        let memory = self.memory?;
        let before = memory.data_size(&self.store) as u64;
        self.store.data_mut().cap.arguments += capacity;
        memory.grow(&mut self.store, capacity / PAGE).ok()?;
        u32::try_from(before).ok()
    }

    /// Writes the row's arguments into the arena and the first record.
    ///
    /// # Errors
    /// The index of the first parameter whose value is not of its type.
    pub(crate) fn lower(
        &mut self,
        prepared: &Prepared,
        driver: &Driver,
        arguments: &[Column],
        row: usize,
        layout: &Layout,
    ) -> Result<(), usize> {
        let base = self.arena.map_or(0, |a| a.base);
        if let (Some(arena), Some(memory)) = (&mut self.arena, self.memory) {
            let room = &mut memory.data_mut(&mut self.store)[arena.base as usize..];
            room[..arena.dirty as usize].fill(0);
            arena.dirty = layout.end.max(LEAST_USED);
            lower::write(&prepared.function, arguments, row, layout, room)?;
        }
        let records = self.columns.data_mut(&mut self.store);
        if driver.in_memory {
            let at = driver.layout.arena_used;
            let used = self.arena.map_or(LEAST_USED, |arena| arena.dirty);
            records[at..at + 8].copy_from_slice(&used.to_le_bytes());
        }
        let mut offset = 0;
        for argument in &driver.layout.arguments {
            let Passed::Slot(_, argument) = argument else { continue };
            let bits = lower::argument(&prepared.function, argument, arguments, row, layout, base)?;
            records[offset..offset + 8].copy_from_slice(&bits.to_le_bytes());
            offset += 8;
        }
        Ok(())
    }

    /// Notes the end of what a call that returned wrote to the arena, so that it is zeroed.
    pub(crate) fn note_arena(&mut self, high: u32) {
        if let Some(arena) = self.arena {
            self.touched(high.saturating_sub(arena.base).into());
        }
    }

    /// The address of the arena.
    pub(crate) fn arena_base(&self) -> u32 {
        self.arena.map_or(0, |a| a.base)
    }

    /// The first record with the memory, for lifting.
    pub(crate) fn returned(&self) -> (&[u8], &[u8]) {
        (self.columns.data(&self.store), self.memory())
    }
}
