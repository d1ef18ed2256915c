//! Solver processes whose search has ended, kept for the next search of the same run: to start a solver takes longer than most
//! questions.

use std::sync::{Mutex, PoisonError};

use super::choice::{Family, SolverCommand};
use super::process::Process;

/// The most processes that wait. Each holds some ten megabytes, and no more are needed than searches end at the same time.
const MOST: usize = 8;

static IDLE: Mutex<Vec<(SolverCommand, Process)>> = Mutex::new(Vec::new());

/// A waiting process of this command. It has to be told to forget what it was asked before. It may have died meanwhile.
pub(super) fn take(command: &SolverCommand) -> Option<Process> {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let at = idle.iter().position(|(waiting, _)| waiting == command)?;
    Some(idle.swap_remove(at).1)
}

/// Lets a process wait that has answered all its questions, or ends it: where enough wait, and where it is a program of the
/// user, which may not know how to forget, or do something when its input ends.
pub(super) fn keep(command: SolverCommand, process: Process) {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if command.family() != Family::Other && idle.len() < MOST {
        idle.push((command, process));
    }
}
