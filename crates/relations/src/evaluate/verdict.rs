//! The verdict on a metamorphic group.
//!
//! An expectation that has no value counts as violated. Rates are over eligible groups only: a relation says nothing about the others, so
//! that they must not count as passes. They are counted and shown apart.

use dodona_target::Outcome;

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
