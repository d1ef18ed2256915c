//! The points in time at which parts of a discovery have to end.
//!
//! The clock ends searches only. Executions, new inputs and evidence are bounded by counts that depend on `--time` and on the cost of a
//! call, and not on the machine (`crates/discovery/src/collect/budget.rs`). If calls of far-off inputs take as long as their fuel lasts,
//! a relation gets a slice of the time, and the record says that a clock decided.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::tuning::{
    CANDIDATE_SHARE, CHOICE_PART, GRACE, LEAST_PROOFS_SHARE, LEAST_SEARCH_SHARE, RUN_AFTER_SEARCH,
    SCREEN_SHARE, SEARCH_SHARE, TEST_END, TEST_SHARE,
};
use dodona_target::{Interruption, Until};

pub(super) const END: f64 = 1.0;

/// The clock of a discovery, and whether the user has interrupted it. The threads share it.
pub(super) struct Watch<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupted: &'a Interruption,
    /// When the search has to end, counted from the start.
    search_end: OnceLock<Duration>,
    /// When enumeration has to end that is followed by genetic programming, counted from the start.
    enumeration_end: OnceLock<Duration>,
    /// When all work has to end that is done after an interruption.
    grace: OnceLock<Instant>,
    /// Whether the clock has ended any work.
    ended: AtomicBool,
    /// Whether a search panicked.
    is_given_up: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(super) fn start(time: Option<Duration>, interrupted: &'a Interruption) -> Watch<'a> {
        let (search_end, enumeration_end, grace) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (ended, is_given_up) = (AtomicBool::new(false), AtomicBool::new(false));
        let started = Instant::now();
        Watch { started, time, interrupted, search_end, enumeration_end, grace, ended, is_given_up }
    }

    /// What ends a discovery because the user wants it.
    pub(super) fn interruption(&self) -> &'a Interruption {
        self.interrupted
    }

    /// The time since the discovery started.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time left in all.
    pub(super) fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Sets the end of the search, and that of enumeration, after which this share of the time of the search is left; called when the search begins.
    pub(super) fn begin_search(&self, for_evolution: f64) {
        let Some(end) = self.end(SEARCH_SHARE, LEAST_SEARCH_SHARE) else { return };
        let begin = self.elapsed().min(end);
        _ = self.search_end.set(end);
        _ = self.enumeration_end.set(begin + (end - begin).mul_f64(1.0 - for_evolution));
    }

    /// Whether enumeration may go on that leaves the rest of the time of the search to genetic programming.
    pub(super) fn may_enumerate(&self) -> bool {
        self.is_before(self.enumeration_end.get().copied()) && !self.is_interrupted()
    }

    /// Whether the search may go on.
    pub(super) fn may_search(&self) -> bool {
        self.is_before(self.search_end.get().copied()) && !self.is_interrupted()
    }

    /// The time left for running new inputs.
    pub(super) fn left_for_tests(&self) -> Option<Duration> {
        self.time.map(|time| time.mul_f64(TEST_SHARE).saturating_sub(self.elapsed()))
    }

    /// The time left for proofs, of all relations together. However late they begin, some time is kept for them.
    pub(super) fn left_for_proofs(&self) -> Option<Duration> {
        let left = self.time?.mul_f64(TEST_END).saturating_sub(self.elapsed());
        Some(left.max(self.time?.mul_f64(LEAST_PROOFS_SHARE)))
    }

    /// For how long a candidate is run on new inputs before it is chosen.
    pub(super) fn slice_for_screen(&self) -> Option<Duration> {
        let slice = self.time?.mul_f64(SCREEN_SHARE);
        let left = self.choice_end().map(|end| end.saturating_sub(self.elapsed()) / RUN_AFTER_SEARCH);
        Some(left.map_or(slice, |left| left.min(slice)))
    }

    /// Whether candidates that are not run yet may be run, to choose from them. After an interruption they are run for [`GRACE`].
    pub(super) fn may_choose(&self) -> bool {
        self.is_before(self.choice_end())
    }

    /// When the last choice has to end, counted from the start; `None` without a time, and before the search.
    fn choice_end(&self) -> Option<Duration> {
        let search_end = *self.search_end.get()?;
        let rest = self.time?.mul_f64(TEST_END).saturating_sub(search_end);
        Some(search_end + rest.mul_f64(CHOICE_PART))
    }

    /// When a step ends that may go on until a share of the whole time has passed, but that has the share `least` of it in any case, however late it begins.
    /// Counted from the start.
    fn end(&self, share: f64, least: f64) -> Option<Duration> {
        self.time.map(|time| time.mul_f64(share).max(self.elapsed() + time.mul_f64(least)))
    }

    /// When a step before the search has to be given up: when this share of the whole time has passed, or after the share `least` of it if the step begins
    /// late. It does not take the time of the search and of what follows it.
    pub(super) fn until_or_for(&self, share: f64, least: f64) -> Until {
        let latest = self.time.map(|time| time.mul_f64(SEARCH_SHARE));
        self.until_end(self.end(share, least).min(latest))
    }

    /// When a step has to be given up that may go on until this share of the whole time has passed. After an interruption the
    /// relations found are still tested for [`GRACE`].
    pub(super) fn until(&self, share: f64) -> Until {
        self.until_end(self.time.map(|time| time.mul_f64(share)))
    }

    /// The same for an end that is counted from the start.
    fn until_end(&self, end: Option<Duration>) -> Until {
        if self.is_interrupted() {
            let end = *self.grace.get_or_init(|| Instant::now() + GRACE);
            return Until::default().within(end.saturating_duration_since(Instant::now()));
        }
        Until::after(end.map(|end| end.saturating_sub(self.elapsed())), self.interrupted)
    }

    /// When a step has to end that may take this part of the time that is left for running new inputs.
    pub(super) fn part_of_tests(&self, part: f64) -> Until {
        let until = self.until(TEST_END);
        until.left().map_or_else(|| until.clone(), |left| until.within(left.mul_f64(part)))
    }

    /// The clock has ended some work.
    pub(super) fn clock_decided(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether any work may go on.
    pub(super) fn may_go_on(&self) -> bool {
        self.is_before(self.time) && !self.is_interrupted()
    }

    fn is_before(&self, end: Option<Duration>) -> bool {
        let over = end.is_some_and(|end| self.elapsed() >= end);
        if over {
            self.clock_decided();
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
    pub(super) fn has_clock_decided(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// For how long one relation is tested: for a slice of the time, and only until an interruption.
pub(super) struct TestPace<'w> {
    watch: &'w Watch<'w>,
    end: Option<Instant>,
    until: Until,
}

impl<'w> TestPace<'w> {
    pub(super) fn start(watch: &'w Watch<'w>, slice: Option<Duration>) -> TestPace<'w> {
        // A slice that ends beyond the range of the clock has no end.
        let end = slice.and_then(|slice| Instant::now().checked_add(slice));
        TestPace { watch, end, until: watch.until(TEST_END) }
    }

    /// The pace for a relation that is not chosen yet.
    pub(super) fn of_candidate(watch: &'w Watch<'w>) -> TestPace<'w> {
        let pace = TestPace::start(watch, watch.slice_for_screen());
        let most = watch.time.map(|time| time.mul_f64(CANDIDATE_SHARE));
        TestPace { until: most.map_or(pace.until.clone(), |most| pace.until.within(most)), ..pace }
    }

    /// When a run has to be given up.
    pub(super) fn until(&self) -> &Until {
        &self.until
    }

    /// Called when a run was given up: without an interruption, the clock decided that.
    pub(super) fn was_given_up(&self) {
        if !self.watch.is_interrupted() {
            self.watch.clock_decided();
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
            self.watch.clock_decided();
        }
        is_late || self.watch.is_interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1_000_000);

    #[test]
    fn after_the_search_there_is_time_for_a_choice_and_more_for_tests() {
        let interrupted = Interruption::default();
        let watch = Watch::start(Some(LONG), &interrupted);
        assert!(watch.choice_end().is_none() && watch.may_choose());
        watch.begin_search(0.25);
        let end = watch.choice_end().expect("there is a time");
        let (search_end, tests_end) = (LONG.mul_f64(SEARCH_SHARE), LONG.mul_f64(TEST_END));
        assert!(end > search_end && end - search_end < tests_end - end, "{end:?}");
        assert!(watch.may_choose() && watch.may_enumerate() && !watch.has_clock_decided());
        let enumerated = *watch.enumeration_end.get().expect("there is a time");
        assert!(enumerated > search_end.mul_f64(0.74) && enumerated < search_end.mul_f64(0.76));
        let measured = watch.part_of_tests(0.5).left().expect("there is a time");
        assert!(measured <= tests_end / 2);
    }

    #[test]
    fn a_step_that_begins_late_has_its_least_share() {
        let interrupted = Interruption::default();
        let watch = Watch::start(Some(LONG), &interrupted);
        let left = |until: Until| until.left().expect("there is a time");
        assert!(left(watch.until_or_for(0.25, 0.1)) > LONG.mul_f64(0.24), "the step begins at once");
        assert!(left(watch.until(0.0)).is_zero());
        assert!(left(watch.until_or_for(0.0, 0.1)) > LONG.mul_f64(0.09), "its share is over");
        assert!(left(watch.until_or_for(0.5, 0.9)) <= LONG.mul_f64(SEARCH_SHARE), "the search has its time");
        let watch = Watch::start(Some(Duration::ZERO), &interrupted);
        assert!(left(watch.until_or_for(0.25, 0.1)).is_zero());
        assert!(Watch::start(None, &interrupted).until_or_for(0.25, 0.1).left().is_none());
    }

    #[test]
    fn candidates_share_the_time_until_the_choice_ends() {
        let interrupted = Interruption::default();
        let watch = Watch::start(Some(Duration::ZERO), &interrupted);
        watch.begin_search(0.25);
        assert!(!watch.may_choose() && !watch.may_enumerate() && watch.has_clock_decided());
        assert_eq!(watch.slice_for_screen(), Some(Duration::ZERO));
        let watch = Watch::start(None, &interrupted);
        watch.begin_search(0.25);
        assert!(watch.may_choose() && watch.may_enumerate() && watch.slice_for_screen().is_none());
        assert!(watch.part_of_tests(0.5).left().is_none());
    }

    #[test]
    fn some_time_is_kept_for_proofs_however_late_they_begin() {
        let interrupted = Interruption::default();
        let left = Watch::start(Some(LONG), &interrupted).left_for_proofs().expect("there is a time");
        assert!(left > LONG.mul_f64(TEST_END) / 2 && left <= LONG.mul_f64(TEST_END));
        let short = Duration::from_nanos(100);
        let watch = Watch::start(Some(short), &interrupted);
        while watch.elapsed() < short {}
        assert_eq!(watch.left_for_proofs(), Some(short.mul_f64(LEAST_PROOFS_SHARE)));
        assert_eq!(Watch::start(None, &interrupted).left_for_proofs(), None);
    }
}
