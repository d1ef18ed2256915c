//! Threads that take pieces of work by number and hand back what came of each.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::LabError;

/// What came of some pieces of work.
pub(crate) enum Ended<T> {
    /// All of them, in order.
    Done(Vec<T>),
    /// Somebody interrupted; what was done by then.
    Interrupted(Vec<Option<T>>),
}

/// Runs `count` pieces of work on threads, each with a worker of its own; `seen` hears of each that is done.
///
/// The threads are not waited for after an interruption: one may still be inside a slow call.
pub(crate) fn run<W, T: Send + 'static>(
    jobs: usize,
    count: usize,
    worker: impl Fn() -> W + Send + Sync + 'static,
    work: impl Fn(&mut W, usize) -> Result<T, LabError> + Send + Sync + 'static,
    interrupted: &AtomicBool,
    seen: &mut dyn FnMut(&T),
) -> Result<Ended<T>, LabError> {
    let (next, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let shared = Arc::new((worker, work));
    let (sender, receiver) = channel();
    for _ in 0..jobs.min(count) {
        let (next, stop) = (Arc::clone(&next), Arc::clone(&stop));
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        std::thread::spawn(move || {
            let mut worker = (shared.0)();
            while !stop.load(Ordering::Relaxed) {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= count || sender.send((piece, (shared.1)(&mut worker, piece))).is_err() {
                    return;
                }
            }
        });
    }
    drop(sender);
    let ended = collect(&receiver, count, interrupted, seen);
    stop.store(true, Ordering::Relaxed);
    ended
}

fn collect<T>(
    receiver: &Receiver<(usize, Result<T, LabError>)>,
    count: usize,
    interrupted: &AtomicBool,
    seen: &mut dyn FnMut(&T),
) -> Result<Ended<T>, LabError> {
    let mut done: Vec<Option<T>> = (0..count).map(|_| None).collect();
    while !interrupted.load(Ordering::Relaxed) {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok((piece, result)) => {
                let result = result?;
                seen(&result);
                done[piece] = Some(result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if done.iter().all(Option::is_some) {
        return Ok(Ended::Done(done.into_iter().flatten().collect()));
    }
    Ok(Ended::Interrupted(done))
}
