//! A module decoded for execution: instructions with their jumps resolved, and the initial memory, tables and globals.

mod decode;
mod instruction;
mod numeric;
mod sections;

use std::rc::Rc;

use dodona_subject::{Branches, Module, WasmType};

pub(crate) use instruction::{Instruction, Load, Store, Switch, Target};
pub(crate) use numeric::Numeric;
pub(crate) use sections::{PAGE, Sections};

use dodona_smt::term::Sort;

/// A function defined in the module.
#[derive(Debug)]
pub(crate) struct Body {
    /// The function's index.
    pub index: u32,
    /// One for each operator of the body, so that a program counter is an instruction of a code point.
    pub instructions: Vec<Instruction>,
    /// How many operands the frame has before each instruction.
    pub heights: Vec<u32>,
    /// The sorts of the locals, parameters first.
    pub locals: Vec<Sort>,
    pub parameters: usize,
    pub results: usize,
}

impl Body {
    /// Whether every instruction is supported. For another one it is not known what it reads, writes or calls, or where it
    /// continues.
    pub(crate) fn is_understood(&self) -> bool {
        !self.instructions.iter().any(|instruction| matches!(instruction, Instruction::Unsupported(_)))
    }
}

/// A module decoded for stepping. Cheap to share.
#[derive(Debug)]
pub struct Code {
    pub(crate) module: Module,
    pub(crate) branches: Branches,
    /// Of the functions defined here.
    bodies: Vec<Rc<Body>>,
    pub(crate) sections: Sections,
}

impl Code {
    /// Decodes a module. Instructions that are not supported (vectors, threads, garbage collection) are kept by name and end
    /// the paths that reach them.
    pub fn new(module: &Module) -> Code {
        let branches = Branches::of(module);
        let bodies = decode::bodies(module, &branches).into_iter().map(Rc::new).collect();
        Code { module: module.clone(), branches, bodies, sections: Sections::read(module) }
    }

    /// No code at all, for conditions that call nothing.
    ///
    /// # Panics
    /// Never: the empty module is valid.
    pub fn none() -> Code {
        Code::new(&Module::parse(b"\0asm\x01\0\0\0".to_vec()).expect("the empty module"))
    }

    /// The branch sites of the module.
    pub fn branches(&self) -> &Branches {
        &self.branches
    }

    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// A function defined in the module.
    pub(crate) fn body(&self, function: u32) -> Option<&Rc<Body>> {
        self.bodies.get(function.checked_sub(self.module.imported_functions())? as usize)
    }
}

/// The sort of a WebAssembly type.
pub(crate) fn sort(ty: WasmType) -> Sort {
    match ty {
        WasmType::I32 => Sort::Bits(32),
        WasmType::I64 => Sort::Bits(64),
        WasmType::F32 => Sort::F32,
        WasmType::F64 => Sort::F64,
    }
}
