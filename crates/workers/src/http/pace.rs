//! How many requests in a second are made, and waiting that somebody can interrupt.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dodona_target::{CallError, Until};

/// How often a wait looks whether somebody interrupts.
const TICK: Duration = Duration::from_millis(20);

/// A bound on the requests of all sessions together.
#[derive(Debug)]
pub(super) struct Pace {
    between: Duration,
    /// When the next request may be made.
    next: Mutex<Instant>,
}

impl Pace {
    /// At most so many requests in a second, evenly spaced.
    pub(super) fn new(rate: f64) -> Pace {
        let between = Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX);
        Pace { between, next: Mutex::new(Instant::now()) }
    }

    /// Waits for the turn of a request.
    pub(super) fn wait(&self, until: &Until) -> Result<(), CallError> {
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = (*next).max(Instant::now());
            *next = turn.checked_add(self.between).unwrap_or(turn);
            turn
        };
        pause(turn.saturating_duration_since(Instant::now()), until)
    }
}

/// Waits, and gives up when the time is up or somebody interrupts.
pub(super) fn pause(time: Duration, until: &Until) -> Result<(), CallError> {
    let begun = Instant::now();
    loop {
        let left = time.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        if !until.goes_on() {
            return Err(CallError::Stopped);
        }
        std::thread::sleep(left.min(TICK));
    }
}
