//! The caller that the evaluator of relations uses: it calls the functions of a subject.

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

    /// The same, but calls are given up when the time is up or the user interrupts.
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
