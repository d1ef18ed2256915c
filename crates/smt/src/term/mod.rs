//! Terms: what a program computes, as expressions over symbolic inputs.

mod assignment;
mod build;
mod evaluate;
mod fold;
mod op;
#[cfg(test)]
pub(crate) mod random;
mod render;
mod simplify;
mod smtlib;
mod sort;
mod store;
mod variables;

use smallvec::SmallVec;

pub use assignment::Assignment;
pub use evaluate::Evaluator;
pub use fold::evaluate_op;
pub use op::Op;
pub use smtlib::{SmtLib, variable_name};
pub use sort::Sort;
pub use store::Terms;

/// A constant, or an expression over variables. Equal terms of one [`Terms`] have equal meanings. Constants are stored inline,
/// so that concrete code makes no nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A value: the bits, without any above the sort's width. NaNs keep their payload.
    Constant(Sort, u128),
    /// A node of the [`Terms`] that made it.
    Node(Sort, NodeId),
}

/// A node's number in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// A variable's number in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub(crate) u32);

/// A node: an operator with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// The sort of its value.
    pub sort: Sort,
    /// From what.
    pub operands: SmallVec<[Term; 3]>,
}

impl Term {
    /// The truth value as a term.
    pub fn bool(value: bool) -> Term {
        Term::Constant(Sort::Bool, value.into())
    }

    /// Bits of a width; those of `value` above it are dropped.
    pub fn bits(width: u8, value: u128) -> Term {
        let sort = Sort::Bits(width);
        Term::Constant(sort, value & sort.mask())
    }

    /// The sort.
    pub fn sort(self) -> Sort {
        match self {
            Term::Constant(sort, _) | Term::Node(sort, _) => sort,
        }
    }

    /// The value, where it is known.
    pub fn constant(self) -> Option<u128> {
        match self {
            Term::Constant(_, value) => Some(value),
            Term::Node(..) => None,
        }
    }

    /// Whether it is the truth value `true` (or `false`), known.
    pub fn is(self, value: bool) -> bool {
        self == Term::bool(value)
    }
}
