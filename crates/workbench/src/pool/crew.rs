//! What the threads of one job share, and what they tell the one who waits.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use dodona_execute::{Interruption, Until};

use super::{Worker, guarded};
use crate::LabError;

/// An interruption is seen after so long at most.
const TICK: Duration = Duration::from_millis(50);

/// What a thread tells.
pub(super) enum WorkerMessage<T> {
    /// Something came of a piece of work.
    Part(T),
    /// A piece is done.
    Done,
    /// A piece failed, and with it all.
    Failed(Failure),
}

/// Why a piece failed.
pub(super) struct Failure {
    pub(super) piece: usize,
    pub(super) error: LabError,
}

/// How a job ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Every piece was done.
    Complete,
    /// Somebody interrupted before that, or the time was up.
    Interrupted,
}

/// The pieces of one job, and whether they are still wanted.
pub(super) struct Crew {
    worker: Worker,
    count: usize,
    next: AtomicUsize,
    /// Calls that a worker is at are given up, too.
    stop: Interruption,
}

impl Crew {
    pub(super) fn new(worker: Worker, count: usize) -> Crew {
        Crew { worker, count, next: AtomicUsize::new(0), stop: Interruption::default() }
    }

    /// Tells the threads to take nothing more.
    pub(super) fn stop(&self) {
        self.stop.raise();
    }

    /// Whether anybody still wants what comes of the work.
    pub(super) fn goes_on(&self) -> bool {
        !self.stop.is_raised()
    }

    fn take(&self) -> Option<usize> {
        let piece = self.goes_on().then(|| self.next.fetch_add(1, Ordering::Relaxed))?;
        (piece < self.count).then_some(piece)
    }

    /// What a thread does: one piece after the other. An error or a panic stops all threads and is told.
    pub(super) fn labour<W, T>(
        &self,
        told: &Sender<WorkerMessage<T>>,
        worker: impl FnOnce(&Until) -> W,
        mut work: impl FnMut(&mut W, usize) -> Result<(), LabError>,
    ) {
        let at = Cell::new(0);
        let ended = guarded(self.worker, || {
            let mut worker = worker(&Until::interrupted(&self.stop));
            while let Some(piece) = self.take() {
                at.set(piece);
                // The last, so that everything else may be there already.
                if piece + 1 == self.count {
                    self.worker.panic_if_asked();
                }
                work(&mut worker, piece)?;
                // The one who waits may be gone: then nobody wants to know.
                let _ = told.send(WorkerMessage::Done);
            }
            Ok(())
        });
        if let Err(error) = ended.map_err(LabError::from).flatten() {
            if error.is_stopped() && !self.goes_on() {
                // It was told to.
                return;
            }
            self.stop();
            let _ = told.send(WorkerMessage::Failed(Failure { piece: at.get(), error }));
        }
    }

    /// Hears the threads until all have ended, one of them fails, the time is up, or somebody interrupts. `seen` has what came of the work, and
    /// `None` where nothing came for a while.
    pub(super) fn hear<T>(
        &self,
        heard: &Receiver<WorkerMessage<T>>,
        until: &Until,
        seen: &mut dyn FnMut(Option<T>),
    ) -> Result<End, Failure> {
        let mut done = 0;
        while until.goes_on() {
            match heard.recv_timeout(TICK) {
                Ok(WorkerMessage::Part(part)) => seen(Some(part)),
                Ok(WorkerMessage::Done) => done += 1,
                Ok(WorkerMessage::Failed(failure)) => return Err(failure),
                Err(RecvTimeoutError::Timeout) => seen(None),
                Err(RecvTimeoutError::Disconnected) => return self.complete(done),
            }
        }
        Ok(if done == self.count { End::Complete } else { End::Interrupted })
    }

    /// A job is complete when each of its pieces is done, and not when no thread is left.
    fn complete(&self, done: usize) -> Result<End, Failure> {
        if done == self.count {
            return Ok(End::Complete);
        }
        let (done, planned) = (done as u64, self.count as u64);
        Err(Failure { piece: 0, error: LabError::Incomplete { worker: self.worker, done, planned } })
    }
}

/// Stops the threads when whoever waits for them leaves, by a panic too.
pub(super) struct StopAtEnd<'a>(pub(super) &'a Crew);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_pieces_than_planned_are_an_error() {
        let crew = Crew::new(Worker::Mutants, 3);
        let (told, heard) = std::sync::mpsc::channel::<WorkerMessage<()>>();
        told.send(WorkerMessage::Done).expect("heard");
        // A thread that is gone without a word.
        drop(told);
        let ended = crew.hear(&heard, &Until::default(), &mut |_| {});
        let error = ended.map_err(|failure| failure.error.to_string()).expect_err("two are missing");
        assert!(error.contains("1 of 3") && error.contains("running mutants"), "{error}");
    }
}
