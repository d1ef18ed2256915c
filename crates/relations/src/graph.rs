//! Expressions as a graph of operations in which equal subexpressions are one node.
//!
//! Nodes stand behind their operands, so the order of the nodes is an order of evaluation.

use std::collections::HashMap;

use dodona_subject::{Number, Scalar, Value};

use crate::ast::Bound;
use crate::check::{Element, Ty};
use crate::evaluate::{Data, Lane, Register, Valid, apply};

/// The place of a node in its graph.
pub type NodeId = usize;

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the words of the language")]
pub enum Op {
    /// The variable of this index.
    Variable(usize),
    /// The constant of this index.
    Constant(usize),
    /// An output of a call, both by index.
    Output {
        call: usize,
        output: usize,
    },
    /// Whether the call of this index returned.
    Returned(usize),
    /// Whether the call of this index trapped.
    Traps(usize),
    /// Numbers, or the elements of a sequence, in the kind of a scalar type (rounded for `f32`).
    Convert(Scalar),
    Negate,
    Not,
    Abs,
    Floor,
    Ceil,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    IsNan,
    Length,
    Sum,
    Reverse,
    Sorted,
    Text,
    Upper,
    Lower,
    Defined,
    Add,
    Subtract,
    Multiply,
    Divide,
    Quotient,
    Remainder,
    Power,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// `~=`; `single` where a side is of single precision.
    Approximate {
        single: bool,
    },
    And,
    Or,
    Xor,
    Iff,
    Implies,
    /// The first operand has the second as an element.
    HasElement,
    /// The first operand has the second inside, unbroken.
    Contains,
    PrefixOf,
    SuffixOf,
    Concat,
    Remove,
    Truncate,
    Index,
    /// With two operands up to the end, with three up to the third.
    Slice,
    Sequence,
}

impl Op {
    /// Whether its values come from outside the graph.
    pub fn is_leaf(self) -> bool {
        matches!(self, Op::Variable(_) | Op::Constant(_) | Op::Output { .. } | Op::Returned(_) | Op::Traps(_))
    }

    /// The call that its value comes from.
    pub fn call(self) -> Option<usize> {
        match self {
            Op::Output { call, .. } | Op::Returned(call) | Op::Traps(call) => Some(call),
            _ => None,
        }
    }
}

/// A node: an operation, its operands, and the type of its values.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// From what: nodes that stand before it.
    pub operands: Vec<NodeId>,
    /// The type of its values.
    pub ty: Ty,
    /// Whether the floats are of single precision: outputs and inputs of type `f32`, and what only moves them.
    pub single: bool,
}

/// A graph, growing.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) constants: Vec<Register<'static>>,
    pub(crate) bound: Bound,
    places: HashMap<(Op, Vec<NodeId>), NodeId>,
    constant_places: HashMap<String, NodeId>,
}

impl Graph {
    /// An empty graph whose `~=` has this tolerance.
    pub(crate) fn new(bound: Bound) -> Self {
        Graph {
            nodes: Vec::new(),
            constants: Vec::new(),
            bound,
            places: HashMap::new(),
            constant_places: HashMap::new(),
        }
    }

    pub(crate) fn ty(&self, node: NodeId) -> Ty {
        self.nodes[node].ty
    }

    /// The register of a constant node.
    pub(crate) fn constant_of(&self, node: NodeId) -> Option<&Register<'static>> {
        match self.nodes[node].op {
            Op::Constant(index) => Some(&self.constants[index]),
            _ => None,
        }
    }

    /// A node for a value.
    pub(crate) fn value(&mut self, value: &Value) -> NodeId {
        self.constant(Register::constant(value), Ty::of(value))
    }

    /// A node for what comes from outside: a variable or a call.
    pub(crate) fn leaf(&mut self, op: Op, ty: Ty, single: bool) -> NodeId {
        self.place(op, Vec::new(), ty, single)
    }

    /// A node for an operation, or for its result where all operands are constants.
    pub(crate) fn add(&mut self, op: Op, operands: &[NodeId], ty: Ty) -> NodeId {
        let constants: Option<Vec<_>> = operands.iter().map(|id| self.constant_of(*id)).collect();
        match constants {
            Some(constants) => {
                let result = apply(op, &constants, self.bound);
                let (result, ty) = settle(result, ty);
                self.constant(result, ty)
            }
            None => {
                let single = self.stays_single(op, operands);
                self.place(op, operands.to_vec(), ty, single)
            }
        }
    }

    fn stays_single(&self, op: Op, operands: &[NodeId]) -> bool {
        let moved = match op {
            Op::Convert(scalar) => return scalar == Scalar::F32,
            Op::Negate | Op::Abs | Op::Reverse | Op::Sorted => 1,
            Op::Index | Op::Slice | Op::Remove | Op::Truncate => 1,
            Op::Min | Op::Max | Op::Concat => 2,
            _ => return false,
        };
        operands[..moved].iter().all(|id| self.nodes[*id].single)
    }

    fn constant(&mut self, register: Register<'static>, ty: Ty) -> NodeId {
        // The debug form tells kinds, -0.0 and 0.0 apart, as equality of registers would not.
        let key = format!("{ty:?} {register:?}");
        if let Some(&id) = self.constant_places.get(&key) {
            return id;
        }
        self.constants.push(register);
        let op = Op::Constant(self.constants.len() - 1);
        let id = self.place(op, Vec::new(), ty, false);
        self.constant_places.insert(key, id);
        id
    }

    fn place(&mut self, op: Op, operands: Vec<NodeId>, ty: Ty, single: bool) -> NodeId {
        let nodes = &mut self.nodes;
        *self.places.entry((op, operands)).or_insert_with_key(|(op, operands)| {
            nodes.push(Node { op: *op, operands: operands.clone(), ty, single });
            nodes.len() - 1
        })
    }
}

/// A constant number is an integer or a float, no longer either.
fn settle(register: Register<'static>, ty: Ty) -> (Register<'static>, Ty) {
    match (&register.data, &register.valid) {
        (Data::Number(Lane::One(Number::Int(i))), Valid::All) => {
            (Register::constant(&Value::Int(*i)), Ty::Int)
        }
        (Data::Number(Lane::One(Number::Float(x))), Valid::All) => {
            (Register::constant(&Value::Float(*x)), Ty::Float)
        }
        _ => (register, ty),
    }
}

impl Ty {
    /// The type of a value; an empty sequence fits any.
    pub fn of(value: &Value) -> Ty {
        use dodona_subject::Sequence as S;
        match value {
            Value::Bool(_) => Ty::Bool,
            Value::Int(_) => Ty::Int,
            Value::Float(_) => Ty::Float,
            Value::Text(_) => Ty::Text,
            Value::Sequence(s) if s.is_empty() => Ty::Sequence(Element::Nothing),
            Value::Sequence(S::Bool(_)) => Ty::Sequence(Element::Bool),
            Value::Sequence(S::Int(_)) => Ty::Sequence(Element::Int),
            Value::Sequence(S::Float(_)) => Ty::Sequence(Element::Float),
        }
    }
}
