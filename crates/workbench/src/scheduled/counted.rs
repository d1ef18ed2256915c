//! A target whose calls are counted, whoever makes them.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dodona_target::{
    CallError, Caller, Calls, Column, Ending, Outcome, Session, Signature, Target, Traits, Until,
};

/// A target whose calls are counted. What it calls once more to find out why a call did not return is not.
#[derive(Clone)]
pub(super) struct Counted {
    target: Arc<dyn Target>,
    calls: Arc<AtomicU64>,
}

impl Counted {
    pub(super) fn new(target: Arc<dyn Target>) -> Counted {
        Counted { target, calls: Arc::default() }
    }

    /// The calls so far, of all sessions.
    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }
}

impl Target for Counted {
    fn name(&self) -> &str {
        self.target.name()
    }

    fn declared_in(&self) -> &Path {
        self.target.declared_in()
    }

    fn functions(&self) -> &[Signature] {
        self.target.functions()
    }

    fn traits(&self) -> Traits {
        self.target.traits()
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(CountedSession { session: self.target.open(), calls: Arc::clone(&self.calls) })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self.target.as_any()
    }
}

struct CountedSession {
    session: Box<dyn Session>,
    calls: Arc<AtomicU64>,
}

impl Caller for CountedSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let rows = arguments.first().map_or(1, Column::len) as u64;
        self.calls.fetch_add(rows, Ordering::Relaxed);
        self.session.call(function, arguments)
    }
}

impl Session for CountedSession {
    fn end_at(&mut self, until: &Until) {
        self.session.end_at(until);
    }

    fn costs(&self) -> &[u64] {
        self.session.costs()
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        self.session.why(function, arguments, outcome)
    }

    fn shell(&self, function: usize, arguments: &[Column]) -> Option<String> {
        self.session.shell(function, arguments)
    }
}
