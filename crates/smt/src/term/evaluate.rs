//! Values of terms under an assignment.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Assignment, NodeId, Op, Sort, Term, Terms, evaluate_op};

/// Evaluates terms under one assignment; what terms share is computed once.
///
/// ```
/// use dodona_smt::term::{Assignment, Evaluator, Op, Sort, Terms};
/// let mut terms = Terms::new();
/// let x = terms.variable("x", Sort::Bits(8));
/// let square = terms.binary(Op::Mul, x, x);
/// let mut assignment = Assignment::default();
/// assignment.set(terms.variables_of(x)[0], 20);
/// assert_eq!(Evaluator::new(&terms, &assignment).value(square), 400 % 256);
/// ```
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    values: FxHashMap<NodeId, u128>,
    open: Vec<NodeId>,
}

impl Terms {
    /// The value of a term. For many terms under one assignment, [`Evaluator`] computes shared parts once.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> u128 {
        Evaluator::new(self, assignment).value(term)
    }
}

impl<'a> Evaluator<'a> {
    /// Nothing evaluated yet.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { terms, assignment, values: FxHashMap::default(), open: Vec::new() }
    }

    /// The bits of a term's value, none above its sort's width.
    pub fn value(&mut self, term: Term) -> u128 {
        match term {
            Term::Constant(_, value) => value,
            Term::Node(_, id) => self.node(id),
        }
    }

    /// Whether a truth value holds.
    pub fn holds(&mut self, term: Term) -> bool {
        self.value(term) == 1
    }

    fn node(&mut self, root: NodeId) -> u128 {
        self.open.push(root);
        while let Some(&id) = self.open.last() {
            if self.values.contains_key(&id) {
                self.open.pop();
            } else if let Some(value) = self.computed(id) {
                self.values.insert(id, value);
                self.open.pop();
            }
        }
        self.values[&root]
    }

    /// The value of a node if those of its operands are known; otherwise adds the operands to the nodes that have to be
    /// evaluated.
    fn computed(&mut self, id: NodeId) -> Option<u128> {
        let node = self.terms.node(id);
        if let Op::Variable(variable) = node.op {
            return Some(self.assignment.get(variable) & node.sort.mask());
        }
        if node.op == Op::Ite {
            let condition = self.known(node.operands[0])?;
            return self.known(node.operands[if condition == 1 { 1 } else { 2 }]);
        }
        let mut operands = SmallVec::<[(Sort, u128); 3]>::new();
        for &operand in &node.operands {
            operands.extend(self.known(operand).map(|value| (operand.sort(), value)));
        }
        (operands.len() == node.operands.len()).then(|| evaluate_op(node.op, node.sort, &operands))
    }

    fn known(&mut self, term: Term) -> Option<u128> {
        match term {
            Term::Constant(_, value) => Some(value),
            Term::Node(_, id) => {
                let value = self.values.get(&id).copied();
                if value.is_none() {
                    self.open.push(id);
                }
                value
            }
        }
    }
}
