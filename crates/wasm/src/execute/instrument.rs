//! The instrumented module: the module under test with fuel metering, guarded stores and a loop that calls
//! each function over columns, all added as WebAssembly so that the engine's compiler works on it.
//!
//! Indices of the original module stay as they are; everything new comes after them.
//!
//! Fuel is charged here, at each entry of a function and at each turn of a loop, and not by the engine. wasmtime meters a store, whereas
//! each row of a column of calls needs a limit of its own, and the count must not change with the engine's release.

mod additions;
mod body;
mod copies;
mod driver;
mod fuel;
mod globals;
mod growth;
mod guard;
mod indices;
mod layout;
mod locations;
mod marks;
mod notes;
mod sections;

use std::collections::BTreeSet;

use dodona_subject::{Argument, Module, WasmType};

use crate::execute::variants::Variants;

pub(crate) use driver::FUEL_IN_RECORDS;
pub(crate) use globals::Globals;
pub(crate) use guard::{ESCAPED, Store};
use indices::Added;
pub use indices::Additions;
pub(crate) use indices::{StackPointer, stack_pointer};
pub(crate) use layout::{DriverLayout, ResultSlot};
pub(crate) use locations::Locations;
pub(crate) use marks::{MARKED_BYTES, MARKS, OUTSIDE, SPILLED, STATE};
pub(crate) use notes::Notes;
pub(crate) use sections::{first_pointer, instrument};

/// The names of what is added to the module's exports.
pub(crate) mod names {
    /// What all of them begin with.
    pub(crate) const PREFIX: &str = "dodona:";
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
    pub(crate) const LIMIT: &str = "dodona:limit";
    pub(crate) const VERSION: &str = "dodona:version";
    pub(crate) const ALTERNATIVE: &str = "dodona:alternative";
    pub(crate) const ALLOCATE: &str = "dodona:allocate";
    pub(crate) const START: &str = "dodona:start";

    pub(crate) fn driver(function: usize) -> String {
        format!("dodona:driver-{function}")
    }

    pub(crate) fn global(global: u32) -> String {
        format!("dodona:global-{global}")
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
    pub results: Vec<WasmType>,
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
    /// Functions that can run. The others are left without their code.
    pub kept: &'a BTreeSet<u32>,
    /// Functions of which only copies run. They are left with the switch to these.
    pub never_original: &'a BTreeSet<u32>,
    /// Functions whose stores are guarded.
    pub guarded: &'a BTreeSet<u32>,
    /// Functions whose stores are marked.
    pub marked: &'a BTreeSet<u32>,
    /// Whether memory that they grew is given back.
    pub limits_memory: bool,
    /// Fuel for start functions.
    pub fuel: u64,
    /// The allocator, to be exported under a known name.
    pub allocator: Option<u32>,
    /// The exports of the module itself that the host looks up. The others are left out: of each exported function the engine compiles an entry
    /// for the host, and it looks through all exports wherever code uses a global variable or memory.
    pub exported: &'a BTreeSet<&'a str>,
    /// Functions that code refers to as values: their exports stay too.
    pub referred: &'a BTreeSet<u32>,
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
    pub globals: Globals,
    /// Bytes of the largest function.
    pub largest: usize,
}
