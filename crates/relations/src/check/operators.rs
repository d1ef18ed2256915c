//! The types of operators and words.

use super::Ty;
use super::types::Element;
use super::typing::{Typing, quoted};
use super::words::Word;
use crate::Diagnostic;
use crate::ast::{BinaryOperator, Expression, Node, Span};
use crate::evaluate::{Data, Lane};
use crate::graph::{NodeId, Op};

/// An operand on each side.
type Sides<T> = (T, T);

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

    /// Gives the empty literal the kind of the other side, and with `mix` integers that of floats.
    fn same_elements(&mut self, (a, b): Sides<NodeId>, mix: bool) -> Sides<NodeId> {
        let (Ty::Sequence(left), Ty::Sequence(right)) = (self.graph.ty(a), self.graph.ty(b)) else {
            return (a, b);
        };
        let Some(joined) = left.join(right) else { return (a, b) };
        let wanted = |element| if mix || element == Element::Nothing { joined } else { element };
        (self.with_elements(a, left, wanted(left)), self.with_elements(b, right, wanted(right)))
    }

    /// A sequence with its elements in another kind.
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

    /// `contains`, `is_prefix_of`, `is_suffix_of`.
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
            (Ty::Sequence(e), x) if op == Op::Contains && has(e, x) => {
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

    /// Whether a node is a constant integer that is not negative.
    fn is_natural(&self, node: NodeId) -> bool {
        matches!(self.graph.constant_of(node).map(|r| &r.data), Some(Data::Int(Lane::One(0..))))
    }

    /// `+ - *` between a sequence and a number.
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

    /// A word written like a call.
    pub(super) fn word(&mut self, word: Word, arguments: &[Expression], span: Span) -> Option<NodeId> {
        if arguments.len() != word.arity() {
            return self.problem(Diagnostic::new(
                span,
                format!(
                    "`{}` takes {}, found {}",
                    word.name(),
                    plural(word.arity(), "argument"),
                    arguments.len()
                ),
            ));
        }
        if word == Word::Defined
            && let Some(node) = self.returns_nothing(&arguments[0])
        {
            return node;
        }
        let nodes: Vec<Option<NodeId>> = arguments.iter().map(|e| self.expression(e)).collect();
        let nodes: Vec<NodeId> = nodes.into_iter().collect::<Option<_>>()?;
        let types: Vec<Ty> = nodes.iter().map(|node| self.graph.ty(*node)).collect();
        if word == Word::Concat {
            return self.concat((nodes[0], nodes[1]), span);
        }
        let second_wrong = types.len() == 2 && !types[1].is_number();
        match result(word, &types) {
            Some((op, ty)) if !second_wrong => Some(self.graph.add(op, &nodes, ty)),
            _ => {
                let wrong = usize::from(second_wrong);
                let what = if second_wrong { "a number" } else { takes(word) };
                self.wanted(&format!("`{}`", word.name()), what, types[wrong], arguments[wrong].span)
            }
        }
    }

    fn concat(&mut self, nodes: Sides<NodeId>, span: Span) -> Option<NodeId> {
        let ty = match (self.graph.ty(nodes.0), self.graph.ty(nodes.1)) {
            (Ty::Text, Ty::Text) => Some(Ty::Text),
            (Ty::Sequence(a), Ty::Sequence(b)) => a.join(b).map(Ty::Sequence),
            _ => None,
        };
        let Some(ty) = ty else {
            let (left, right) = (quoted(self.graph.ty(nodes.0)), quoted(self.graph.ty(nodes.1)));
            return self.problem(
                Diagnostic::new(span, format!("`concat` does not go with {left} and {right}"))
                    .hint("both are texts, or sequences of the same kind; `[x]` is a sequence of one"),
            );
        };
        let (a, b) = self.same_elements(nodes, true);
        Some(self.graph.add(Op::Concat, &[a, b], ty))
    }

    /// `defined(f(x))` where f returns nothing: whether it came back.
    fn returns_nothing(&mut self, e: &Expression) -> Option<Option<NodeId>> {
        if !matches!(e.node, Node::Call { .. }) || self.return_type(e)?.is_some() {
            return None;
        }
        Some(self.call(e).map(|call| self.graph.leaf(Op::Returned(call), Ty::Bool, false)))
    }
}

/// The operation and type of a word for the types of its arguments; `None` where the first does not fit.
fn result(word: Word, types: &[Ty]) -> Option<(Op, Ty)> {
    let first = types[0];
    let number = first.is_number();
    let sequence = matches!(first, Ty::Sequence(_) | Ty::Text);
    let analytic = |op| number.then_some((op, Ty::Float));
    let rounded = if first == Ty::Int { Ty::Int } else { Ty::Number };
    let mixed = types.get(1).map_or(first, |second| first.mix(*second));
    match word {
        Word::Abs => number.then_some((Op::Abs, first)),
        Word::Min => number.then_some((Op::Min, mixed)),
        Word::Max => number.then_some((Op::Max, mixed)),
        Word::Floor => number.then_some((Op::Floor, rounded)),
        Word::Ceil => number.then_some((Op::Ceil, rounded)),
        Word::Sqrt => analytic(Op::Sqrt),
        Word::Exp => analytic(Op::Exp),
        Word::Ln => analytic(Op::Ln),
        Word::Sin => analytic(Op::Sin),
        Word::Cos => analytic(Op::Cos),
        Word::IsNan => number.then_some((Op::IsNan, Ty::Bool)),
        Word::Text => (number || first == Ty::Bool).then_some((Op::Text, Ty::Text)),
        Word::Len => sequence.then_some((Op::Length, Ty::Int)),
        Word::Reverse => sequence.then_some((Op::Reverse, first)),
        Word::Sorted => sequence.then_some((Op::Sorted, first)),
        Word::Remove => sequence.then_some((Op::Remove, first)),
        Word::Truncate => sequence.then_some((Op::Truncate, first)),
        Word::Upper => (first == Ty::Text).then_some((Op::Upper, Ty::Text)),
        Word::Lower => (first == Ty::Text).then_some((Op::Lower, Ty::Text)),
        Word::Sum => match first {
            Ty::Sequence(element) if element.is_number() => Some((Op::Sum, element.scalar())),
            _ => None,
        },
        Word::Defined => Some((Op::Defined, Ty::Bool)),
        Word::Concat => None,
    }
}

/// What the first argument of a word must be.
fn takes(word: Word) -> &'static str {
    match word {
        Word::Len | Word::Reverse | Word::Sorted | Word::Remove | Word::Truncate => "a sequence or text",
        Word::Sum => "a sequence of numbers",
        Word::Upper | Word::Lower => "text",
        Word::Text => "a number or Boolean",
        _ => "a number",
    }
}

/// Whether a sequence of these elements can hold a value of this type.
fn has(element: Element, x: Ty) -> bool {
    match element {
        Element::Bool => x == Ty::Bool,
        Element::Int | Element::Float => x.is_number(),
        Element::Nothing => x == Ty::Bool || x.is_number(),
    }
}

/// "1 argument", "2 arguments".
pub(super) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
