//! How calls are made.

use std::error::Error;

use crate::{Calls, Column};

/// Makes the calls of the functions under test.
pub trait Caller {
    /// Calls a function once for every row.
    ///
    /// `function` is an index into the functions that the relation was checked with; `arguments` has one column for
    /// each parameter, all of the same length, at least 1. The answer has one outcome for each row and, in the order
    /// of [`Signature::outputs`](crate::Signature::outputs), one column of that length for each output.
    ///
    /// # Errors
    /// When the calls could not be made. A call that traps is not an error but an outcome.
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError>;

    /// [`Caller::call`] with more information: the index of the call in the relation, and for each row of the
    /// arguments the row of the source inputs that it belongs to. For callers that keep records of calls; the default
    /// just calls [`Caller::call`].
    ///
    /// # Errors
    /// As [`Caller::call`].
    fn call_at(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let _ = (call, source);
        self.call(function, arguments)
    }

    /// A call that was made already, made again with arguments that are moved by a few units in the last place, to see how much of a
    /// difference rounding explains. It is no call of the metamorphic group, so callers that keep records of these do not record it;
    /// the default just calls [`Caller::call`].
    ///
    /// # Errors
    /// As [`Caller::call`].
    fn call_moved(
        &mut self,
        call: usize,
        source: &dyn Fn(usize) -> usize,
        function: usize,
        arguments: &[Column],
    ) -> Result<Calls, CallError> {
        let _ = (call, source);
        self.call(function, arguments)
    }
}

/// The calls could not be made: a failure of the target, not of the function under test.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// They were given up, because the time was up or somebody interrupted.
    #[error("could not call the function under test: the time was up, or somebody interrupted")]
    Stopped,
    /// The target failed, in its own words.
    #[error("could not call the function under test: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl CallError {
    /// Wraps the failure, or a message.
    pub fn new(failure: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        CallError::Failed(failure.into())
    }
}
