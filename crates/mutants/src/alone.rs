//! A mutant as a module of its own.

use dodona_subject::{Module, ModuleError};

use crate::changed::by_function;
use crate::emit::standalone;
use crate::{Mutant, Mutants};

/// Why a mutant could not be written as a module. In either case this is a bug in Dodona.
#[derive(Debug, thiserror::Error)]
pub enum AloneError {
    /// The module cannot be written again.
    #[error("the module cannot be written again: {0}")]
    Encode(String),
    /// The module that was written is not valid.
    #[error("mutant {mutant} ({operator}) is not a valid module: {error}")]
    Invalid {
        /// The mutant.
        mutant: dodona_records::MutantId,
        /// Its operator.
        operator: crate::MutationOperator,
        /// What is wrong.
        error: ModuleError,
    },
}

/// The module with this mutant's change only. It has no debug information, because its offsets would be wrong.
///
/// # Errors
/// When the module cannot be written, or is not valid then. Both are bugs in Dodona.
pub fn alone(module: &Module, all: &Mutants<'_>, mutant: &Mutant) -> Result<Module, AloneError> {
    let bytes =
        standalone(module, &by_function(all, mutant)).map_err(|e| AloneError::Encode(e.to_string()))?;
    Module::parse(bytes).map_err(|error| AloneError::Invalid {
        mutant: mutant.id,
        operator: mutant.operator,
        error,
    })
}
