//! What the threads of one job share, and the messages that they send to the thread that waits for them.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use dodona_target::{Interruption, Until};

use super::{Worker, guarded};
use crate::LabError;

/// The time after which who waits is told that nothing came.
const TICK: Duration = Duration::from_millis(50);

/// How long who waits sleeps after everything that came. A message that wakes somebody takes a core from a worker: with one for each
/// slice of a check, a million groups had ten thousand switches between threads. So nobody is woken before a thread ends, and
/// results, an interruption or an error are noticed this late.
const PAUSE: Duration = Duration::from_millis(5);

/// A message of a worker.
pub(super) enum WorkerMessage<T> {
    /// A part of the result of a piece of work.
    Part(T),
    /// A piece is done.
    Done,
    /// A piece failed, and so did the job.
    Failed(Failure),
}

/// The way of a thread to tell its messages. Who waits is woken when the thread has told everything.
pub(super) struct Teller<T> {
    // Dropped before the other wakes: who is woken finds the channel closed if this was the last thread.
    told: Sender<WorkerMessage<T>>,
    _woken: WakeAtEnd,
}

/// Wakes a thread when it is dropped.
struct WakeAtEnd(Thread);

impl Drop for WakeAtEnd {
    fn drop(&mut self) {
        self.0.unpark();
    }
}

impl<T> Teller<T> {
    /// For a thread whose messages this one waits for.
    pub(super) fn new(told: &Sender<WorkerMessage<T>>, waiting: &Thread) -> Teller<T> {
        Teller { told: told.clone(), _woken: WakeAtEnd(waiting.clone()) }
    }

    /// Tells a message.
    pub(super) fn tell(&self, message: WorkerMessage<T>) {
        // The receiver may be gone, and then nobody needs the message.
        let _ = self.told.send(message);
    }
}

/// Why a piece failed.
pub(super) struct Failure {
    pub(super) piece: usize,
    pub(super) error: LabError,
}

/// How a job ended without a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Every piece was done.
    Complete,
    /// The user interrupted before that, or the time was up.
    Interrupted,
}

/// The pieces of one job, and whether they are still wanted.
pub(super) struct Crew {
    worker: Worker,
    count: usize,
    next: AtomicUsize,
    /// Whether calls that a worker is making are given up as well.
    stop: Interruption,
}

impl Crew {
    pub(super) fn new(worker: Worker, count: usize) -> Crew {
        Crew { worker, count, next: AtomicUsize::new(0), stop: Interruption::default() }
    }

    /// Stops the threads from taking further pieces.
    pub(super) fn stop(&self) {
        self.stop.raise();
    }

    /// Whether the results are still wanted.
    pub(super) fn goes_on(&self) -> bool {
        !self.stop.is_raised()
    }

    fn take(&self) -> Option<usize> {
        let piece = self.goes_on().then(|| self.next.fetch_add(1, Ordering::Relaxed))?;
        (piece < self.count).then_some(piece)
    }

    /// The loop of a thread: it takes one piece after the other. An error or a panic stops all threads and is reported.
    pub(super) fn labour<W, T>(
        &self,
        told: &Teller<T>,
        worker: impl FnOnce(&Until) -> W,
        mut work: impl FnMut(&mut W, usize) -> Result<(), LabError>,
    ) {
        let at = Cell::new(0);
        let ended = guarded(self.worker, || {
            let mut worker = worker(&Until::interrupted(&self.stop));
            while let Some(piece) = self.take() {
                at.set(piece);
                // This is sent last, so that everything else has arrived before.
                if piece + 1 == self.count {
                    self.worker.panic_if_asked();
                }
                work(&mut worker, piece)?;
                told.tell(WorkerMessage::Done);
            }
            Ok(())
        });
        if let Err(error) = ended.map_err(LabError::from).flatten() {
            if error.is_stopped() && !self.goes_on() {
                // The thread was told to stop.
                return;
            }
            self.stop();
            told.tell(WorkerMessage::Failed(Failure { piece: at.get(), error }));
        }
    }

    /// Receives the messages of the threads until all have ended, one fails, the time is up, or the user interrupts. `seen`
    /// gets the parts of results, and `None` if nothing came for a while.
    pub(super) fn hear<T>(
        &self,
        heard: &Receiver<WorkerMessage<T>>,
        until: &Until,
        seen: &mut dyn FnMut(Option<T>),
    ) -> Result<End, Failure> {
        let mut done = 0;
        let mut told = Instant::now();
        while until.goes_on() {
            match heard.try_recv() {
                Ok(WorkerMessage::Part(part)) => seen(Some(part)),
                Ok(WorkerMessage::Done) => done += 1,
                Ok(WorkerMessage::Failed(failure)) => return Err(failure),
                Err(TryRecvError::Disconnected) => return self.complete(done),
                Err(TryRecvError::Empty) => {
                    if told.elapsed() < TICK {
                        std::thread::park_timeout(PAUSE);
                        continue;
                    }
                    seen(None);
                }
            }
            told = Instant::now();
        }
        Ok(if done == self.count { End::Complete } else { End::Interrupted })
    }

    /// A job is complete when each of its pieces is done, not when no thread is left.
    fn complete(&self, done: usize) -> Result<End, Failure> {
        if done == self.count {
            return Ok(End::Complete);
        }
        let (done, planned) = (done as u64, self.count as u64);
        Err(Failure { piece: 0, error: LabError::Incomplete { worker: self.worker, done, planned } })
    }
}

/// Stops the threads when the thread that waits for them leaves, also by a panic.
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
        // A thread that ended without a message.
        drop(told);
        let ended = crew.hear(&heard, &Until::default(), &mut |_| {});
        let error = ended.map_err(|failure| failure.error.to_string()).expect_err("two are missing");
        assert!(error.contains("1 of 3") && error.contains("running mutants"), "{error}");
    }
}
