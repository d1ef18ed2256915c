//! Ends the process before its verb has ended. An answer that is being written is not cut off, half-written files are removed, and the
//! solvers that the process started are ended with it.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use crate::exit::Exit;

/// Whether the answer is being written. Whoever ends the process holds the lock, so that the answer cannot begin meanwhile.
static ANSWERS: Mutex<bool> = Mutex::new(false);

/// The answer is written from now on: [`give_up`] does not cut it off.
pub(crate) fn answer() {
    *ANSWERS.lock().unwrap_or_else(PoisonError::into_inner) = true;
}

/// What looked like the beginning of the answer was not it: the verb works on.
pub(crate) fn work_on() {
    *ANSWERS.lock().unwrap_or_else(PoisonError::into_inner) = false;
}

/// Ends the process if no answer has begun, and says why.
pub(crate) fn give_up(exit: Exit, why: &str) {
    let answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !*answers {
        // Nobody may be listening any more: the exit code says it all the same.
        let _ = writeln!(std::io::stderr(), "error: {why}");
        end(exit);
    }
}

/// Ends the process at once: removes files that are half written, and ends the solvers that still run.
pub(crate) fn end(exit: Exit) -> ! {
    dodona_sources::remove_unfinished();
    end_children();
    std::process::exit(exit as i32)
}

/// A solver with a hard question would go on for long after this process.
fn end_children() {
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
