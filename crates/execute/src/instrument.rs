//! The instrumented module: the module under test with fuel metering, guarded stores and a loop that calls
//! each function over columns, all added as WebAssembly so that the engine's compiler works on it.
//!
//! Indices of the original module stay as they are; everything new comes after them.

mod additions;
mod body;
mod copies;
mod driver;
mod fuel;
mod guard;
mod locations;
mod notes;
mod sections;

use std::collections::BTreeSet;

use dodona_subject::{Argument, Module, WasmType};

use crate::variants::Variants;

pub(crate) use driver::{DriverLayout, FUEL_IN_RECORDS};
pub(crate) use guard::{ESCAPED, Store};
pub(crate) use locations::Locations;
pub(crate) use notes::Notes;
pub(crate) use sections::{first_pointer, instrument};

/// The names of what is added to the module's exports.
pub(crate) mod names {
    pub(crate) const MEMORY: &str = "dodona:memory";
    pub(crate) const COLUMNS: &str = "dodona:columns";
    pub(crate) const FUEL: &str = "dodona:fuel";
    pub(crate) const ROW: &str = "dodona:row";
    pub(crate) const DEPTH: &str = "dodona:depth";
    pub(crate) const FLOOR: &str = "dodona:floor";
    pub(crate) const GUARDING: &str = "dodona:guarding";
    pub(crate) const ARENA_LOW: &str = "dodona:arena-low";
    pub(crate) const ARENA_END: &str = "dodona:arena-end";
    pub(crate) const ARENA_HIGH: &str = "dodona:arena-high";
    pub(crate) const ARENA_USED: &str = "dodona:arena-used";
    pub(crate) const VIOLATED: &str = "dodona:violated";
    pub(crate) const VERSION: &str = "dodona:version";
    pub(crate) const ALTERNATIVE: &str = "dodona:alternative";
    pub(crate) const ALLOCATE: &str = "dodona:allocate";

    pub(crate) fn driver(function: usize) -> String {
        format!("dodona:driver-{function}")
    }
}

/// Bytes of stack that are zeroed between two rows in one go, and the least that is assumed dirty.
pub(crate) const STACK_STEP: u32 = 64;

/// The most stack that stays assumed dirty from one row to the next: stores within it need no slow path.
pub(crate) const STACK_KEPT: u32 = 256;

/// The fewest bytes of the arena that count as used: as many as the widest store.
pub(crate) const LEAST_USED: u64 = 16;

/// The value of the depth global while guards are off: every store counts as inside.
pub(crate) const GUARDS_OFF: i32 = -1;

/// A function that gets a driver.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The function's index in the module.
    pub index: u32,
    /// Its WebAssembly arguments, with the index in the table where it is a function pointer.
    pub arguments: Vec<Passed>,
    /// What comes back, if the caller wants it.
    pub result: Option<WasmType>,
    /// Whether the call has arguments or results in linear memory, and so runs a row at a time.
    pub in_memory: bool,
    /// Whether the stack must be zeroed between rows.
    pub zeroes_stack: bool,
}

/// A WebAssembly argument as the driver passes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Passed {
    /// Read from the row's record.
    Slot(WasmType, Argument),
    /// The same in every row.
    Constant(WasmType, i64),
}

/// What to add to a module.
pub(crate) struct Plan<'a> {
    pub module: &'a Module,
    /// One for each function under test; none for commands.
    pub targets: &'a [Option<Target>],
    /// Functions whose stores are guarded.
    pub guarded: &'a BTreeSet<u32>,
    /// Fuel for start functions.
    pub fuel: u64,
    /// The allocator, to be exported under a known name.
    pub allocator: Option<u32>,
    /// Functions to put into the table behind what is there.
    pub pointers: &'a [u32],
    pub variants: &'a Variants,
}

/// An instrumented module.
pub(crate) struct Instrumented {
    pub bytes: Vec<u8>,
    pub drivers: Vec<Option<DriverLayout>>,
    pub locations: Locations,
    pub notes: Notes,
    /// Bytes of the largest function.
    pub largest: usize,
}

/// The indices of what is added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Added {
    pub fuel: u32,
    pub row: u32,
    pub depth: u32,
    pub floor: u32,
    pub guarding: u32,
    pub arena_low: u32,
    pub arena_end: u32,
    pub arena_high: u32,
    /// Bytes of the arena that the row's arguments take up, never less than [`LEAST_USED`].
    pub arena_used: u32,
    pub violated: u32,
    /// The version that runs. This and the next two exist only in modules with variants.
    pub version: u32,
    /// What patches switch on.
    pub alternative: u32,
    /// The address of the row's notes.
    pub notes: u32,
    /// The memory of columns, with the notes behind them.
    pub columns: u32,
    /// `charge(units: i64)`.
    pub charge: u32,
    /// `guard(address: i64, bytes: i64)`.
    pub guard: u32,
    /// Functions with lower indices are the host's.
    pub imported: u32,
    /// Whether code may call the host through a table.
    pub host_in_tables: bool,
    /// The stack pointer of the module with its value between calls.
    pub stack: Option<StackPointer>,
}

/// The module's stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StackPointer {
    pub global: u32,
    /// Its value between calls: the stack grows down from here.
    pub top: u32,
}

/// The module's stack pointer, where it follows the tool conventions.
pub(crate) fn stack_pointer(module: &Module) -> Option<StackPointer> {
    let global = module.stack_pointer()?;
    let top = module.globals().get(global as usize)?.i32_init?;
    Some(StackPointer { global, top: top as u32 })
}

impl Added {
    pub(crate) fn new(module: &Module) -> Added {
        let g = module.globals().len() as u32;
        let f = module.function_count();
        Added {
            fuel: g,
            row: g + 1,
            depth: g + 2,
            floor: g + 3,
            guarding: g + 4,
            arena_low: g + 5,
            arena_end: g + 6,
            arena_high: g + 7,
            arena_used: g + 8,
            violated: g + 9,
            version: g + 10,
            alternative: g + 11,
            notes: g + 12,
            columns: module.memories().len() as u32,
            charge: f,
            guard: f + 1,
            imported: module.imported_functions(),
            host_in_tables: module.indirect_targets().iter().any(|f| *f < module.imported_functions()),
            stack: stack_pointer(module),
        }
    }

    /// The index of the first driver.
    pub(crate) fn first_driver(&self) -> u32 {
        self.guard + 1
    }
}
