//! The store of terms: each expression once.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::variables::VariableSets;
use super::{Node, NodeId, Op, Sort, Term, Variable};

/// All terms of a run, hash-consed: equal expressions are one node.
///
/// ```
/// use dodona_smt::term::{Op, Sort, Term, Terms};
/// let mut terms = Terms::new();
/// let x = terms.variable("x", Sort::Bits(32));
/// let one = Term::bits(32, 1);
/// let next = terms.binary(Op::Add, x, one);
/// assert_eq!(terms.binary(Op::Sub, next, one), x);
/// ```
#[derive(Debug, Default)]
pub struct Terms {
    nodes: IndexSet<Node, FxBuildHasher>,
    variables: Vec<(String, Sort)>,
    characters: FxHashSet<Variable>,
    unsigned: FxHashSet<Variable>,
    sets: VariableSets,
    /// The number of simplifications that wait for the result of another one.
    pub(super) depth: u32,
}

impl Terms {
    /// A store without terms.
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

    /// The numbers of all variables, in the order in which they were made.
    pub fn variable_numbers(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.variables.len() as u32).map(Variable)
    }

    /// The first variable of this name and sort.
    pub fn find_variable(&self, name: &str, sort: Sort) -> Option<Variable> {
        self.variable_numbers()
            .find(|variable| self.name_of(*variable) == name && self.sort_of(*variable) == sort)
    }

    /// The name of a variable.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn name_of(&self, variable: Variable) -> &str {
        &self.variables[variable.0 as usize].0
    }

    /// The sort of a variable.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn sort_of(&self, variable: Variable) -> Sort {
        self.variables[variable.0 as usize].1
    }

    /// The term that a variable is.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn variable_term(&mut self, variable: Variable) -> Term {
        let sort = self.variables[variable.0 as usize].1;
        self.intern(Op::Variable(variable), sort, &[])
    }

    /// The number of nodes, which a budget of memory counts.
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

    /// All nodes of which these terms consist, including the terms themselves: each once, in the order in which they were made,
    /// so that operands come before the nodes that use them.
    pub fn nodes_below(&self, roots: &[Term]) -> Vec<NodeId> {
        let mut open: Vec<Term> = roots.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if let Term::Node(_, id) = term
                && seen.insert(id)
            {
                open.extend(&self.node(id).operands);
            }
        }
        let mut nodes: Vec<NodeId> = seen.into_iter().collect();
        nodes.sort_unstable();
        nodes
    }

    /// The node of an operator with these operands, if it exists.
    pub(super) fn find(&self, op: Op, sort: Sort, operands: &[Term]) -> Option<NodeId> {
        let node = Node { op, sort, operands: SmallVec::from_slice(operands) };
        self.nodes.get_index_of(&node).map(|index| NodeId(index as u32))
    }

    /// The term of an operator with these operands, without simplification.
    pub(super) fn intern(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        let node = Node { op, sort, operands: SmallVec::from_slice(operands) };
        let (index, new) = self.nodes.insert_full(node);
        if new {
            self.sets.add(op, operands);
        }
        Term::Node(sort, NodeId(index as u32))
    }

    /// The variables on which a term depends, each once, in the order in which they were made.
    pub fn variables_of(&self, term: Term) -> &[Variable] {
        match term {
            Term::Constant(..) => &[],
            Term::Node(_, id) => self.sets.of(id),
        }
    }

    /// Says that a variable is a character of text, so that people read `'a'`, not 97.
    ///
    /// # Panics
    /// For another term than a variable.
    pub fn mark_character(&mut self, variable: Term) {
        match self.op_of(variable) {
            Some(Op::Variable(variable)) => self.characters.insert(variable),
            _ => panic!("{variable:?} is no variable"),
        };
    }

    /// Says that a variable is a number without a sign, so that people read `u < 10`.
    ///
    /// # Panics
    /// For another term than a variable.
    pub fn mark_unsigned(&mut self, variable: Term) {
        match self.op_of(variable) {
            Some(Op::Variable(variable)) => self.unsigned.insert(variable),
            _ => panic!("{variable:?} is no variable"),
        };
    }

    /// Whether a variable was marked with [`Terms::mark_unsigned`].
    pub fn is_unsigned(&self, variable: Variable) -> bool {
        self.unsigned.contains(&variable)
    }

    /// Whether a variable was marked with [`Terms::mark_character`].
    pub fn is_character(&self, variable: Variable) -> bool {
        self.characters.contains(&variable)
    }

    /// The operator of a term that is not a constant.
    pub(super) fn op_of(&self, term: Term) -> Option<Op> {
        match term {
            Term::Constant(..) => None,
            Term::Node(_, id) => Some(self.node(id).op),
        }
    }

    fn operands_if(&self, term: Term, op: Op) -> Option<&[Term]> {
        match term {
            Term::Node(_, id) if self.node(id).op == op => Some(&self.node(id).operands),
            _ => None,
        }
    }

    /// The operand of a term of a unary operator.
    pub(super) fn as_one(&self, term: Term, op: Op) -> Option<Term> {
        self.operands_if(term, op)?.first().copied()
    }

    /// The operands of a term of a binary operator.
    pub(super) fn as_two(&self, term: Term, op: Op) -> Option<(Term, Term)> {
        self.operands_if(term, op).map(|operands| (operands[0], operands[1]))
    }

    /// The condition and the branches of an if-then-else.
    pub(super) fn as_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        self.operands_if(term, Op::Ite).map(|operands| (operands[0], operands[1], operands[2]))
    }

    /// The term of which bits are taken, and the lowest of these bits.
    pub(super) fn as_extract(&self, term: Term) -> Option<(Term, u8)> {
        match term {
            Term::Node(_, id) => match self.node(id).op {
                Op::Extract { low } => Some((self.node(id).operands[0], low)),
                _ => None,
            },
            Term::Constant(..) => None,
        }
    }
}
