//! The module's own global variables that a call may change.

use dodona_subject::Module;
use wasmparser::ValType;

use super::stack_pointer;

/// The module's own global variables that a call may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    stack: Option<u32>,
    numbers: Vec<u32>,
}

impl Globals {
    /// Those of a module.
    pub(crate) fn of(module: &Module) -> Globals {
        let stack = stack_pointer(module).map(|stack| stack.global);
        let is_number = |ty| matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64);
        let globals = (0..).zip(module.globals());
        let numbers = globals.filter(|(index, global)| {
            global.ty.mutable && is_number(global.ty.content_type) && stack != Some(*index)
        });
        Globals { stack, numbers: numbers.map(|(index, _)| index).collect() }
    }

    /// The numbers that are restored after a call. The stack pointer is not among them: it is set before each call.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Whether a change of this one can be undone.
    pub(super) fn are_restored(&self, global: u32) -> bool {
        self.stack == Some(global) || self.numbers.contains(&global)
    }
}
