//! The verdict on a metamorphic group.

use dodona_subject::{Calls, Column, Outcome};

/// The verdict on one metamorphic group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The expectation is true.
    Holds,
    /// The expectation is true, but would not be without an allowance of `~=`.
    Allowed(Allowance),
    /// The relation is violated.
    Violated(Violation),
    /// The source input is not eligible for the relation.
    Ineligible(Ineligible),
    /// The expectation has no value, as after a division by zero. Counted as a violation.
    Undefined,
}

/// What lets `~=` hold where the difference of the sides is greater than its relative tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allowance {
    /// The sides differ by no more than the rounding of numbers on the way to them explains.
    Rounding,
    /// The sides differ by no more than the absolute tolerance that the relation gives.
    Absolute,
}

impl Verdict {
    /// Whether the expectation is true, be it thanks to an allowance.
    pub fn holds(self) -> bool {
        matches!(self, Verdict::Holds | Verdict::Allowed(_))
    }

    /// Whether the source input is eligible for the relation.
    pub fn is_eligible(self) -> bool {
        !matches!(self, Verdict::Ineligible(_))
    }

    /// Whether the group is a counterexample: the relation is violated, or its expectation undefined.
    pub fn is_violation(self) -> bool {
        matches!(self, Verdict::Violated(_) | Verdict::Undefined)
    }
}

/// How a relation is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Violation {
    /// The expectation is false.
    False,
    /// A follow-up call did not return although the source calls returned.
    FollowUp(Outcome),
}

/// Why a source input is not eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ineligible {
    /// The condition is false.
    Condition,
    /// The condition has no value.
    ConditionUndefined,
    /// An argument lies outside its parameter's type or domain, or a precondition does not hold.
    OutOfDomain,
    /// A source call did not return.
    Skipped(Outcome),
}

/// Makes the calls of the functions under test.
pub trait Caller {
    /// Calls a function once for every row.
    ///
    /// `function` is an index into the functions that the relation was checked with; `arguments` has one column for
    /// each parameter, all of the same length, at least 1. The answer has one outcome for each row and, in the order
    /// of [`dodona_subject::Function::outputs`], one column of that length for each output.
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

/// The calls could not be made: a failure of the host, not of the function under test.
#[derive(Debug, thiserror::Error)]
#[error("could not call the function under test: {0}")]
pub struct CallError(#[source] Box<dyn std::error::Error + Send + Sync>);

impl CallError {
    /// Wraps the failure, or a message.
    pub fn new(failure: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        CallError(failure.into())
    }
}
