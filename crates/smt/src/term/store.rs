//! The store of terms: each expression once, simplified as it is built.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;

use super::simplify::simplify;
use super::variables::VariableSets;
use super::{Node, NodeId, Op, Sort, Term, Variable, evaluate_op};

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
    /// How many simplifications wait for another's result.
    pub(super) depth: u32,
}

/// Simplifications that may wait for each other: beyond, a term is taken as it is, so that no expression overflows the stack.
const DEPTH: u32 = 100;

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

    /// All nodes that these terms are made of, themselves among them: each once, in the order in which they were made, so that operands come
    /// before what is made of them.
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

    /// An operator applied to operands, simplified. `sort` is that of the result.
    ///
    /// # Panics
    /// When the operands are not of the sorts that the operator takes.
    pub fn apply(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        assert!(op.takes(sort, operands), "{op:?} to {sort:?} does not take {operands:?}");
        if let Some(value) = folded(op, sort, operands) {
            return Term::Constant(sort, value);
        }
        match *operands {
            // Constants second: half as many rules.
            [a @ Term::Constant(..), b] if op.is_commutative() => self.simplified(op, sort, &[b, a]),
            _ => self.simplified(op, sort, operands),
        }
    }

    fn simplified(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        if self.depth < DEPTH {
            self.depth += 1;
            let simpler = simplify(self, op, sort, operands);
            self.depth -= 1;
            if let Some(term) = simpler {
                return term;
            }
        }
        match *operands {
            // The order in which a source first wrote it is the one that stays.
            [a, b] if op.is_commutative() => match self.find(op, sort, &[b, a]) {
                Some(id) => Term::Node(sort, id),
                None => self.intern(op, sort, operands),
            },
            _ => self.intern(op, sort, operands),
        }
    }

    fn find(&self, op: Op, sort: Sort, operands: &[Term]) -> Option<NodeId> {
        let node = Node { op, sort, operands: SmallVec::from_slice(operands) };
        self.nodes.get_index_of(&node).map(|index| NodeId(index as u32))
    }

    fn intern(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
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

    /// Condition and branches of an if-then-else.
    pub(super) fn as_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        self.operands_if(term, Op::Ite).map(|operands| (operands[0], operands[1], operands[2]))
    }

    /// What bits are taken of, and from which up.
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

fn folded(op: Op, sort: Sort, operands: &[Term]) -> Option<u128> {
    let known: SmallVec<[(Sort, u128); 3]> =
        operands.iter().map_while(|term| Some((term.sort(), term.constant()?))).collect();
    (known.len() == operands.len()).then(|| evaluate_op(op, sort, &known))
}
