//! Proofs of relations over all paths.

mod prove_relations;
mod random;

pub use prove_relations::{prove, violating_input};
pub use random::can_ask_for_random_bytes;
