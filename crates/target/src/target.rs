//! What is under test, and the sessions in which it is called.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use crate::{CallError, Caller, Calls, Column, Outcome, Signature, Trace, TracedCode, Until};

/// What is under test: functions, and a way to call them.
///
/// Whoever needs more of a target than its calls, such as its code, asks for the target of that kind with [`Target::as_any`].
pub trait Target: Send + Sync {
    /// The name in reports.
    fn name(&self) -> &str;

    /// The file that declares it, for people and for what is kept beside it: counterexamples lie in the file's folder.
    fn declared_in(&self) -> &Path;

    /// The functions under test. Their order is what indices of functions mean everywhere.
    fn functions(&self) -> &[Signature];

    /// What can be relied on, and what a call costs.
    fn traits(&self) -> Traits;

    /// A session for one thread.
    fn open(&self) -> Box<dyn Session>;

    /// The same target once more. What was built or compiled for it is shared.
    fn shared(&self) -> Arc<dyn Target>;

    /// The target itself, whatever its kind is. A target that passes everything on to another gives that one.
    fn as_any(&self) -> &dyn Any;
}

impl Target for Arc<dyn Target> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn declared_in(&self) -> &Path {
        (**self).declared_in()
    }

    fn functions(&self) -> &[Signature] {
        (**self).functions()
    }

    fn traits(&self) -> Traits {
        (**self).traits()
    }

    fn open(&self) -> Box<dyn Session> {
        (**self).open()
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::clone(self)
    }

    fn as_any(&self) -> &dyn Any {
        (**self).as_any()
    }
}

/// What can be relied on of a target, and what a call costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// What kind of target it is, in the plural, for messages: `native functions`.
    pub kind: &'static str,
    /// Whether no call can see what an earlier call left behind.
    pub isolated: bool,
    /// Whether equal calls end alike, with equal outputs.
    pub deterministic: bool,
    /// What [`Session::costs`] counts, in the plural: `units of fuel`. Equal calls cost the same in every run and on every machine, because
    /// costs decide where the shrinking of a violation ends.
    pub unit_of_cost: &'static str,
}

/// Makes calls on one thread.
pub trait Session: Caller {
    /// From now on calls are given up with [`CallError::Stopped`](crate::CallError::Stopped) when this ends.
    fn end_at(&mut self, until: &Until);

    /// What each row of the last calls cost, in the target's unit.
    fn costs(&self) -> &[u64];

    /// Finds out why the call with these arguments, a column of one row for each parameter, does not return. The call is made again.
    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending;

    /// How somebody makes the call with these arguments, a column of one row for each parameter, without Dodona: a line for a shell. `None` where there is none.
    fn shell(&self, _function: usize, _arguments: &[Column]) -> Option<String> {
        None
    }

    /// The source that calls of a function can run; `None` where the target cannot tell.
    ///
    /// # Errors
    /// When the target fails.
    fn traced_code(&mut self, _function: usize) -> Result<Option<TracedCode>, CallError> {
        Ok(None)
    }

    /// Makes calls, and tells what each of them runs; `None` where the target cannot tell. A call that ends the process of the target has an empty trace.
    ///
    /// # Errors
    /// When the target fails.
    fn call_traced(
        &mut self,
        _function: usize,
        _arguments: &[Column],
    ) -> Result<Option<(Calls, Vec<Trace>)>, CallError> {
        Ok(None)
    }
}

/// What is known of a call that did not return, besides its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The innermost place in the user's code; if there is none, the place where it stopped.
    pub location: Option<String>,
    /// What the program said, in one line; of a call that met a limit, which.
    pub message: Option<String>,
}
