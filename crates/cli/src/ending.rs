//! Ends the process before its verb has ended. An answer that is being written is not cut off, half-written files are removed, and the
//! solvers that the process started are ended with it.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;

use crate::exit::Exit;

/// Who answers. There is one answer: whoever comes second waits for the end of the process.
enum Answer {
    /// Nobody yet.
    None,
    /// The verb.
    OfVerb,
    /// The thread that ends the process before the verb has ended.
    OfEnd(ThreadId),
}

static ANSWER: Mutex<Answer> = Mutex::new(Answer::None);

/// Prints what a verb knows by now, and says how the process ends; `None` if nothing is known. The verb is told how it is ended.
type Partial = Box<dyn FnOnce(Exit) -> Option<Exit> + Send>;

static PARTIAL: Mutex<Option<Partial>> = Mutex::new(None);

/// The answer is written from now on: [`give_up`] does not cut it off.
pub(crate) fn answer() {
    let mut answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    match *answer {
        Answer::OfEnd(thread) if thread != std::thread::current().id() => {
            drop(answer);
            loop {
                std::thread::park();
            }
        }
        Answer::OfEnd(_) => {}
        Answer::None | Answer::OfVerb => *answer = Answer::OfVerb,
    }
}

/// What looked like the beginning of the answer was not it: the verb works on.
pub(crate) fn work_on() {
    let mut answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(*answer, Answer::OfVerb) {
        *answer = Answer::None;
    }
}

/// Should the process be ended before its verb has ended, this says what is known by then.
pub(crate) fn knows(partial: impl FnOnce(Exit) -> Option<Exit> + Send + 'static) {
    *PARTIAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(partial));
}

/// Ends the process if no answer has begun. What the verb knows by then is told; where it knows nothing, this says why the process ends.
pub(crate) fn give_up(exit: Exit, why: &str) {
    {
        let mut answer = ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
        match *answer {
            Answer::None => *answer = Answer::OfEnd(std::thread::current().id()),
            Answer::OfVerb | Answer::OfEnd(_) => return,
        }
    }
    let partial = PARTIAL.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(exit) = partial.and_then(|partial| partial(exit)) {
        end(exit);
    }
    // Nobody may be listening any more: the exit code says it all the same.
    let _ = writeln!(std::io::stderr(), "error: {why}");
    end(exit)
}

/// Ends the process at once: removes files that are half written, and ends the solvers that still run.
pub(crate) fn end(exit: Exit) -> ! {
    dodona_sources::remove_unfinished();
    end_children();
    std::process::exit(exit as i32)
}

/// Ends what this process started and still runs: a solver with a hard question, or a worker in an endless loop, would go on for long after it.
pub(crate) fn end_children() {
    #[cfg(unix)]
    for child in children() {
        if let Some(child) = rustix::process::Pid::from_raw(child as i32) {
            let _ = rustix::process::kill_process(child, rustix::process::Signal::KILL);
        }
    }
}

/// The processes that this one started, with those that they started.
pub(crate) fn children() -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut rest = vec![std::process::id()];
    while let Some(process) = rest.pop() {
        let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { continue };
        for thread in threads.flatten() {
            let children = read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|child| child.parse().ok());
            rest.extend(children.filter(|child| found.insert(*child)));
        }
    }
    found
}
