//! Proofs of relations over all paths.

mod prove_relations;
mod random;

pub use prove_relations::{Violations, prove};
pub use random::can_ask_for_random_bytes;
