//! What a function decides, as terms: comparisons in the conditions of paths, and in outputs that are chosen without a branch.

use std::collections::{HashMap, HashSet};

use dodona_symbolic::term::{Assignment, NodeId, Op, Sort, Term, Terms};
use dodona_symbolic::{Symbol, explore::Path};

/// The most decisions. With more, the questions to the solver take longer, and functions of so many comparisons are rare.
const MOST_DECISIONS: usize = 300;

/// A truth value that a function computes.
pub(super) struct Decision {
    /// The start of the exploration, by its index.
    pub(super) start: usize,
    /// What holds where it is computed.
    pub(super) given: Vec<Term>,
    pub(super) term: Term,
    /// What is computed from it: an output, or a condition of the path.
    pub(super) root: Term,
    /// Values for which all that is given holds.
    pub(super) model: Assignment,
}

impl Decision {
    /// That what is computed depends on this decision: with the other result of it, it would be another. In `a == 4321 and b == 37`, it depends on `a == 4321` only
    /// where `b` is 37.
    pub(super) fn matters(&self, terms: &mut Terms) -> Term {
        let [yes, no] =
            [true, false].map(|truth| substituted(terms, self.root, self.term, Term::bool(truth)));
        let [yes, no] = [yes, no].map(|term| as_bits(terms, term));
        let is_same = terms.equal(yes, no);
        terms.not(is_same)
    }
}

/// A term in which another one is replaced.
fn substituted(terms: &mut Terms, root: Term, old: Term, new: Term) -> Term {
    let mut known: HashMap<Term, Term> = HashMap::from([(old, new)]);
    for id in terms.nodes_below(&[root]) {
        let node = terms.node(id).clone();
        let term = Term::Node(node.sort, id);
        if known.contains_key(&term) {
            continue;
        }
        let operands: Vec<Term> =
            node.operands.iter().map(|operand| known.get(operand).copied().unwrap_or(*operand)).collect();
        if operands[..] != node.operands[..] {
            let changed = terms.apply(node.op, node.sort, &operands);
            known.insert(term, changed);
        }
    }
    known.get(&root).copied().unwrap_or(root)
}

/// Floats are compared by their bits.
fn as_bits(terms: &mut Terms, term: Term) -> Term {
    match term.sort().is_float() {
        true => terms.apply(Op::ToBits, Sort::Bits(term.sort().width()), &[term]),
        false => term,
    }
}

/// The decisions of the paths that were seen, each once.
#[derive(Default)]
pub(super) struct Decisions {
    all: Vec<Decision>,
    seen: HashSet<(usize, NodeId, Term)>,
}

impl Decisions {
    /// Adds the decisions of a path; `false` if there are enough.
    pub(super) fn add(&mut self, terms: &mut Terms, path: &Path) -> bool {
        for (place, &constraint) in path.constraints.iter().enumerate().skip(path.assumptions) {
            self.below(terms, path, &path.constraints[..place], constraint);
        }
        if let Ok(outputs) = &path.outputs {
            let roots = outputs.iter().flat_map(|output| match output {
                Symbol::Scalar(term) => vec![*term],
                Symbol::Elements(elements) => elements.clone(),
            });
            roots.for_each(|root| self.below(terms, path, &path.constraints, root));
        }
        self.all.len() < MOST_DECISIONS
    }

    /// Adds the truth values that a term is computed from. A negation says what its operand says.
    fn below(&mut self, terms: &Terms, path: &Path, given: &[Term], root: Term) {
        for id in terms.nodes_below(&[root]) {
            let node = terms.node(id);
            let is_decision = node.sort == Sort::Bool && !matches!(node.op, Op::Not | Op::Variable(_));
            if !is_decision || self.all.len() >= MOST_DECISIONS || !self.seen.insert((path.start, id, root)) {
                continue;
            }
            let term = Term::Node(Sort::Bool, id);
            let (given, model) = (given.to_vec(), path.model.clone());
            self.all.push(Decision { start: path.start, given, term, root, model });
        }
    }

    pub(super) fn into_all(self) -> Vec<Decision> {
        self.all
    }
}
