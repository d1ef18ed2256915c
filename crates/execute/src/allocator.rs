//! Memory for arguments: from the module's allocator, or pages grown behind its memory.

use dodona_subject::Module;
use wasmparser::{FuncType, ValType};

use crate::LoadError;

/// How the module gives memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allocator {
    /// `malloc(size)`.
    Malloc(u32),
    /// `cabi_realloc(old, old size, alignment, size)`.
    Realloc(u32),
    /// The module has none: pages grown at the end of its memory.
    Pages,
}

impl Allocator {
    /// The allocator named, else the usual ones.
    ///
    /// # Errors
    /// When the one named is not exported or is not of a known type.
    pub(crate) fn find(module: &Module, name: Option<&str>) -> Result<Allocator, LoadError> {
        let Some(name) = name else { return Ok(Self::usual(module)) };
        let refuse = |problem: &str| LoadError::Allocator { name: name.to_owned(), problem: problem.into() };
        let index = module.export_function(name).ok_or_else(|| refuse("is not exported"))?;
        Self::of(module, index).ok_or_else(|| refuse("has another type"))
    }

    fn usual(module: &Module) -> Allocator {
        let exported = ["malloc", "cabi_realloc"].into_iter().filter_map(|name| module.export_function(name));
        // A `malloc` that is linked in but not exported would take the pages behind memory for its own.
        let linked = (module.imported_functions()..module.function_count())
            .filter(|f| matches!(module.function_name(*f).as_str(), "malloc" | "dlmalloc"));
        exported.chain(linked).find_map(|index| Self::of(module, index)).unwrap_or(Allocator::Pages)
    }

    fn of(module: &Module, index: u32) -> Option<Allocator> {
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
    pub(crate) fn function(self) -> Option<u32> {
        match self {
            Allocator::Malloc(index) | Allocator::Realloc(index) => Some(index),
            Allocator::Pages => None,
        }
    }
}
