//! Tests with solvers that are scripts, with the one that is installed, and against brute force.
#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

pub(super) mod brute_force;
mod choice_tests;
mod layers;
mod process_tests;
mod session_tests;

use super::{SolverChoice, Surroundings};

/// A solver that is a shell script.
pub(super) fn script(text: &str) -> SolverChoice {
    let line = shlex::try_join(["sh", "-c", text]).unwrap();
    SolverChoice::find(Some(&line), &Surroundings::default()).unwrap()
}
