//! How symbolic execution searches, and until when.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dodona_symbolic::explore::{Bounds, Order};
use dodona_symbolic::prove::OpenReason;
use dodona_symbolic::solver::NoSolver;

use crate::solver::Solvers;

/// How symbolic execution searches.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The longest symbolic sequence or text, in elements or bytes.
    pub longest: usize,
    /// The order of the search.
    pub order: Order,
    /// Bounds of each exploration: counted, so that they end at the same place everywhere.
    pub bounds: Bounds,
    /// The outer bound in time, for all of it.
    pub time: Option<Duration>,
    /// The most time of one question to the solver.
    pub query_time: Option<Duration>,
    /// The solver by name or command; `None` is the best that is installed.
    pub solver: Option<String>,
}

impl Default for SearchOptions {
    /// Four elements, the usual order and bounds, a minute.
    fn default() -> Self {
        SearchOptions {
            longest: 4,
            order: Order::default(),
            bounds: Bounds::default(),
            time: Some(Duration::from_secs(60)),
            query_time: None,
            solver: None,
        }
    }
}

/// Says when to stop: when the time is up, or somebody interrupts.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    deadline: Option<Instant>,
    /// The time from the start to the deadline.
    allowed: Option<Duration>,
    interrupted: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// Starts now.
    pub(crate) fn start(options: &SearchOptions, interrupted: &'a AtomicBool) -> Clock<'a> {
        // What no clock can reach has no end.
        let deadline = options.time.and_then(|time| Instant::now().checked_add(time));
        Clock { deadline, allowed: options.time, interrupted }
    }

    /// An equal share of the time that is left, for the next of so many.
    pub(crate) fn share(self, left: usize) -> Clock<'a> {
        let now = Instant::now();
        let share = |deadline: Instant| deadline.saturating_duration_since(now) / left.max(1) as u32;
        let allowed = self.deadline.map(share);
        Clock { deadline: allowed.map(|allowed| now + allowed), allowed, ..self }
    }

    /// Whether the time is up.
    pub(crate) fn is_up(self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether there is time, and nobody interrupts.
    pub(crate) fn goes_on(self) -> bool {
        !self.is_up() && !self.interrupted.load(Ordering::Relaxed)
    }

    /// What left a proof open, in words; where this clock stopped it, which of its two reasons that was.
    pub(crate) fn words(self, open: Vec<OpenReason>) -> Vec<String> {
        let stopped = match self.allowed {
            Some(allowed) if !self.interrupted.load(Ordering::Relaxed) => {
                format!("its {:.1} s were up (--time gives more)", allowed.as_secs_f64())
            }
            _ => "interrupted".to_owned(),
        };
        open.into_iter().map(|reason| reason.words(&stopped)).collect()
    }

    /// A solver whose questions end with the time.
    ///
    /// # Errors
    /// When none is found.
    pub(crate) fn solver(self, options: &SearchOptions) -> Result<Solvers, NoSolver> {
        Solvers::start(options.solver.as_deref(), options.query_time, self.deadline)
    }
}
