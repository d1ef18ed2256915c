//! Changes of code that mutation operators propose.
//!
//! A change replaces the result of one instruction, or the operands that it uses. Its code refers only to the instruction's
//! operands, so that the same change can be written into a module of its own, be one arm of a switch, or be evaluated beside
//! the original.

use wasm_encoder::Instruction;

use crate::MutationOperator;

/// A step of the code that replaces an instruction.
#[derive(Clone, Debug)]
pub enum Step {
    /// Pushes an operand of the original instruction. Operands are counted from the one that was pushed first.
    Operand(u32),
    /// Pushes a value that an earlier edit of the same change kept with [`Step::Keep`].
    Kept,
    /// Pops an `i32` and keeps it for a later edit of the same change.
    Keep,
    /// Executes an instruction. It is never a block, a branch or anything else that refers to labels.
    Do(Instruction<'static>),
}

/// What the code of an edit replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The instruction: the code leaves the results of the instruction, which is not executed.
    Result,
    /// The operands: the code leaves operands for the instruction, which is executed. A `br` counts as a `br_if` with the
    /// operand 1.
    Operands,
}

/// Code that replaces something at one instruction.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The instruction's number in its function.
    pub at: u32,
    /// What the code replaces.
    pub slot: Slot,
    /// The code.
    pub code: Vec<Step>,
}

/// The condition under which the state after an edited instruction differs from the original's.
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
    /// The edits, in the order of their instructions; never empty. The first one is the place of the mutant.
    pub edits: Vec<Edit>,
    /// The condition under which each edit infects.
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
