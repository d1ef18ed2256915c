//! Proofs of relations over all paths.

mod random;
mod relations;

pub use random::can_ask_for_random_bytes;
pub use relations::prove;
