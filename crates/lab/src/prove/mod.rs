//! Proofs over all paths: relations, and mutants that no test tells from the original.

mod mutants;
mod relations;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dodona_symbolic::explore::{Bounds, Order};

pub use mutants::prove_mutants;
pub use relations::prove;

/// What a proof may use.
#[derive(Clone, Debug)]
pub struct ProofOptions {
    /// The longest sequence or text, in elements or bytes.
    pub longest: usize,
    /// The order of the search.
    pub order: Order,
    /// Bounds of each exploration: counted, so that they end at the same place everywhere.
    pub bounds: Bounds,
    /// The outer bound in time, for all of it.
    pub time: Duration,
    /// The most time of one query.
    pub query_time: Option<Duration>,
    /// The solver by name or command; `None` is the best that is installed.
    pub solver: Option<String>,
}

/// Says when to stop: when the time is up, or somebody interrupts.
struct Clock<'a> {
    deadline: Instant,
    interrupted: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    fn start(options: &ProofOptions, interrupted: &'a AtomicBool) -> Clock<'a> {
        Clock { deadline: Instant::now() + options.time, interrupted }
    }

    /// An equal share of the time that is left, for the next of so many.
    fn share(&self, left: usize) -> Clock<'a> {
        let now = Instant::now();
        let rest = self.deadline.saturating_duration_since(now);
        Clock { deadline: now + rest / left.max(1) as u32, interrupted: self.interrupted }
    }

    fn goes_on(&self) -> bool {
        Instant::now() < self.deadline && !self.interrupted.load(Ordering::Relaxed)
    }
}
