//! The caller that the evaluator of relations uses: it calls the functions of a subject.

use dodona_target::{CallError, Caller, Calls, Column, Session, Until};

/// Calls a subject's functions on one thread.
pub struct SubjectCaller {
    session: Box<dyn Session>,
}

impl SubjectCaller {
    /// Calls in a session.
    pub fn new(session: Box<dyn Session>) -> Self {
        SubjectCaller { session }
    }

    /// The same, but calls are given up when the time is up or the user interrupts.
    pub fn until(mut self, until: &Until) -> Self {
        self.session.end_at(until);
        self
    }

    /// The session.
    pub fn session(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// What each row of the last calls cost, in the unit of the [target](dodona_target::Target).
    pub fn costs(&self) -> &[u64] {
        self.session.costs()
    }
}

impl Caller for SubjectCaller {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.session.call(function, arguments)
    }
}
