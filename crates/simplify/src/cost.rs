//! The cost of an expression: first its length, then how hard it is to read.

use dodona_relations::ast::{BinaryOperator as B, Expression, Node, UnaryOperator};
use dodona_relations::check::{CallSites, Role};
use dodona_relations::{plan::Op, precedence};
use egg::{CostFunction, Id};

use super::meaning::Terms;
use super::term::{Constant, Operator, Term};

/// The number of nodes and, among expressions of equal length, how hard they are to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) nodes: u32,
    pub(super) unreadable: u32,
}

impl Cost {
    pub(super) fn plus(self, other: Cost) -> Cost {
        Cost {
            nodes: self.nodes.saturating_add(other.nodes),
            unreadable: self.unreadable.saturating_add(other.unreadable),
        }
    }
}

/// Computes the cost of a term: the same as [`of`] gives for the expression that the term is written as.
pub(super) struct TermCost<'t> {
    pub(super) terms: &'t Terms,
}

impl CostFunction<Term> for TermCost<'_> {
    type Cost = Cost;

    fn cost<C: FnMut(Id) -> Cost>(&mut self, term: &Term, mut costs: C) -> Cost {
        let sides = match (&term.operator, &term.operands[..]) {
            (Operator::Binary(operator), [a, b]) if compares(*operator) => self.side(*a).min(self.side(*b)),
            _ => 0,
        };
        let own = Cost { nodes: 1, unreadable: sides + unreadable(&term.operator) + twice(term) };
        term.operands.iter().fold(own, |sum, id| sum.plus(costs(*id)))
    }
}

impl TermCost<'_> {
    /// As [`side`], for the expression that the class will be written as.
    fn side(&self, id: Id) -> u32 {
        let nodes = &self.terms[id].nodes;
        let called = |term: &Term| match &term.operator {
            Operator::Call(callee) => Some(callee.role),
            Operator::Select(_) => self.called(term.operands[0]),
            _ => None,
        };
        match nodes.iter().find_map(called) {
            Some(Role::FollowUp) => 0,
            Some(Role::Source) => SOURCE,
            None if self.terms[id].data.constant.is_some() => 8,
            None if nodes.iter().any(|term| term.operands.is_empty()) => 4,
            None => 6,
        }
    }

    fn called(&self, id: Id) -> Option<Role> {
        self.terms[id].nodes.iter().find_map(|term| match &term.operator {
            Operator::Call(callee) => Some(callee.role),
            _ => None,
        })
    }
}

/// The penalty for `a + a`, since `2 * a` is easier to read.
const TWICE: u32 = 3;

fn twice(term: &Term) -> u32 {
    match (&term.operator, &term.operands[..]) {
        (Operator::Binary(B::Add), [a, b]) if a == b => TWICE,
        _ => 0,
    }
}

fn compares(operator: B) -> bool {
    matches!(operator, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Approximate | B::Iff | B::Xor)
}

fn unreadable(operator: &Operator) -> u32 {
    match operator {
        Operator::Constant(constant) => of_constant(constant),
        Operator::Not | Operator::Binary(B::Or | B::Implies | B::Iff | B::Xor | B::Power) => 2,
        Operator::Binary(B::Subtract | B::Divide | B::Quotient | B::Remainder | B::NotEqual)
        | Operator::Negate => 1,
        Operator::Word(word) if word.op == Op::Defined => 1,
        _ => 0,
    }
}

/// Zero costs nothing. Other integers with few digits cost the same.
fn of_constant(constant: &Constant) -> u32 {
    match constant {
        Constant::Bool(_) | Constant::Int(0) => 0,
        Constant::Int(i) => 1 + i.unsigned_abs().ilog10() / 3 + 2 * u32::from(*i < 0),
        Constant::Float(bits) => f64::from_bits(*bits).to_string().len() as u32,
        Constant::Text(text) => text.len() as u32,
    }
}

/// The cost of an expression as it is written.
pub(super) fn of(e: &Expression, calls: &CallSites) -> Cost {
    let own = match &e.node {
        Node::Int(i) => of_constant(&Constant::Int(*i)),
        Node::Float(x) => of_constant(&Constant::Float(x.to_bits())),
        Node::Text(text) => of_constant(&Constant::Text(text.clone())),
        Node::Unary(UnaryOperator::Negate, _) => unreadable(&Operator::Negate),
        Node::Unary(UnaryOperator::Not, _) => unreadable(&Operator::Not),
        Node::Binary(operator, a, _) if precedence::of(*operator) == precedence::COMPARISON => {
            unreadable(&Operator::Binary(*operator)) + if stands(*operator) { 0 } else { side(a, calls) }
        }
        Node::Binary(operator @ (B::Iff | B::Xor), a, _) => {
            unreadable(&Operator::Binary(*operator)) + side(a, calls)
        }
        Node::Binary(B::Add, a, b) if a == b => TWICE,
        Node::Binary(operator, ..) => unreadable(&Operator::Binary(*operator)),
        _ => 0,
    };
    e.children().into_iter().fold(Cost { nodes: 1, unreadable: own }, |sum, child| sum.plus(of(child, calls)))
}

/// Whether the operator is `contains` or similar, whose sides cannot be exchanged.
fn stands(operator: B) -> bool {
    matches!(
        operator,
        B::Contains | B::PrefixOf | B::SuffixOf | B::SubsetOf | B::DisjointFrom | B::PermutationOf
    )
}

/// The penalty for a comparison with a source call on its left.
pub(super) const SOURCE: u32 = 2;

/// The penalty for a comparison with this expression on its left: 0 for a follow-up call alone.
pub(super) fn side(e: &Expression, calls: &CallSites) -> u32 {
    let call = match &e.node {
        Node::Select(call, _) => call,
        _ => e,
    };
    match calls.find(call).map(|site| calls.sites[site].role) {
        Some(Role::FollowUp) => 0,
        Some(Role::Source) => SOURCE,
        None if matches!(e.node, Node::Int(_) | Node::Float(_) | Node::Bool(_) | Node::Text(_)) => 8,
        None if e.children().is_empty() => 4,
        None => 6,
    }
}
