//! Proofs of relations over all paths.

mod random;
mod relations;

pub use relations::prove;
