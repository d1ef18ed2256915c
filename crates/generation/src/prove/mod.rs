//! Proofs of relations over all paths.

mod random;
mod relations;

use dodona_subject::{Outcome, Trap};

pub use relations::prove;

/// Whether a run met a limit that symbolic execution does not count: then it says nothing of what was predicted.
fn meets_a_limit(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::OutOfFuel | Outcome::Trapped(Trap::StackOverflow) | Outcome::Trapped(Trap::MemoryLimit)
    )
}
