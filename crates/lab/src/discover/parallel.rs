//! Work on each of some items, on threads that take the next one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::watch::Watch;

/// Works on each item once; meanwhile `told` hears, twenty times a second, how many are done. What is done to an item depends
/// on the item alone, so that the number of threads makes no difference.
pub(super) fn each<T: Send>(
    jobs: usize,
    items: &mut [T],
    work: impl Fn(usize, &mut T) + Sync,
    told: &mut dyn FnMut(usize),
) {
    let (count, done, idle) = (items.len(), AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = jobs.min(count);
    let queue = Mutex::new(items.iter_mut().enumerate());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // Counted when the thread ends in whatever way: nobody waits for one that panicked.
                let _leaving = Leaving(&idle);
                loop {
                    // Another thread's panic is passed on when the scope ends; until then the queue is as good as before.
                    let next = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
                    let Some((index, item)) = next else { return };
                    work(index, item);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let mut waits = 0;
        while idle.load(Ordering::Relaxed) < threads {
            std::thread::sleep(Duration::from_millis(1));
            waits += 1;
            if waits % 50 == 0 {
                told(done.load(Ordering::Relaxed));
            }
        }
    });
}

struct Leaving<'a>(&'a AtomicUsize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// [`each`], that leaves out what is not begun when the search has to end.
pub(super) fn each_while<T: Send>(
    jobs: usize,
    items: &mut [T],
    watch: &Watch<'_>,
    work: impl Fn(usize, &mut T) + Sync,
    told: &mut dyn FnMut(usize),
) {
    let work = |index: usize, item: &mut T| {
        if watch.searches() {
            work(index, item);
        }
    };
    each(jobs, items, work, told);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once_whatever_the_number_of_threads() {
        for jobs in [1, 2, 7] {
            let mut items: Vec<usize> = vec![0; 20];
            each(jobs, &mut items, |index, item| *item += index, &mut |_| {});
            assert_eq!(items, (0..20).collect::<Vec<_>>(), "{jobs} threads");
        }
    }
}
