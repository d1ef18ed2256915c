//! A check with a budget of calls on a target that fails in the middle.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use dodona_native::function;
use dodona_records::StopReason;
use dodona_target::{CallError, Caller, Calls, Column, Ending, Outcome, Session, Signature, Target, Traits};
use dodona_workbench::{
    CheckOptions, LabError, Regressions, Schedule, ScheduleOptions, Until, Workbench, check_scheduled,
};

fn double(x: i32) -> i64 {
    2 * i64::from(x)
}

/// A target that fails after some calls.
#[derive(Clone)]
struct Failing(Arc<dyn Target>, u64);

impl Target for Failing {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn declared_in(&self) -> &Path {
        self.0.declared_in()
    }

    fn functions(&self) -> &[Signature] {
        self.0.functions()
    }

    fn traits(&self) -> Traits {
        self.0.traits()
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(FailingSession(self.0.open(), self.1))
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct FailingSession(Box<dyn Session>, u64);

impl Caller for FailingSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.1 = self.1.checked_sub(1).ok_or_else(|| CallError::new("the plug was pulled"))?;
        self.0.call(function, arguments)
    }
}

impl Session for FailingSession {
    fn end_at(&mut self, until: &Until) {
        self.0.end_at(until);
    }

    fn costs(&self) -> &[u64] {
        self.0.costs()
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        self.0.why(function, arguments, outcome)
    }
}

#[test]
fn a_target_that_fails_leaves_what_was_found_before() {
    let native = function!(double(x: i32 in -1_000_000..=1_000_000) -> i64)
        .holds("relation odd: double(-x) == -double(x)")
        .holds("relation sum: double(x) + double(1) == double(x + 1)")
        .workbench()
        .expect("valid relations");
    let target = Failing(native.target.shared(), 10);
    let workbench: Arc<Workbench> = Arc::new(Workbench::new(target, Arc::clone(&native.relations)));
    let options = CheckOptions { regressions: Regressions::Ignore, ..CheckOptions::default() };
    for schedule in Schedule::ALL {
        let budget = ScheduleOptions { runs: 100, schedule };
        let found = check_scheduled(Arc::clone(&workbench), &options, budget, &Until::default(), &mut |_| {});
        let Err(LabError::CutShort(record)) = found else { panic!("{found:?}") };
        assert!(record.failure.as_ref().is_some_and(|why| why.contains("the plug was pulled")));
        assert_eq!(
            record.stop,
            StopReason::Interrupted { run: 11, planned: 100 },
            "the call that failed is one"
        );
        assert!(record.relations.iter().map(|r| r.tally.held).sum::<u64>() >= 3);
    }
}
