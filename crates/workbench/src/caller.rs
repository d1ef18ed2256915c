//! The subject as the relations' evaluator calls it.

use dodona_execute::{Runner, Until};
use dodona_relations::{CallError, Caller};
use dodona_subject::{Calls, Column};

/// Calls a subject's functions on one thread.
pub struct SubjectCaller {
    runner: Runner,
}

impl SubjectCaller {
    /// Calls through a runner.
    pub fn new(runner: Runner) -> Self {
        SubjectCaller { runner }
    }

    /// The same, whose calls are given up when the time is up or somebody interrupts.
    pub fn until(mut self, until: &Until) -> Self {
        self.runner.end_at(until);
        self
    }

    /// The runner.
    pub fn runner(&mut self) -> &mut Runner {
        &mut self.runner
    }
}

impl Caller for SubjectCaller {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.runner.call(function, arguments).map_err(CallError::new)
    }
}
