//! Calls whose arguments have been type-checked.

use crate::graph::NodeId;

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct ArgumentNode {
    /// The argument with the type that it has as written.
    pub written: NodeId,
    /// The argument converted to the kind of the parameter's type; undefined where that fails, as 1.5 for an integer
    /// parameter.
    pub passed: NodeId,
    /// Whether the argument may lie outside the parameter's type or domain, so that it must be tested.
    pub doubtful: bool,
}

/// A call whose arguments have been type-checked.
#[derive(Clone, Debug)]
pub struct CallNode {
    /// The arguments, one for each parameter.
    pub arguments: Vec<ArgumentNode>,
    /// The function's precondition over these arguments, if it has one.
    pub requires: Option<NodeId>,
}
