//! Terms over the variables of a pair of executions. Equal trees are stored once, so they have equal ids.

use dodona_relations::ast::{Expression, Node as Written};
use dodona_relations::plan::Ty;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::{Operator, Pairs};

/// The id of a term in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The number of the term. Terms are numbered in the order in which they are made, so operands have smaller numbers.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A leaf of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A variable, by its index in the pairs.
    Variable(u16),
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A finite float, as the bits of its `f64`.
    Float(u64),
    /// The empty text, or the empty sequence of a kind.
    Empty(EmptyKind),
}

/// The kind of an empty sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum EmptyKind {
    Text,
    Bools,
    Ints,
    Floats,
}

/// A term: a leaf, or an operator with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A leaf.
    Leaf(Leaf),
    /// An operator with as many operands as its arity says.
    Apply(Operator, SmallVec<[TermId; 2]>),
}

/// What is known about a term without evaluating it.
#[derive(Clone, Copy, Debug)]
struct TermFacts {
    ty: Ty,
    size: u32,
    /// Bit `i` is set if variable `i` occurs.
    variables: u64,
}

/// All terms of one search.
#[derive(Clone, Debug)]
pub struct Terms {
    types: Vec<Ty>,
    nodes: IndexSet<Node, FxBuildHasher>,
    facts: Vec<TermFacts>,
}

impl Terms {
    /// An empty set of terms over variables of these types.
    ///
    /// # Panics
    /// For more than [`Pairs::MOST_VARIABLES`] variables.
    pub fn new(types: Vec<Ty>) -> Terms {
        assert!(types.len() <= Pairs::MOST_VARIABLES, "at most {} variables", Pairs::MOST_VARIABLES);
        Terms { types, nodes: IndexSet::default(), facts: Vec::new() }
    }

    /// The types of the variables.
    pub fn types(&self) -> &[Ty] {
        &self.types
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term of a leaf.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn leaf(&mut self, leaf: Leaf) -> TermId {
        let (ty, variables) = match leaf {
            Leaf::Variable(v) => (self.types[usize::from(v)], 1 << v),
            Leaf::Bool(_) => (Ty::Bool, 0),
            Leaf::Int(_) => (Ty::Int, 0),
            Leaf::Float(_) => (Ty::Float, 0),
            Leaf::Empty(kind) => (kind.ty(), 0),
        };
        self.insert(Node::Leaf(leaf), TermFacts { ty, size: 1, variables })
    }

    /// An operator applied to terms. The operands of a commutative operator are sorted. `None` where their types do not suit the
    /// operator.
    pub fn apply(&mut self, operator: Operator, operands: &[TermId]) -> Option<TermId> {
        let mut operands: SmallVec<[TermId; 2]> = operands.into();
        let types: SmallVec<[Ty; 2]> = operands.iter().map(|&o| self.ty(o)).collect();
        let ty = operator.result(&types).filter(|_| operands.len() == operator.arity())?;
        if operator.is_commutative() {
            operands.sort();
        }
        let size = 1 + operands.iter().map(|&o| self.size(o) as u32).sum::<u32>();
        let variables = operands.iter().fold(0, |all, &o| all | self.variables(o));
        Some(self.insert(Node::Apply(operator, operands), TermFacts { ty, size, variables }))
    }

    fn insert(&mut self, node: Node, facts: TermFacts) -> TermId {
        let (index, is_new) = self.nodes.insert_full(node);
        if is_new {
            self.facts.push(facts);
        }
        TermId(index as u32)
    }

    /// The node of a term.
    pub fn node(&self, term: TermId) -> &Node {
        &self.nodes[term.index()]
    }

    /// The type of a term.
    pub fn ty(&self, term: TermId) -> Ty {
        self.facts[term.index()].ty
    }

    /// How many nodes the tree of the term has; a subterm that occurs twice counts twice.
    pub fn size(&self, term: TermId) -> usize {
        self.facts[term.index()].size as usize
    }

    /// The variables that occur in the term: bit `i` for variable `i`.
    pub fn variables(&self, term: TermId) -> u64 {
        self.facts[term.index()].variables
    }

    /// The operands of a term; none for a leaf.
    pub fn operands(&self, term: TermId) -> &[TermId] {
        match self.node(term) {
            Node::Leaf(_) => &[],
            Node::Apply(_, operands) => operands,
        }
    }

    /// How the relation language writes a term, given how it writes the variables.
    pub fn write(&self, term: TermId, variables: &[Expression]) -> Expression {
        match self.node(term) {
            Node::Leaf(leaf) => leaf.write(variables),
            Node::Apply(operator, operands) => {
                operator.write(operands.iter().map(|&o| self.write(o, variables)).collect())
            }
        }
    }
}

impl Leaf {
    fn write(self, variables: &[Expression]) -> Expression {
        let node = match self {
            Leaf::Variable(v) => return variables[usize::from(v)].clone(),
            Leaf::Bool(b) => Written::Bool(b),
            Leaf::Int(i) => Written::Int(i.into()),
            Leaf::Float(bits) => Written::Float(f64::from_bits(bits)),
            Leaf::Empty(EmptyKind::Text) => Written::Text("".into()),
            Leaf::Empty(_) => Written::Sequence(Vec::new()),
        };
        Expression::new(node)
    }
}

impl EmptyKind {
    /// What is empty among the values of this type.
    pub(crate) fn of(ty: Ty) -> Option<EmptyKind> {
        use dodona_relations::plan::Element;
        match ty {
            Ty::Text => Some(EmptyKind::Text),
            Ty::Sequence(Element::Bool) => Some(EmptyKind::Bools),
            Ty::Sequence(Element::Int) => Some(EmptyKind::Ints),
            Ty::Sequence(Element::Float) => Some(EmptyKind::Floats),
            _ => None,
        }
    }

    pub(crate) fn ty(self) -> Ty {
        use dodona_relations::plan::Element;
        match self {
            EmptyKind::Text => Ty::Text,
            EmptyKind::Bools => Ty::Sequence(Element::Bool),
            EmptyKind::Ints => Ty::Sequence(Element::Int),
            EmptyKind::Floats => Ty::Sequence(Element::Float),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_trees_have_equal_ids() {
        let mut terms = Terms::new(vec![Ty::Int, Ty::Int]);
        let (a, b) = (terms.leaf(Leaf::Variable(0)), terms.leaf(Leaf::Variable(1)));
        let sum = terms.apply(Operator::Add, &[a, b]);
        assert_eq!(sum, terms.apply(Operator::Add, &[b, a]));
        assert_ne!(terms.apply(Operator::Subtract, &[a, b]), terms.apply(Operator::Subtract, &[b, a]));
        let sum = sum.expect("numbers add");
        assert_eq!((terms.size(sum), terms.variables(sum), terms.ty(sum)), (3, 0b11, Ty::Int));
        assert_eq!(terms.apply(Operator::Not, &[sum]), None);
    }

    #[test]
    fn terms_are_written_in_the_relation_language() {
        let mut terms = Terms::new(vec![Ty::Text, Ty::Int]);
        let (s, n) = (terms.leaf(Leaf::Variable(0)), terms.leaf(Leaf::Variable(1)));
        let dropped = terms.apply(Operator::Drop, &[s, n]).expect("a text from a place on");
        let same = terms.apply(Operator::SuffixOf, &[dropped, s]).expect("two texts");
        let written = terms.write(same, &[Expression::name("s"), Expression::name("n")]);
        assert_eq!(written.to_string(), "s[n..] is_suffix_of s");
    }
}
