//! A function read for mutation: its instructions with the types of their operands, the origin of each operand, and marks on
//! code that the compiler added.

use dodona_subject::wasmparser::{Operator, ValType};
use dodona_subject::{CodePoint, Module};

use crate::encoded::EncodedOnce;
use crate::facts::Facts;
use crate::kinds::is_comparison;

/// A function of a module, read for mutation.
pub struct Scanned<'m> {
    /// The module.
    pub module: &'m Module,
    /// The function's index in it.
    pub function: u32,
    /// How many of the locals are parameters.
    pub parameters: u32,
    /// The types of its locals, parameters first.
    pub locals: Vec<ValType>,
    /// The types of its results.
    pub results: Vec<ValType>,
    /// Its instructions, the final `end` included.
    pub instructions: Vec<Scan<'m>>,
    /// Locals that hold an address of the stack frame, by index.
    pub frames: Vec<bool>,
    /// Locals that only ever hold 0 or 1, by index, as far as is known.
    pub booleans: Vec<bool>,
    pub(crate) facts: Facts,
    pub(crate) encoded: EncodedOnce,
}

/// An instruction.
pub struct Scan<'m> {
    /// The instruction.
    pub operator: Operator<'m>,
    /// Its offset in the module's bytes.
    pub offset: usize,
    /// Whether it can be reached at all, as far as validation knows.
    pub reachable: bool,
    /// Its operands, the first pushed first.
    pub operands: Vec<Operand>,
    /// The types that it pushes.
    pub results: Vec<ValType>,
    /// The instruction that takes its only result, with the operand's position there.
    pub user: Option<(u32, u32)>,
    /// For an unconditional branch: whether the code behind it would be valid if the branch were not taken.
    pub may_fall_through: bool,
    /// Why it is not mutated.
    pub artefact: Option<Artefact>,
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its type.
    pub ty: ValType,
    /// The instruction that pushed it; `None` where several paths meet.
    pub from: Option<u32>,
}

/// Why an instruction is not mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Artefact {
    /// It moves the stack pointer at the start or the end of a function.
    StackPointer,
    /// It masks a Boolean with `& 1`.
    BooleanMask,
    /// It is generated code around the crate under test.
    Glue,
    /// It is inlined from a crate that is not under test.
    Library,
    /// It is of the standard library.
    Standard,
    /// It is inlined from where the standard library manages memory, writes text or reports a panic.
    Runtime,
    /// Nothing tells whether it is of the crate under test.
    NoPlace,
}

impl std::fmt::Display for Artefact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Artefact::StackPointer => "it moves the stack pointer",
            Artefact::BooleanMask => "it masks a Boolean with `& 1`",
            Artefact::Glue => "generated glue around the crate",
            Artefact::Library => "inlined code of another crate; --callees=CRATE mutates it too",
            Artefact::Standard => "code of the standard library; --callees=core mutates that of core",
            Artefact::Runtime => {
                "inlined code that manages memory or writes text; --callees=alloc,core mutates it too"
            }
            Artefact::NoPlace => "no debug information tells whose code it is",
        })
    }
}

impl<'m> Scanned<'m> {
    /// An instruction.
    ///
    /// # Panics
    /// When there is no such instruction.
    pub fn at(&self, instruction: u32) -> &Scan<'m> {
        &self.instructions[instruction as usize]
    }

    /// The instruction that pushed an operand of another.
    pub fn operand(&self, instruction: u32, position: usize) -> Option<&Scan<'m>> {
        Some(self.at(self.at(instruction).operands.get(position)?.from?))
    }

    /// The code point of an instruction.
    pub fn point(&self, instruction: u32) -> CodePoint {
        CodePoint { function: self.function, instruction }
    }

    /// Whether an instruction pushes 0 or 1: a comparison, or connectors of such.
    pub fn is_boolean(&self, instruction: u32) -> bool {
        self.is_boolean_within(instruction, 8)
    }

    /// The same, looked at to a bounded depth.
    fn is_boolean_within(&self, at: u32, depth: u32) -> bool {
        use Operator as O;
        let scan = self.at(at);
        let operand = |position: usize| {
            depth > 0
                && scan
                    .operands
                    .get(position)
                    .and_then(|o| o.from)
                    .is_some_and(|from| self.is_boolean_within(from, depth - 1))
        };
        match &scan.operator {
            O::I32Const { value } => matches!(value, 0 | 1),
            O::I32And => operand(0) || operand(1),
            O::I32Or | O::I32Xor | O::Select => operand(0) && operand(1),
            O::LocalTee { .. } => operand(0),
            O::LocalGet { local_index } => self.booleans.get(*local_index as usize) == Some(&true),
            operator => is_comparison(operator),
        }
    }

    /// Whether a local is a variable of the program, not an address of the stack frame.
    pub fn is_variable(&self, local: u32) -> bool {
        !self.frames.get(local as usize).copied().unwrap_or(true)
    }
}
