//! Proofs over all paths: relations, and mutants that no test tells from the original.

mod mutants;
mod relations;

pub use mutants::prove_mutants;
pub use relations::prove;
