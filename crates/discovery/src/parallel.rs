//! Work on each of several items, on `jobs` threads, for as long as a discovery may go on.

use dodona_workbench::{LabError, Worker, pool};

use crate::watch::Watch;

/// Works on each item once; meanwhile `told` is called with the number of items that are done.
///
/// # Errors
/// When the work panics.
pub(super) fn each<T: Send>(
    worker: Worker,
    jobs: usize,
    items: &mut [T],
    watch: &Watch<'_>,
    work: impl Fn(usize, &mut T) + Sync,
    told: &mut dyn FnMut(usize),
) -> Result<(), LabError> {
    let work = |index: usize, item: &mut T| {
        let _panic = EndsOnPanic(watch);
        work(index, item);
        Ok(())
    };
    pool::each((worker, jobs), items, work, told)
}

/// Like [`each`], but items that are not begun when the search has to end are left out.
///
/// # Errors
/// As [`each`].
pub(super) fn each_while<T: Send>(
    worker: Worker,
    jobs: usize,
    items: &mut [T],
    watch: &Watch<'_>,
    work: impl Fn(usize, &mut T) + Sync,
    told: &mut dyn FnMut(usize),
) -> Result<(), LabError> {
    let work = |index: usize, item: &mut T| {
        if watch.may_search() {
            work(index, item);
        }
    };
    each(worker, jobs, items, watch, work, told)
}

/// Ends the searches on other threads when one thread panics: they would be waited for, although their results are lost.
struct EndsOnPanic<'a, 'w>(&'a Watch<'w>);

impl Drop for EndsOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}

#[cfg(test)]
mod tests {

    use dodona_target::Interruption;

    use super::*;

    #[test]
    fn a_panic_ends_the_other_searches() {
        let interrupted = Interruption::default();
        let watch = Watch::start(None, &interrupted);
        let search = |index: usize, _: &mut ()| {
            assert_ne!(index, 1, "search one");
            // Without the panic this loop would not end.
            while watch.may_go_on() {
                std::thread::yield_now();
            }
        };
        let items = &mut [(); 2];
        let error = each_while(Worker::Evolution, 2, items, &watch, search, &mut |_| {});
        let error = error.expect_err("it panicked");
        assert!(error.to_string().contains("search one"), "{error}");
    }
}
