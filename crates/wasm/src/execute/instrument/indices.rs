//! The indices of what instrumentation adds to a module, behind the module's own.

use dodona_subject::Module;

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
    /// Bytes of the arena that the row's arguments take up, never less than [`LEAST_USED`](super::LEAST_USED).
    pub arena_used: u32,
    pub violated: u32,
    /// The end of the memory that the code under test sees, in bytes.
    pub limit: u32,
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
    /// `mark(address: i32, bytes: i32)`.
    pub mark: u32,
    /// `needed(pages: i32) -> i32`.
    pub needed: u32,
    /// `grown(before: i32, pages: i32) -> i32`.
    pub grown: u32,
    /// `within(address: i32, bytes: i32)`.
    pub within: u32,
    /// The address of the marks in the memory of columns.
    pub marks: u32,
    /// Whether functions that mark what they write see a memory with a limit.
    pub limits_memory: bool,
    /// Functions with lower indices are the host's.
    pub imported: u32,
    /// Whether code may call the host through a table.
    pub host_in_tables: bool,
    /// The stack pointer of the module with its value between calls.
    pub stack: Option<StackPointer>,
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
            limit: g + 10,
            version: g + 11,
            alternative: g + 12,
            notes: g + 13,
            columns: module.memories().len() as u32,
            charge: f,
            guard: f + 1,
            mark: f + 2,
            needed: f + 3,
            grown: f + 4,
            within: f + 5,
            marks: 0,
            limits_memory: false,
            imported: module.imported_functions(),
            host_in_tables: module.indirect_targets().iter().any(|f| *f < module.imported_functions()),
            stack: stack_pointer(module),
        }
    }

    /// The index of the first driver.
    pub(crate) fn first_driver(&self) -> u32 {
        self.within + 1
    }
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

/// Indices, in the instrumented module, of what patches may use beside everything that the module has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Additions {
    /// An i32 global that the host sets to [`Choice::alternative`](crate::execute::Choice::alternative), for patches that hold several mutations.
    pub alternative: u32,
    /// An i32 global: the byte address of this row's notes.
    pub notes: u32,
    /// The index of the memory that the notes lie in: bit `i` is bit `i % 8` of the byte at `i / 8`.
    pub memory: u32,
}

impl Additions {
    /// The indices in the instrumented form of a module.
    pub fn of(module: &Module) -> Additions {
        let added = Added::new(module);
        Additions { alternative: added.alternative, notes: added.notes, memory: added.columns }
    }
}
