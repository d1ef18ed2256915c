//! Why a sequence of relations cannot be composed.

use thiserror::Error;

/// Why a sequence of relations cannot be composed (section 3.2: "not all metamorphic relations can be compounded").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Error)]
pub enum Incomposable {
    /// Two neighbours take inputs of different types.
    #[error("their functions take inputs of different types")]
    DifferentInputs,
    /// One of the relations is about a function that the expectation does not call.
    #[error("a relation is about a function of which the others do not speak")]
    NeverMeet,
    /// An inequality would have to replace an output inside an expression that neither rises nor falls with it.
    #[error("an inequality stands where the expectation does not rise or fall with it")]
    NotMonotone,
    /// From `a <= b` and `b >= c` nothing follows.
    #[error("inequalities of opposite directions do not chain")]
    OppositeOrders,
    /// From `a <= b` and `b ~= c` no inequality follows, since inequalities have no tolerance.
    #[error("an inequality and an approximation do not chain")]
    ApproximateOrder,
    /// The condition of a relation needs an output for a changed input, and no `==` says what this output is.
    #[error("a condition needs an output that only an extra call could give")]
    ConditionOnFollowUp,
    /// The expectation has more than [`MOST_NODES`](super::MOST_NODES) nodes.
    #[error("the composite relation is too large to be read or run")]
    TooLarge,
    /// The relation language refuses the composite relation, for example because the types of two functions with a
    /// parameter of one name do not agree.
    #[error("the relation language has no way to write the composite relation")]
    Unwritable,
}

impl Incomposable {
    /// Every reason.
    pub const ALL: [Incomposable; 8] = [
        Incomposable::DifferentInputs,
        Incomposable::NeverMeet,
        Incomposable::NotMonotone,
        Incomposable::OppositeOrders,
        Incomposable::ApproximateOrder,
        Incomposable::ConditionOnFollowUp,
        Incomposable::TooLarge,
        Incomposable::Unwritable,
    ];
}
