//! Mutants of one module as functions of another, to be read side by side.

use dodona_subject::{Module, ModuleError};

use crate::changed::by_function;
use crate::emit::bodies_alone;
use crate::{AloneError, Mutant, Mutants};

/// Mutants as functions of one module, which is never run: everything that they call is imported.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// The module.
    pub module: Module,
    /// For each mutant where it is; `None` for one that changes more than one function.
    pub versions: Vec<Option<MutantVersion>>,
}

/// The changed function of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutantVersion {
    /// Its index in the module of mutants.
    pub index: u32,
    /// The function of the original that it is a version of.
    pub function: u32,
    /// The first and the last instruction that it changes, by their numbers in the original.
    pub changed: (u32, u32),
}

/// Lays mutants side by side in one module.
///
/// # Errors
/// When the module cannot be written again, or is not valid then: both are mistakes of ours.
pub fn side_by_side(
    module: &Module,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
) -> Result<SideBySide, AloneError> {
    let mut bodies = Vec::new();
    let mut versions = Vec::with_capacity(mutants.len());
    for mutant in mutants {
        let mut changed = by_function(all, mutant);
        let places = || mutant.changes.iter().flat_map(|c| c.candidate.edits.iter().map(|edit| edit.at));
        let version = match (&changed[..], places().min(), places().max()) {
            ([body], Some(first), Some(last)) => Some(MutantVersion {
                index: module.function_count() + bodies.len() as u32,
                function: body.scanned.function,
                changed: (first, last),
            }),
            _ => None,
        };
        if version.is_some() {
            bodies.append(&mut changed);
        }
        versions.push(version);
    }
    let bytes = bodies_alone(module, &bodies).map_err(|error| AloneError::Encode(error.to_string()))?;
    let invalid = |error: ModuleError| AloneError::Encode(error.to_string());
    Ok(SideBySide { module: Module::parse(bytes).map_err(invalid)?, versions })
}
