//! The threads of every verb. They take pieces of work by number and return the results.
//!
//! If a thread panics, the pool stops the others and turns the panic, with its place, into an error. A piece of work that is missing at
//! the end is an error too, unless the user interrupted: a piece that was not run never counts as run.

mod crew;
mod guard;
mod worker;

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

pub(crate) use crew::End;
use crew::{Crew, Failure, StopAtEnd, Teller, WorkerMessage};
pub use guard::{Panicked, guarded};
pub use worker::Worker;
pub use worker::is_asked_for;

use dodona_target::Until;

use crate::LabError;

/// The most threads of one job for each core. More threads than cores gain nothing, and each has a stack and an instance of the
/// module: 200 threads met a limit of 3 GB. So `--jobs 1000000` does not exhaust the system.
const THREADS_A_CORE: usize = 4;
/// The most threads of one job where there are few cores: tests ask for more threads than there are cores.
const FEW_THREADS: usize = 64;

const NAME: &str = "dodona-worker";

/// Where a worker sends the results of its work.
pub(crate) struct Output<'a, T> {
    crew: &'a Crew,
    told: &'a Teller<T>,
}

impl<T> Output<'_, T> {
    /// Sends a part of the result to the thread that waits.
    pub(crate) fn put(&self, part: T) {
        self.told.tell(WorkerMessage::Part(part));
    }

    /// Whether the results are still wanted.
    pub(crate) fn goes_on(&self) -> bool {
        self.crew.goes_on()
    }
}

/// Runs `count` pieces of work on threads. Each thread has a worker of its own, which sends any number of parts for a piece.
/// `seen` gets each part on the caller's thread, and `None` twenty times a second while nothing comes.
///
/// After an interruption, at the end of the time, or after an error the threads are not waited for, because one may be inside a
/// slow call. Workers are told when to give up their calls.
pub(crate) fn stream<W, T: Send + 'static>(
    (name, jobs, count): (Worker, usize, usize),
    worker: impl Fn(&Until) -> W + Send + Sync + 'static,
    work: impl Fn(&mut W, usize, &Output<'_, T>) -> Result<(), LabError> + Send + Sync + 'static,
    until: &Until,
    seen: &mut dyn FnMut(Option<T>),
) -> Result<End, LabError> {
    let shared = Arc::new((Crew::new(name, count), worker, work));
    let (told, heard) = channel();
    let waiting = std::thread::current();
    start(jobs.min(count), || {
        let (shared, told) = (Arc::clone(&shared), Teller::new(&told, &waiting));
        let thread = move || {
            let (crew, worker, work) = &*shared;
            let output = Output { crew, told: &told };
            crew.labour(&told, worker, |worker, piece| work(worker, piece, &output));
        };
        Builder::new().name(NAME.into()).spawn(thread).map(drop)
    })?;
    drop(told);
    let _stop = StopAtEnd(&shared.0);
    shared.0.hear(&heard, until, seen).map_err(|failure| failure.error)
}

/// Runs work on the caller's thread only. A panic in it becomes an error, too.
pub fn alone<T>(name: Worker, work: impl FnOnce() -> Result<T, LabError>) -> Result<T, LabError> {
    let work = || {
        name.panic_if_asked();
        work()
    };
    guarded(name, work)?
}

/// The results of pieces of work.
pub enum Ended<T> {
    /// All of them, in order.
    Done(Vec<T>),
    /// The results so far, if the user interrupted or the time was up.
    Interrupted(Vec<Option<T>>),
}

/// `stream` for work with one result for each piece. `seen` is called for each piece that is done.
pub fn run<W, T: Send + 'static>(
    (name, jobs, count): (Worker, usize, usize),
    worker: impl Fn(&Until) -> W + Send + Sync + 'static,
    work: impl Fn(&mut W, usize) -> Result<T, LabError> + Send + Sync + 'static,
    until: &Until,
    seen: &mut dyn FnMut(&T),
) -> Result<Ended<T>, LabError> {
    let mut done: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let work = move |worker: &mut W, piece: usize, output: &Output<'_, (usize, T)>| {
        work(worker, piece).map(|result| output.put((piece, result)))
    };
    let mut keep = |part: Option<(usize, T)>| {
        let Some((piece, result)) = part else { return };
        seen(&result);
        done[piece] = Some(result);
    };
    let end = stream((name, jobs, count), worker, work, until, &mut keep)?;
    Ok(match end {
        End::Complete => Ended::Done(done.into_iter().flatten().collect()),
        End::Interrupted => Ended::Interrupted(done),
    })
}

/// Works on each item once, on threads that take the next item and are waited for. Meanwhile `told` gets the number of items
/// that are done, whenever one is and twenty times a second. The work on an item depends on the item alone, so the number of
/// threads makes no difference.
///
/// After an error no further item is begun. Of several errors, that of the first item is returned.
pub fn each<T: Send>(
    (name, jobs): (Worker, usize),
    items: &mut [T],
    work: impl Fn(usize, &mut T) -> Result<(), LabError> + Sync,
    told: &mut dyn FnMut(usize),
) -> Result<(), LabError> {
    let crew = Crew::new(name, items.len());
    let threads = jobs.min(items.len());
    let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
    let (sender, heard) = channel();
    let waiting = std::thread::current();
    std::thread::scope(|scope| {
        let _stop = StopAtEnd(&crew);
        start(threads, || {
            let (crew, items, work, told) = (&crew, &items, &work, Teller::new(&sender, &waiting));
            let thread = move || {
                crew.labour(
                    &told,
                    |_| (),
                    |(), piece| {
                        // Locked once: each piece is taken by only one thread.
                        let mut item = items[piece].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                        work(piece, &mut item).map(|()| told.tell(WorkerMessage::Part(())))
                    },
                );
            };
            Builder::new().name(NAME.into()).spawn_scoped(scope, thread).map(drop)
        })?;
        drop(sender);
        wait(&crew, &heard, told)
    })
}

/// Waits for scoped threads. Of several errors, that of the first piece is returned.
fn wait(
    crew: &Crew,
    heard: &Receiver<WorkerMessage<()>>,
    told: &mut dyn FnMut(usize),
) -> Result<(), LabError> {
    let mut done = 0;
    let ended = crew.hear(heard, &Until::default(), &mut |part| {
        done += usize::from(part.is_some());
        told(done);
    });
    let Err(first) = ended else { return Ok(()) };
    let failure = |told| match told {
        WorkerMessage::Failed(failure) => Some(failure),
        WorkerMessage::Part(()) | WorkerMessage::Done => None,
    };
    let others = heard.iter().filter_map(failure);
    let first = others.fold(first, |a: Failure, b| if b.piece < a.piece { b } else { a });
    Err(first.error)
}

/// Starts threads. If the system gives fewer than are wanted, these do all the work, which does not depend on their number.
fn start(wanted: usize, mut thread: impl FnMut() -> io::Result<()>) -> Result<(), LabError> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    for started in 0..wanted.min(FEW_THREADS.max(cores * THREADS_A_CORE)) {
        match thread() {
            Err(error) if started == 0 => return Err(LabError::Thread(error)),
            Err(_) => return Ok(()),
            Ok(()) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
