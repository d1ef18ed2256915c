//! When work has to end: one notion for everything that takes long.
//!
//! An [`Until`] is an instant and an interruption. It is passed to everything that takes long; parts of the work get one that ends
//! sooner. A runner looks at it between rows. The driver of a column returns after a row once it has used up a budget of fuel, so that
//! looking does not slow the column down. Only if a call may use a hundred million units of fuel does the compiled code itself look
//! (`crates/wasm/src/execute/ticker.rs`).
//!
//! If the clock ends something, that is never an answer: a relation stays unknown, and a mutant counts as not run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Somebody asks for what there is: ctrl-C. Raised once for all, cheap to clone, and shared by threads.
#[derive(Clone, Debug, Default)]
pub struct Interruption(Arc<AtomicBool>);

impl Interruption {
    /// One that somebody has raised.
    pub fn raised() -> Interruption {
        let interruption = Interruption::default();
        interruption.raise();
        interruption
    }

    /// Asks for an end. Whether somebody had asked before.
    pub fn raise(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether somebody asks for an end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When work has to end: at an instant, or when somebody interrupts. By default never.
///
/// Whatever takes long is handed one, and asks it at every step. A part of the work gets one that ends sooner: [`Until::within`],
/// [`Until::share`].
///
/// ```
/// use std::time::Duration;
/// use dodona_target::{Interruption, Until};
///
/// let interruption = Interruption::default();
/// let all = Until::after(Some(Duration::from_secs(60)), &interruption);
/// let part = all.within(Duration::ZERO);
/// assert!(all.goes_on() && part.is_up());
/// interruption.raise();
/// assert!(!all.goes_on() && !all.is_up());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Until {
    end: Option<Instant>,
    interruption: Interruption,
}

impl Until {
    /// From now on for so long; without a time, as long as nobody interrupts. What no clock can reach has no end.
    pub fn after(time: Option<Duration>, interruption: &Interruption) -> Until {
        let end = time.and_then(|time| Instant::now().checked_add(time));
        Until { end, interruption: interruption.clone() }
    }

    /// As long as nobody interrupts.
    pub fn interrupted(interruption: &Interruption) -> Until {
        Until::after(None, interruption)
    }

    /// The same, and not longer than this from now on.
    pub fn within(&self, time: Duration) -> Until {
        let other = Instant::now().checked_add(time);
        Until { end: self.end.into_iter().chain(other).min(), interruption: self.interruption.clone() }
    }

    /// The same without an end in time: until somebody interrupts.
    pub fn without_end(&self) -> Until {
        Until { end: None, interruption: self.interruption.clone() }
    }

    /// An equal share of the time that is left, for the next of so many.
    pub fn share(&self, parts: usize) -> Until {
        match self.left() {
            Some(left) => self.within(left / u32::try_from(parts.max(1)).unwrap_or(u32::MAX)),
            None => self.clone(),
        }
    }

    /// What is left of the time, where it is bounded.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// The instant at which it ends, where there is one.
    pub fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Whether the time is up.
    pub fn is_up(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether somebody interrupts.
    pub fn is_interrupted(&self) -> bool {
        self.interruption.is_raised()
    }

    /// Whether there is time, and nobody interrupts.
    pub fn goes_on(&self) -> bool {
        !self.is_interrupted() && !self.is_up()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1_000_000);

    #[test]
    fn a_part_ends_no_later_than_the_whole() {
        let all = Until::after(Some(LONG), &Interruption::default());
        assert!(all.within(2 * LONG).end() <= all.end());
        assert!(all.within(LONG / 2).end() < all.end());
        assert!(all.share(4).left() <= Some(LONG / 4));
        assert!(all.share(0).left() <= Some(LONG));
    }

    #[test]
    fn whatever_is_asked_for_has_an_answer() {
        let never = Until::default();
        assert!(never.goes_on() && never.left().is_none() && never.share(3).end().is_none());
        assert!(Until::after(Some(Duration::MAX), &Interruption::default()).goes_on(), "no clock reaches it");
        assert!(never.within(Duration::MAX).goes_on());
        assert!(never.within(Duration::ZERO).is_up());
    }

    #[test]
    fn an_interruption_reaches_every_part() {
        let interruption = Interruption::default();
        let part = Until::interrupted(&interruption).within(LONG).share(2);
        assert!(part.goes_on());
        assert!(!interruption.raise(), "nobody had asked before");
        assert!(interruption.raise());
        assert!(part.is_interrupted() && !part.goes_on() && !part.is_up());
    }
}
