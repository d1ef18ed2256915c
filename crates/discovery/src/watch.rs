//! When a discovery has to end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dodona_execute::{Interruption, Until};

/// The share of the time that goes to the search; the rest is for putting what it found to the test.
const SEARCH_SHARE: f64 = 0.6;

/// The share of the time after which what was found is run on no more new inputs than it has to.
const TEST_SHARE: f64 = 0.85;

/// The share of the time for which a candidate is run on new inputs before it is chosen.
const SCREEN_SHARE: f64 = 0.02;

/// The shares of the time after which no more source inputs, and no more executions, are collected, where calls are so slow that the
/// counted work takes longer.
pub(super) const SOURCES_SHARE: f64 = 0.2;
pub(super) const EXECUTIONS_SHARE: f64 = 0.45;

/// The share of the time after which nothing is run on new inputs, and that after which nothing is run at all.
pub(super) const TEST_END: f64 = 0.9;
pub(super) const END: f64 = 1.0;

/// The share of the time that one candidate may take before it is chosen, however few inputs it was run on.
const CANDIDATE_SHARE: f64 = 0.1;

/// What was found is put to the test for so long after an interruption: somebody waits, who is to be answered within two seconds.
const GRACE: Duration = Duration::from_millis(800);

/// The share of the time that the search has at least, however long it took to collect executions.
const LEAST_SEARCH: f64 = 0.15;

/// The clock of a discovery, and whether somebody interrupts it. Shared by its threads.
pub(super) struct Watch<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupted: &'a Interruption,
    /// When the search has to end.
    search_end: OnceLock<Duration>,
    /// When all has to end that is done after an interruption.
    grace: OnceLock<Instant>,
    /// Whether the clock has ended something.
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

    /// What is left of all the time.
    pub(super) fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// The search begins.
    pub(super) fn begin_search(&self) {
        let end =
            |time: Duration| time.mul_f64(SEARCH_SHARE).max(self.elapsed() + time.mul_f64(LEAST_SEARCH));
        self.time.map(end).into_iter().for_each(|end| _ = self.search_end.set(end));
    }

    /// Whether the search may go on.
    pub(super) fn searches(&self) -> bool {
        self.is_before(self.search_end.get().copied()) && !self.is_interrupted()
    }

    /// What is left of the time for new inputs.
    pub(super) fn left_for_tests(&self) -> Option<Duration> {
        self.time.map(|time| time.mul_f64(TEST_SHARE).saturating_sub(self.elapsed()))
    }

    /// How long a candidate is run on new inputs before it is chosen.
    pub(super) fn slice_for_screen(&self) -> Option<Duration> {
        self.time.map(|time| time.mul_f64(SCREEN_SHARE))
    }

    /// When a step has to be given up that may take this share of all the time. After an interruption what was found is put to the
    /// test for a moment.
    pub(super) fn until(&self, share: f64) -> Until {
        if self.is_interrupted() {
            let end = *self.grace.get_or_init(|| Instant::now() + GRACE);
            return Until::default().within(end.saturating_duration_since(Instant::now()));
        }
        let left = self.time.map(|time| time.mul_f64(share).saturating_sub(self.elapsed()));
        Until::after(left, self.interrupted)
    }

    /// Takes note that the clock has ended something.
    pub(super) fn decides(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether anything may go on.
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

    /// Ends everything: the discovery has failed.
    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    /// Whether the clock has ended something: another run may find something else.
    pub(super) fn has_decided(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// For how long one relation is put to the test: within a slice of the time, and as long as nobody interrupts.
pub(super) struct Pace<'w> {
    watch: &'w Watch<'w>,
    end: Option<Instant>,
    until: Until,
}

impl<'w> Pace<'w> {
    pub(super) fn start(watch: &'w Watch<'w>, slice: Option<Duration>) -> Pace<'w> {
        // What no clock can reach has no end.
        let end = slice.and_then(|slice| Instant::now().checked_add(slice));
        Pace { watch, end, until: watch.until(TEST_END) }
    }

    /// For a relation that is not chosen yet.
    pub(super) fn of_candidate(watch: &'w Watch<'w>) -> Pace<'w> {
        let pace = Pace::start(watch, watch.slice_for_screen());
        let most = watch.time.map(|time| time.mul_f64(CANDIDATE_SHARE));
        Pace { until: most.map_or(pace.until.clone(), |most| pace.until.within(most)), ..pace }
    }

    /// When what is being run is given up.
    pub(super) fn until(&self) -> &Until {
        &self.until
    }

    /// What was run was given up: the clock has decided, where nobody interrupts.
    pub(super) fn gave_up(&self) {
        if !self.watch.is_interrupted() {
            self.watch.decides();
        }
    }

    /// What was timed has ended: takes note if the clock ended it.
    pub(super) fn end(self) {
        self.is_over();
    }

    /// Whether that is over. Whoever asks is to do less for it.
    pub(super) fn is_over(&self) -> bool {
        let is_late = self.end.is_some_and(|end| Instant::now() >= end);
        if is_late {
            self.watch.decides();
        }
        is_late || self.watch.is_interrupted()
    }
}
