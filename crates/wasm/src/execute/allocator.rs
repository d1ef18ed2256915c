//! Memory for arguments: from the module's allocator, or pages grown behind its memory.

use dodona_subject::{Allocator, Module};

use crate::execute::LoadError;

/// The allocator named, else the usual ones.
///
/// # Errors
/// When the one named is not exported or is not of a known type.
pub(crate) fn find(module: &Module, name: Option<&str>) -> Result<Allocator, LoadError> {
    let Some(name) = name else { return Ok(Allocator::usual(module)) };
    let refuse = |problem: &str| LoadError::Allocator { name: name.to_owned(), problem: problem.into() };
    let index = module.export_function(name).ok_or_else(|| refuse("is not exported"))?;
    Allocator::of(module, index).ok_or_else(|| refuse("has another type"))
}
