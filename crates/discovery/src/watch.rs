//! The points in time at which parts of a discovery have to end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dodona_workbench::{Interruption, Until};

/// The share of the time after which the search ends; the rest is for testing the relations that it found.
const SEARCH_SHARE: f64 = 0.6;

/// The share of the time after which the relations found are run only on as many new inputs as is necessary.
const TEST_SHARE: f64 = 0.85;

/// The share of the time for which a candidate is run on new inputs before it is chosen.
const SCREEN_SHARE: f64 = 0.02;

/// The shares of the time after which no more source inputs, and no more executions, are collected, if calls are so slow that the
/// counted work takes longer.
pub(super) const SOURCES_SHARE: f64 = 0.2;
pub(super) const EXECUTIONS_SHARE: f64 = 0.45;

/// The shares of the time after which nothing is run on new inputs, and after which nothing is run at all.
pub(super) const TEST_END: f64 = 0.9;
pub(super) const END: f64 = 1.0;

/// The share of the time that one candidate may take before it is chosen, even if it was run on few inputs.
const CANDIDATE_SHARE: f64 = 0.1;

/// How long the relations found are tested after an interruption: the user waits, and has to be answered within two seconds.
const GRACE: Duration = Duration::from_millis(800);

/// The smallest share of the time for the search, however long it took to collect executions.
const LEAST_SEARCH: f64 = 0.15;

/// The clock of a discovery, and whether the user has interrupted it. The threads share it.
pub(super) struct Watch<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupted: &'a Interruption,
    /// When the search has to end, counted from the start.
    search_end: OnceLock<Duration>,
    /// When all work has to end that is done after an interruption.
    grace: OnceLock<Instant>,
    /// Whether the clock has ended any work.
    ended: AtomicBool,
    /// Whether a search panicked.
    is_given_up: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(super) fn start(time: Option<Duration>, interrupted: &'a Interruption) -> Watch<'a> {
        let (search_end, grace) = (OnceLock::new(), OnceLock::new());
        let (ended, is_given_up) = (AtomicBool::new(false), AtomicBool::new(false));
        Watch { started: Instant::now(), time, interrupted, search_end, grace, ended, is_given_up }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time left in all.
    pub(super) fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Sets the end of the search; called when the search begins.
    pub(super) fn begin_search(&self) {
        let end =
            |time: Duration| time.mul_f64(SEARCH_SHARE).max(self.elapsed() + time.mul_f64(LEAST_SEARCH));
        self.time.map(end).into_iter().for_each(|end| _ = self.search_end.set(end));
    }

    /// Whether the search may go on.
    pub(super) fn searches(&self) -> bool {
        self.is_before(self.search_end.get().copied()) && !self.is_interrupted()
    }

    /// The time left for running new inputs.
    pub(super) fn left_for_tests(&self) -> Option<Duration> {
        self.time.map(|time| time.mul_f64(TEST_SHARE).saturating_sub(self.elapsed()))
    }

    /// For how long a candidate is run on new inputs before it is chosen.
    pub(super) fn slice_for_screen(&self) -> Option<Duration> {
        self.time.map(|time| time.mul_f64(SCREEN_SHARE))
    }

    /// When a step has to be given up that may go on until this share of the whole time has passed. After an interruption the
    /// relations found are still tested for [`GRACE`].
    pub(super) fn until(&self, share: f64) -> Until {
        if self.is_interrupted() {
            let end = *self.grace.get_or_init(|| Instant::now() + GRACE);
            return Until::default().within(end.saturating_duration_since(Instant::now()));
        }
        let left = self.time.map(|time| time.mul_f64(share).saturating_sub(self.elapsed()));
        Until::after(left, self.interrupted)
    }

    /// Records that the clock has ended some work.
    pub(super) fn decides(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether any work may go on.
    pub(super) fn goes_on(&self) -> bool {
        self.is_before(self.time) && !self.is_interrupted()
    }

    fn is_before(&self, end: Option<Duration>) -> bool {
        let over = end.is_some_and(|end| self.elapsed() >= end);
        if over {
            self.decides();
        }
        !over
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.is_raised() || self.is_given_up.load(Ordering::Relaxed)
    }

    /// Ends all work, because the discovery has failed.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    /// Whether the clock has ended any work, so that another run may have another result.
    pub(super) fn has_decided(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// For how long one relation is tested: for a slice of the time, and only until an interruption.
pub(super) struct Pace<'w> {
    watch: &'w Watch<'w>,
    end: Option<Instant>,
    until: Until,
}

impl<'w> Pace<'w> {
    pub(super) fn start(watch: &'w Watch<'w>, slice: Option<Duration>) -> Pace<'w> {
        // A slice that ends beyond the range of the clock has no end.
        let end = slice.and_then(|slice| Instant::now().checked_add(slice));
        Pace { watch, end, until: watch.until(TEST_END) }
    }

    /// The pace for a relation that is not chosen yet.
    pub(super) fn of_candidate(watch: &'w Watch<'w>) -> Pace<'w> {
        let pace = Pace::start(watch, watch.slice_for_screen());
        let most = watch.time.map(|time| time.mul_f64(CANDIDATE_SHARE));
        Pace { until: most.map_or(pace.until.clone(), |most| pace.until.within(most)), ..pace }
    }

    /// When a run has to be given up.
    pub(super) fn until(&self) -> &Until {
        &self.until
    }

    /// Called when a run was given up: without an interruption, the clock decided that.
    pub(super) fn gave_up(&self) {
        if !self.watch.is_interrupted() {
            self.watch.decides();
        }
    }

    /// Called when the timed work has ended: records whether the slice was over.
    pub(super) fn end(self) {
        self.is_over();
    }

    /// Whether the slice is over or the user has interrupted. The caller then does less work, which counts as a decision of the clock.
    pub(super) fn is_over(&self) -> bool {
        let is_late = self.end.is_some_and(|end| Instant::now() >= end);
        if is_late {
            self.watch.decides();
        }
        is_late || self.watch.is_interrupted()
    }
}
