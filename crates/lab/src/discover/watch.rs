//! When a discovery has to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The share of the time that goes to the search; the rest is for putting what it found to the test.
const SEARCH_SHARE: f64 = 0.65;

/// The clock of a discovery, and whether somebody interrupts it. Shared by its threads.
pub(super) struct Watch<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupted: &'a AtomicBool,
    /// Whether the clock has ended something.
    ended: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(super) fn start(time: Option<Duration>, interrupted: &'a AtomicBool) -> Watch<'a> {
        Watch { started: Instant::now(), time, interrupted, ended: AtomicBool::new(false) }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What is left of all the time.
    pub(super) fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Whether the search may go on.
    pub(super) fn searches(&self) -> bool {
        self.is_before(SEARCH_SHARE) && !self.is_interrupted()
    }

    /// Whether anything may go on.
    pub(super) fn goes_on(&self) -> bool {
        self.is_before(1.0) && !self.is_interrupted()
    }

    fn is_before(&self, share: f64) -> bool {
        let over = self.time.is_some_and(|time| self.elapsed() >= time.mul_f64(share));
        if over {
            self.ended.store(true, Ordering::Relaxed);
        }
        !over
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether the clock has ended something: another run may find something else.
    pub(super) fn has_decided(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}
