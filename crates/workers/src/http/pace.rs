//! How many requests in a second are made, and waiting that somebody can interrupt.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use dodona_target::{CallError, Until};

/// How often a wait looks whether somebody interrupts.
const TICK: Duration = Duration::from_millis(20);

/// The time between two requests after a service said for the first time that there are too many.
const FIRST_STEP: Duration = Duration::from_millis(5);

/// The most time between two requests, unless a manifest asks for more.
const WIDEST: Duration = Duration::from_secs(1);

/// A bound on the requests of all sessions together. Where a service says that there are too many, there are half as many, and slowly more again as it answers.
#[derive(Debug)]
pub(super) struct Pace {
    /// The time between two requests that the manifest asks for.
    least: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the next request may be made.
    next: Instant,
    /// The time between two requests.
    between: Duration,
}

impl Pace {
    /// At most so many requests in a second, evenly spaced; without a rate as many as the service takes.
    pub(super) fn new(rate: Option<f64>) -> Pace {
        let least = rate
            .map_or(Duration::ZERO, |rate| Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX));
        Pace { least, state: Mutex::new(State { next: Instant::now(), between: least }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn of a request.
    pub(super) fn wait(&self, until: &Until) -> Result<(), CallError> {
        let turn = {
            let mut state = self.state();
            if state.between.is_zero() {
                return Ok(());
            }
            let turn = state.next.max(Instant::now());
            state.next = turn.checked_add(state.between).unwrap_or(turn);
            turn
        };
        pause(turn.saturating_duration_since(Instant::now()), until)
    }

    /// The service said that there are too many requests.
    pub(super) fn slower(&self) {
        let mut state = self.state();
        let wider = state.between.saturating_mul(2).clamp(FIRST_STEP, WIDEST);
        state.between = wider.max(self.least);
    }

    /// The service answered.
    pub(super) fn faster(&self) {
        let mut state = self.state();
        if state.between > self.least {
            let narrower = state.between.saturating_sub(state.between / 16 + Duration::from_micros(10));
            state.between = narrower.max(self.least);
        }
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
