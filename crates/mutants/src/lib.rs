//! Mutation analysis of WebAssembly: mutation operators, the sites they change, and all mutants in one module.

mod artefacts;
mod candidate;
mod operators;
mod scan;

pub use artefacts::Artefact;
pub use candidate::{Candidate, Edit, Infection, Slot, Step};
pub use operators::{MutationOperator, OperatorSet, UnknownOperator};
pub use scan::{Operand, Scan, Scanned};
