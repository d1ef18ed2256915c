//! Expressions as a graph of operations. Equal subexpressions share one node.
//!
//! Every node comes after its operands, so the order of the nodes is an order of evaluation.

use std::collections::HashMap;

use dodona_target::{Number, Scalar, Value};

use crate::apply::dispatch::apply;
use crate::apply::register::{Data, Lane, Register, Valid};
use crate::ast::Bound;
use crate::check::{Element, Ty};
use crate::op::Op;

/// The index of a node in its graph.
pub type NodeId = usize;

/// A node: an operation, its operands, and the type of its values.
#[derive(Clone, Debug)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// The operands, which come before this node in the graph.
    pub operands: Vec<NodeId>,
    /// The type of the values.
    pub ty: Ty,
    /// Whether the floats are of single precision: inputs and outputs of type `f32`, and results of operations that
    /// do not round them, such as `abs` or `reverse`.
    pub single: bool,
}

/// A graph while it is built.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) constants: Vec<Register<'static>>,
    pub(crate) bound: Bound,
    places: HashMap<(Op, Vec<NodeId>), NodeId>,
    constant_places: HashMap<ConstantKey, NodeId>,
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

    /// The node for a constant value.
    pub(crate) fn value(&mut self, value: &Value) -> NodeId {
        self.constant(Register::constant(value), Ty::of(value))
    }

    /// The node for a value from outside the graph: a variable or a call.
    pub(crate) fn leaf(&mut self, op: Op, ty: Ty, single: bool) -> NodeId {
        self.place(op, Vec::new(), ty, single)
    }

    /// The node for an operation, or for its result if all operands are constants.
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

    /// Whether a node is computed from `~=`.
    pub(crate) fn has_approximation(&self, node: NodeId) -> bool {
        let node = &self.nodes[node];
        matches!(node.op, Op::Approximate { .. }) || node.operands.iter().any(|o| self.has_approximation(*o))
    }

    /// Whether a truth value can only become true when a `~=` does.
    pub(crate) fn grows_with_approximations(&self, node: NodeId) -> bool {
        let operands = &self.nodes[node].operands;
        match self.nodes[node].op {
            Op::Approximate { .. } => true,
            Op::And | Op::Or => operands.iter().all(|o| self.grows_with_approximations(*o)),
            Op::Implies => {
                !self.has_approximation(operands[0]) && self.grows_with_approximations(operands[1])
            }
            _ => !self.has_approximation(node),
        }
    }

    fn stays_single(&self, op: Op, operands: &[NodeId]) -> bool {
        let moved = match op {
            Op::Convert(scalar) => return scalar == Scalar::F32,
            Op::Negate | Op::Index | Op::Slice => 1,
            Op::If => return operands[1..].iter().all(|id| self.nodes[*id].single),
            _ => op.word().map_or(0, |word| word.moves),
        };
        moved > 0 && operands[..moved].iter().all(|id| self.nodes[*id].single)
    }

    fn constant(&mut self, register: Register<'static>, ty: Ty) -> NodeId {
        let key = ConstantKey::of(&register, ty);
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

/// A key by which constants are told apart: their kinds and values, with -0.0 different from 0.0. Comparing registers with `==`
/// would not tell all of them apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ConstantKey {
    Bool(Ty, bool),
    /// An integer, and whether its register holds numbers that may also be floats.
    Int(Ty, i128, bool),
    /// The bits of a float, where all NaNs have the same bits, and whether its register holds numbers that may also be
    /// integers.
    Float(Ty, u64, bool),
    /// The debug text of any other value. Writing it takes longer than everything else that is done with a number.
    Other(String),
}

impl ConstantKey {
    fn of(register: &Register<'_>, ty: Ty) -> ConstantKey {
        let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        match (&register.data, &register.valid) {
            (Data::Bool(Lane::One(b)), Valid::All) => ConstantKey::Bool(ty, *b),
            (Data::Int(Lane::One(i)), Valid::All) => ConstantKey::Int(ty, *i, false),
            (Data::Number(Lane::One(Number::Int(i))), Valid::All) => ConstantKey::Int(ty, *i, true),
            (Data::Float(Lane::One(x)), Valid::All) => ConstantKey::Float(ty, bits(*x), false),
            (Data::Number(Lane::One(Number::Float(x))), Valid::All) => ConstantKey::Float(ty, bits(*x), true),
            _ => ConstantKey::Other(format!("{ty:?} {register:?}")),
        }
    }
}

/// Gives a constant of type `Number` the type of its value, integer or float.
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
    /// The type of a value; an empty sequence has the element type that fits all others.
    pub fn of(value: &Value) -> Ty {
        use dodona_target::Sequence as S;
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
