//! A read-only view of compiled relations and preconditions, for engines that evaluate them on values other than
//! columns.

use dodona_target::{Column, Domain, Type, Value};

use crate::apply::register::Register;
use crate::ast::Bound;
use crate::check::Group;
pub use crate::check::{ArgumentNode, CallNode, Element, Ty};
pub use crate::evaluate::{Needed, Step};
use crate::evaluate::{Plan, Site};
use crate::graph::Graph;
pub use crate::graph::{Node, NodeId};
pub use crate::op::{Op, WORDS, Word};
pub use crate::rounding::{Cause, GROWTH, Place, Places, Precision, REPETITIONS, Stage, UNITS, moved};
pub use crate::word::{Gives, Takes};

/// The steps of one metamorphic group, and the nodes that the steps compute.
#[derive(Clone, Copy, Debug)]
pub struct PlanView<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) sites: &'p [Site],
}

/// The nodes of a precondition.
#[derive(Clone, Copy, Debug)]
pub struct PreconditionView<'p> {
    pub(crate) graph: &'p Graph,
    pub(crate) node: NodeId,
}

/// The result of an operation on single values, where `None` is an undefined value. Every other engine of the language has to
/// give the same result.
///
/// ```
/// use dodona_relations::ast::Bound;
/// use dodona_relations::plan::{Op, apply_to_values};
/// use dodona_target::Value;
///
/// let exact = Bound::Relative(0.0);
/// let (six, none) = (Some(Value::Int(6)), Some(Value::Int(0)));
/// assert_eq!(apply_to_values(Op::Divide, &[six.clone(), six.clone()], exact), Some(Value::Int(1)));
/// assert_eq!(apply_to_values(Op::Divide, &[six, none], exact), None);
/// ```
///
/// # Panics
/// When the operands are not of the types that the checker gives this operation.
pub fn apply_to_values(op: Op, operands: &[Option<Value>], bound: Bound) -> Option<Value> {
    let operands: Vec<Register<'static>> = operands.iter().map(|value| register(value.as_ref())).collect();
    crate::apply::dispatch::apply(op, &operands.iter().collect::<Vec<_>>(), bound).value(0)
}

fn register(value: Option<&Value>) -> Register<'static> {
    match value {
        Some(value) => Register::constant(value),
        // An undefined register of the kind that connectives take.
        None => {
            let none = crate::apply::dispatch::apply(
                Op::Divide,
                &[&Register::constant(&Value::Int(1)), &Register::constant(&Value::Int(0))],
                Bound::Relative(0.0),
            );
            crate::apply::dispatch::apply(Op::Equal, &[&none, &none], Bound::Relative(0.0))
        }
    }
}

impl<'p> PlanView<'p> {
    /// The steps in order.
    pub fn steps(self) -> &'p [Step] {
        &self.plan.steps
    }

    /// All nodes; every node comes after its operands.
    pub fn nodes(self) -> &'p [Node] {
        &self.plan.group.graph.nodes
    }

    /// The constant with this index; `None` if it is undefined.
    ///
    /// # Panics
    /// When there is no such constant.
    pub fn constant(self, index: usize) -> Option<Value> {
        self.plan.group.graph.constants[index].value(0)
    }

    /// The tolerance of `~=`.
    pub fn bound(self) -> Bound {
        self.plan.group.graph.bound
    }

    /// Whether what `~=` allows for rounding can only make more groups hold. If so, a relation that is proved without the allowance holds
    /// with it. It is not so where `~=` stands in a condition, in an argument, or under `not`.
    pub fn allowances_only_help(self) -> bool {
        let Group { graph, calls, condition, expect, .. } = &self.plan.group;
        if let Bound::Ulps(_) = graph.bound {
            return true;
        }
        let passed = calls.iter().flat_map(|call| call.arguments.iter().map(|a| a.passed));
        let elsewhere = condition.iter().copied().chain(passed).all(|node| !graph.has_approximation(node));
        elsewhere && graph.grows_with_approximations(*expect)
    }

    /// What a node is computed from, itself included.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn needed(self, node: NodeId) -> Needed {
        self.plan.needed(node)
    }

    /// The numbers that rounding touches.
    pub fn places(self) -> &'p Places {
        &self.plan.places
    }

    /// The node of the condition, if there is one.
    pub fn condition(self) -> Option<NodeId> {
        self.plan.group.condition
    }

    /// The node of the expectation.
    pub fn expect(self) -> NodeId {
        self.plan.group.expect
    }

    /// The arguments and the precondition of a call, given the index of its call site.
    ///
    /// # Panics
    /// When there is no such call.
    pub fn call(self, call: usize) -> &'p CallNode {
        &self.plan.group.calls[call]
    }

    /// The type and domain of a call's parameter.
    ///
    /// # Panics
    /// When there is no such call or parameter.
    pub fn parameter(self, call: usize, parameter: usize) -> (Type, &'p Domain) {
        let (_, ty, domain) = &self.sites[call].parameters[parameter];
        (*ty, domain)
    }
}

impl<'p> PreconditionView<'p> {
    /// All nodes; every node comes after its operands.
    pub fn nodes(self) -> &'p [Node] {
        &self.graph.nodes
    }

    /// The constant with this index; `None` if it is undefined.
    ///
    /// # Panics
    /// When there is no such constant.
    pub fn constant(self, index: usize) -> Option<Value> {
        self.graph.constants[index].value(0)
    }

    /// The tolerance of `~=`.
    pub fn bound(self) -> Bound {
        self.graph.bound
    }

    /// The node whose value is the truth of the precondition.
    pub fn node(self) -> NodeId {
        self.node
    }
}

/// The result of an operation on columns of the same length, row by row, and for each row whether the result is
/// defined. `~=` uses the default tolerance.
///
/// # Panics
/// When the operands do not have the types that the operation takes, or the result mixes integers and floats.
pub fn apply(op: Op, operands: &[&Column]) -> (Column, Vec<bool>) {
    let rows = operands.first().map_or(0, |column| column.len());
    let registers: Vec<Register<'_>> = operands.iter().map(|column| Register::borrowed(column)).collect();
    let Register { data, valid } =
        crate::apply::dispatch::apply(op, &registers.iter().collect::<Vec<_>>(), Bound::Relative(1e-9));
    let defined = (0..rows).map(|row| valid.at(row)).collect();
    (data.into_column(rows), defined)
}
