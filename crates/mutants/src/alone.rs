//! A mutant as a module of its own.

use dodona_subject::{Module, ModuleError};

use crate::changed::by_function;
use crate::emit::standalone;
use crate::{Mutant, Mutants};

/// Why a mutant could not be written as a module. It is a mistake of ours in either case.
#[derive(Debug, thiserror::Error)]
pub enum AloneError {
    /// The module cannot be written again.
    #[error("the module cannot be written again: {0}")]
    Encode(String),
    /// What was written is not valid.
    #[error("mutant {mutant} ({operator}) is not a valid module: {error}")]
    Invalid {
        /// The mutant.
        mutant: dodona_evidence::MutantId,
        /// Its operator.
        operator: crate::MutationOperator,
        /// What is wrong.
        error: ModuleError,
    },
}

/// The module with this mutant's change and no other; without debug information, whose offsets would be wrong.
///
/// # Errors
/// When the module cannot be written again, or is not valid then: both are mistakes of ours.
pub fn alone(module: &Module, all: &Mutants<'_>, mutant: &Mutant) -> Result<Module, AloneError> {
    let bytes =
        standalone(module, &by_function(all, mutant)).map_err(|e| AloneError::Encode(e.to_string()))?;
    Module::parse(bytes).map_err(|error| AloneError::Invalid {
        mutant: mutant.id,
        operator: mutant.operator,
        error,
    })
}
