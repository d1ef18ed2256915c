//! How many values an operator takes and gives, if that does not depend on the module.

use wasmparser::{BlockType, ContType, FrameKind, FuncType, ModuleArity, Operator, RefType, SubType};

/// How many values an operator takes and gives; `None` of those for which that depends on the module.
pub fn fixed(operator: &Operator<'_>) -> Option<(u32, u32)> {
    operator.operator_arity(&Simple)
}

struct Simple;

impl ModuleArity for Simple {
    fn sub_type_at(&self, _: u32) -> Option<&SubType> {
        None
    }
    fn tag_type_arity(&self, _: u32) -> Option<(u32, u32)> {
        None
    }
    fn type_index_of_function(&self, _: u32) -> Option<u32> {
        None
    }
    fn func_type_of_cont_type(&self, _: &ContType) -> Option<&FuncType> {
        None
    }
    fn sub_type_of_ref_type(&self, _: &RefType) -> Option<&SubType> {
        None
    }
    fn control_stack_height(&self) -> u32 {
        0
    }
    fn label_block(&self, _: u32) -> Option<(BlockType, FrameKind)> {
        None
    }
}
