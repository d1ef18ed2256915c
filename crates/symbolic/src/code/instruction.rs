//! Instructions with their jumps resolved.

use dodona_smt::term::Term;

use super::Numeric;

/// An instruction as it is executed.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// A structural operator that does nothing when it is reached: `block`, `end`, `nop`.
    Nothing,
    /// The start of a loop, entered from above.
    Loop,
    Unreachable,
    Constant(Term),
    LocalGet(u32),
    LocalSet(u32),
    LocalTee(u32),
    GlobalGet(u32),
    GlobalSet(u32),
    Drop,
    Select,
    Numeric(Numeric),
    Load(Load),
    Store(Store),
    MemorySize,
    MemoryGrow,
    MemoryCopy,
    MemoryFill,
    MemoryInit(u32),
    DataDrop(u32),
    /// A jump to the instruction after an `else` arm.
    Goto(u32),
    Jump(Target),
    /// `br_if` with its first edge: not taken, taken.
    JumpIf(Target, u32),
    /// `if`: the instruction that follows if the condition is zero, and the first of its two edges.
    If(u32, u32),
    Switch(Box<Switch>),
    Return,
    Call(u32),
    CallIndirect {
        ty: u32,
        table: u32,
    },
    /// An instruction that is not supported, by name.
    Unsupported(Box<str>),
}

/// Where a branch leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub pc: u32,
    /// Operands of the frame below the block.
    pub height: u32,
    /// Operands on top that are kept.
    pub keep: u32,
    /// Whether it leads back to the start of a loop.
    pub back: bool,
}

/// A `br_table`.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// For each direction its target.
    pub targets: Vec<Target>,
    /// For each index its direction, the default's last.
    pub table: Vec<u32>,
    /// The edge of direction 0.
    pub edge: u32,
}

/// A load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub offset: u64,
    pub bytes: u8,
    pub signed: bool,
    pub to: dodona_smt::term::Sort,
}

/// A store of the low bytes of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Store {
    pub offset: u64,
    pub bytes: u8,
}
