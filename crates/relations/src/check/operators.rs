//! The types of operators and words.

use super::Ty;
use super::types::Element;
use super::typing::{Typing, quoted};
use crate::Diagnostic;
use crate::apply::register::{Data, Lane};
use crate::ast::{BinaryOperator, Expression, Span};
use crate::graph::NodeId;
use crate::op::Op;

/// The left and the right operand of an operator.
pub(super) type Sides<T> = (T, T);

impl Typing<'_> {
    /// `==`, `!=` and `~=`.
    pub(super) fn equality(
        &mut self,
        operator: BinaryOperator,
        nodes: Sides<NodeId>,
        span: Span,
    ) -> Option<NodeId> {
        let (left, right) = (self.graph.ty(nodes.0), self.graph.ty(nodes.1));
        let comparable = match (left, right) {
            (Ty::Sequence(a), Ty::Sequence(b)) => a.join(b).is_some(),
            (a, b) => a == b || (a.is_number() && b.is_number()),
        };
        if !comparable {
            return self.problem(
                Diagnostic::new(
                    span,
                    format!(
                        "`{}` compares values of one type, found {} and {}",
                        operator.word(),
                        quoted(left),
                        quoted(right)
                    ),
                )
                .label("never equal"),
            );
        }
        let (a, b) = self.same_elements(nodes, false);
        let single = self.graph.nodes[a].single || self.graph.nodes[b].single;
        let op = match operator {
            BinaryOperator::Equal => Op::Equal,
            BinaryOperator::NotEqual => Op::NotEqual,
            _ => Op::Approximate { single },
        };
        Some(self.graph.add(op, &[a, b], Ty::Bool))
    }

    /// Gives an empty sequence literal the element kind of the other side. With `mix`, a sequence of integers beside
    /// a sequence of floats becomes one of floats.
    pub(super) fn same_elements(&mut self, (a, b): Sides<NodeId>, mix: bool) -> Sides<NodeId> {
        let (Ty::Sequence(left), Ty::Sequence(right)) = (self.graph.ty(a), self.graph.ty(b)) else {
            return (a, b);
        };
        let Some(joined) = left.join(right) else { return (a, b) };
        let wanted = |element| if mix || element == Element::Nothing { joined } else { element };
        (self.with_elements(a, left, wanted(left)), self.with_elements(b, right, wanted(right)))
    }

    /// The sequence with its elements converted to the wanted kind.
    fn with_elements(&mut self, node: NodeId, element: Element, wanted: Element) -> NodeId {
        match wanted.representative().filter(|_| element != wanted) {
            Some(scalar) => self.graph.add(Op::Convert(scalar), &[node], Ty::Sequence(wanted)),
            None => node,
        }
    }

    pub(super) fn order(
        &mut self,
        operator: BinaryOperator,
        (a, b): Sides<NodeId>,
        written: Sides<&Expression>,
    ) -> Option<NodeId> {
        let who = format!("`{}`", operator.word());
        for (node, e) in [(a, written.0), (b, written.1)] {
            let ty = self.graph.ty(node);
            if !ty.is_number() {
                return self.wanted(&who, "numbers", ty, e.span);
            }
        }
        let op = match operator {
            BinaryOperator::Less => Op::Less,
            BinaryOperator::LessEqual => Op::LessEqual,
            BinaryOperator::Greater => Op::Greater,
            _ => Op::GreaterEqual,
        };
        Some(self.graph.add(op, &[a, b], Ty::Bool))
    }

    /// Type-checks `contains`, `is_prefix_of` and `is_suffix_of`.
    pub(super) fn standing(
        &mut self,
        operator: BinaryOperator,
        nodes: Sides<NodeId>,
        span: Span,
    ) -> Option<NodeId> {
        let (left, right) = (self.graph.ty(nodes.0), self.graph.ty(nodes.1));
        let op = match operator {
            BinaryOperator::Contains => Op::Contains,
            BinaryOperator::PrefixOf => Op::PrefixOf,
            _ => Op::SuffixOf,
        };
        match (left, right) {
            (Ty::Text, Ty::Text) => Some(self.graph.add(op, &[nodes.0, nodes.1], Ty::Bool)),
            (Ty::Sequence(a), Ty::Sequence(b)) if a.join(b).is_some() => {
                let (a, b) = self.same_elements(nodes, false);
                Some(self.graph.add(op, &[a, b], Ty::Bool))
            }
            (Ty::Sequence(e), x) if op == Op::Contains && e.can_be(x) => {
                let kind = if x == Ty::Bool { Element::Bool } else { e };
                let sequence = self.with_elements(nodes.0, e, kind);
                Some(self.graph.add(Op::HasElement, &[sequence, nodes.1], Ty::Bool))
            }
            _ => self.problem(
                Diagnostic::new(
                    span,
                    format!(
                        "`{}` does not go with {} and {}",
                        operator.word(),
                        quoted(left),
                        quoted(right)
                    ),
                )
                .hint(match op {
                    Op::Contains => {
                        "write `sequence contains element`, `sequence contains sequence` or `text contains text`"
                    }
                    _ => "both sides are texts, or sequences of the same kind",
                }),
            ),
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        nodes: Sides<NodeId>,
        written: Sides<&Expression>,
        span: Span,
    ) -> Option<NodeId> {
        let (left, right) = (self.graph.ty(nodes.0), self.graph.ty(nodes.1));
        let op = match operator {
            BinaryOperator::Add => Op::Add,
            BinaryOperator::Subtract => Op::Subtract,
            BinaryOperator::Multiply => Op::Multiply,
            BinaryOperator::Divide => Op::Divide,
            BinaryOperator::Quotient => Op::Quotient,
            BinaryOperator::Remainder => Op::Remainder,
            _ => Op::Power,
        };
        if !left.is_number() || !right.is_number() {
            return self.elementwise(op, operator, nodes, written, span);
        }
        let ty = match op {
            Op::Quotient | Op::Remainder => return self.whole(op, operator, nodes, written),
            Op::Divide | Op::Power if left.mix(right) == Ty::Float => Ty::Float,
            Op::Power if left == Ty::Int && self.is_natural(nodes.1) => Ty::Int,
            Op::Divide | Op::Power => Ty::Number,
            _ => left.mix(right),
        };
        Some(self.graph.add(op, &[nodes.0, nodes.1], ty))
    }

    /// Whether a node is a constant integer >= 0.
    fn is_natural(&self, node: NodeId) -> bool {
        matches!(self.graph.constant_of(node).map(|r| &r.data), Some(Data::Int(Lane::One(0..))))
    }

    /// `+`, `-` or `*` between a sequence and a number.
    fn elementwise(
        &mut self,
        op: Op,
        operator: BinaryOperator,
        (a, b): Sides<NodeId>,
        written: Sides<&Expression>,
        span: Span,
    ) -> Option<NodeId> {
        let (left, right) = (self.graph.ty(a), self.graph.ty(b));
        let (element, number) = match (left, right) {
            (Ty::Sequence(e), n) if matches!(op, Op::Add | Op::Subtract | Op::Multiply) => (e, n),
            (n, Ty::Sequence(e)) if matches!(op, Op::Add | Op::Multiply) => (e, n),
            _ => (Element::Bool, Ty::Bool),
        };
        if element.is_number() && number.is_number() {
            let integers = element != Element::Float && number == Ty::Int;
            let element = if integers { Element::Int } else { Element::Float };
            return Some(self.graph.add(op, &[a, b], Ty::Sequence(element)));
        }
        if op == Op::Add && (left == right || matches!((left, right), (Ty::Sequence(_), Ty::Sequence(_)))) {
            return self.problem(
                Diagnostic::new(
                    span,
                    format!("`+` takes numbers, found {} and {}", quoted(left), quoted(right)),
                )
                .hint("`concat(s, t)` joins sequences and texts"),
            );
        }
        let who = format!("`{}`", operator.word());
        let (found, e) = if left.is_number() { (right, written.1) } else { (left, written.0) };
        self.wanted(&who, "numbers", found, e.span)
    }

    fn whole(
        &mut self,
        op: Op,
        operator: BinaryOperator,
        (a, b): Sides<NodeId>,
        written: Sides<&Expression>,
    ) -> Option<NodeId> {
        for (node, e) in [(a, written.0), (b, written.1)] {
            if self.graph.ty(node) == Ty::Float {
                return self.problem(
                    Diagnostic::new(e.span, format!("`{}` takes integers, found `float`", operator.word()))
                        .label("float")
                        .hint("write `floor(a / b)` for floats"),
                );
            }
        }
        Some(self.graph.add(op, &[a, b], Ty::Int))
    }
}

/// "1 argument", "2 arguments".
pub(super) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
