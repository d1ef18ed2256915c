//! The types of words that are written like calls, such as `len(s)`.

use super::Ty;
use super::operators::{Sides, plural};
use super::typing::{Typing, quoted};
use super::words::Word;
use crate::Diagnostic;
use crate::ast::{Expression, Node, Span};
use crate::graph::{NodeId, Op};

impl Typing<'_> {
    /// Type-checks a word that is written like a call.
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

    /// `defined(f(x))` where f returns nothing: the value is whether the call returned.
    fn returns_nothing(&mut self, e: &Expression) -> Option<Option<NodeId>> {
        if !matches!(e.node, Node::Call { .. }) || self.return_type(e)?.is_some() {
            return None;
        }
        Some(self.call(e).map(|call| self.graph.leaf(Op::Returned(call), Ty::Bool, false)))
    }
}

/// The operation and result type of a word for arguments of these types; `None` where the first argument has a wrong
/// type.
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

/// A description of the types that the first argument of a word may have.
fn takes(word: Word) -> &'static str {
    match word {
        Word::Len | Word::Reverse | Word::Sorted | Word::Remove | Word::Truncate => "a sequence or text",
        Word::Sum => "a sequence of numbers",
        Word::Upper | Word::Lower => "text",
        Word::Text => "a number or Boolean",
        _ => "a number",
    }
}
