//! Changes of code that mutation operators propose.
//!
//! A change replaces what one instruction computes, or the operands that it computes with. All its code is
//! given relative to the instruction's operands, so that the same change can be written into a module of its own, be one arm
//! of a switch, and be evaluated beside the original.

use wasm_encoder::Instruction;

use crate::MutationOperator;

/// A step of replacing code.
#[derive(Clone, Debug)]
pub enum Step {
    /// Pushes an operand of the original instruction, counted from the first pushed.
    Operand(u32),
    /// Pushes a value that an earlier edit of the same change kept with [`Step::Keep`].
    Kept,
    /// Pops an `i32` and keeps it for a later edit of the same change.
    Keep,
    /// Executes an instruction. Never a block, a branch or anything else that speaks of labels.
    Do(Instruction<'static>),
}

/// What the code of an edit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// It leaves what the instruction leaves; the instruction itself is left out.
    Result,
    /// It leaves operands for the instruction, which runs. A `br` counts as `br_if` with the operand 1.
    Operands,
}

/// Replacing code at one instruction.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The instruction's number in its function.
    pub at: u32,
    /// What the code stands for.
    pub slot: Slot,
    /// The code.
    pub code: Vec<Step>,
}

/// When the state right after an edited instruction differs from the original's there.
#[derive(Clone, Debug)]
pub enum Infection {
    /// When the results (of [`Slot::Result`]) or the operands (of [`Slot::Operands`]) differ in a bit; for conditions of
    /// branches, when one is zero and the other is not.
    Differs,
    /// As [`Infection::Differs`], and also where these steps, which leave an `i32`, say that the edit's code traps.
    DiffersOrTraps(Vec<Step>),
    /// Whenever the instruction is reached.
    Reached,
    /// When the first operand differs from the value of this local: an assignment that is dropped.
    Assigned(u32),
    /// When the memory that the instruction would store to holds something else: a store that is dropped.
    Stored,
}

/// A change that a mutation operator proposes in one function.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The operator.
    pub operator: MutationOperator,
    /// The edits, by ascending instruction; never empty. The first is where the mutant is said to be.
    pub edits: Vec<Edit>,
    /// When each edit infects, an entry an edit.
    pub infections: Vec<Infection>,
}

impl Candidate {
    /// A change of one instruction.
    pub fn one(
        operator: MutationOperator,
        at: u32,
        slot: Slot,
        code: Vec<Step>,
        infection: Infection,
    ) -> Candidate {
        Candidate { operator, edits: vec![Edit { at, slot, code }], infections: vec![infection] }
    }
}
