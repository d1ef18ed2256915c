//! How a module gives memory for arguments.

use wasmparser::{FuncType, ValType};

use super::Module;

/// How a module gives memory for arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// `malloc(size)`, a function by its index.
    Malloc(u32),
    /// `cabi_realloc(old, old size, alignment, size)`, a function by its index.
    Realloc(u32),
    /// The module has none: pages grown at the end of its memory.
    Pages,
}

impl Allocator {
    /// The allocator of the usual names: `malloc` or `cabi_realloc`, exported or linked in.
    pub fn usual(module: &Module) -> Allocator {
        let exported = ["malloc", "cabi_realloc"].into_iter().filter_map(|name| module.export_function(name));
        // A `malloc` that is linked in but not exported would take the pages behind memory for its own.
        let linked = (module.imported_functions()..module.function_count())
            .filter(|f| matches!(module.function_name(*f).as_str(), "malloc" | "dlmalloc"));
        exported.chain(linked).find_map(|index| Self::of(module, index)).unwrap_or(Allocator::Pages)
    }

    /// The allocator that a function is by its type; `None` where it has another.
    pub fn of(module: &Module, index: u32) -> Option<Allocator> {
        let ty: &FuncType = module.function_type(index)?;
        if ty.results() != [ValType::I32] {
            return None;
        }
        match ty.params() {
            [ValType::I32] => Some(Allocator::Malloc(index)),
            [ValType::I32, ValType::I32, ValType::I32, ValType::I32] => Some(Allocator::Realloc(index)),
            _ => None,
        }
    }

    /// The allocating function's index.
    pub fn function(self) -> Option<u32> {
        match self {
            Allocator::Malloc(index) | Allocator::Realloc(index) => Some(index),
            Allocator::Pages => None,
        }
    }
}
