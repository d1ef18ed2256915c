//! Terms: what a program computes, as expressions over symbolic inputs.

mod assignment;
mod op;
mod sort;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use assignment::Assignment;
pub use op::Op;
pub use sort::Sort;

/// A value that is known or an expression over variables. Equal terms of one [`Terms`] have equal meanings; constants
/// stand inline, so that concrete code makes no nodes.
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

/// All terms of a run, hash-consed: equal expressions are one node.
#[derive(Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    known: FxHashMap<Node, NodeId>,
    variables: Vec<(String, Sort)>,
}

impl Terms {
    /// No terms.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// A new variable of sort Bool or Bits (a float input is [`Op::FromBits`] of one). The name is for people.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        let index = self.variables.len() as u32;
        self.variables.push((name.to_owned(), sort));
        self.intern(Op::Variable(Variable(index)), sort, &[])
    }

    /// Names and sorts of the variables, in the order in which they were made.
    pub fn variables(&self) -> &[(String, Sort)] {
        &self.variables
    }

    /// How many nodes there are: what a budget of memory counts.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a term that is not a constant.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// An operator applied to operands, simplified. `sort` is that of the result.
    ///
    /// # Panics
    /// When the operands are not of the sorts that the operator takes.
    pub fn apply(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        self.intern(op, sort, operands)
    }

    fn intern(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        let node = Node { op, sort, operands: SmallVec::from_slice(operands) };
        let next = NodeId(self.nodes.len() as u32);
        let id = *self.known.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            next
        });
        Term::Node(sort, id)
    }

    /// `not a`.
    pub fn not(&mut self, a: Term) -> Term {
        self.apply(Op::Not, Sort::Bool, &[a])
    }

    /// `a and b`.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::And, Sort::Bool, &[a, b])
    }

    /// `a or b`.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::Or, Sort::Bool, &[a, b])
    }

    /// Whether two terms of one sort (not floats) have the same bits.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.apply(Op::Equal, Sort::Bool, &[a, b])
    }

    /// `a` where the condition holds, else `b`.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        self.apply(Op::Ite, a.sort(), &[condition, a, b])
    }

    /// A binary operator whose result has the sort of its operands.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.apply(op, a.sort(), &[a, b])
    }

    /// A comparison: a truth value.
    pub fn compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.apply(op, Sort::Bool, &[a, b])
    }

    /// `width` bits of `a` from bit `low` up.
    pub fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        self.apply(Op::Extract { low }, Sort::Bits(width), &[a])
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = high.sort().width() + low.sort().width();
        self.apply(Op::Concat, Sort::Bits(width), &[high, low])
    }

    /// `a` with zeros above, to a width.
    pub fn zero_extend(&mut self, a: Term, width: u8) -> Term {
        self.apply(Op::ZeroExtend, Sort::Bits(width), &[a])
    }

    /// `a` with its sign bit above, to a width.
    pub fn sign_extend(&mut self, a: Term, width: u8) -> Term {
        self.apply(Op::SignExtend, Sort::Bits(width), &[a])
    }
}
