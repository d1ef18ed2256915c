//! Proofs of relations over all paths.

mod random;
mod symbolic_relations;

pub use random::can_ask_for_random_bytes;
pub use symbolic_relations::prove;
