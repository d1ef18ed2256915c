//! The types of words that are written like calls, such as `len(s)`.

use super::Ty;
use super::operators::plural;
use super::typing::{Typing, quoted};
use crate::Diagnostic;
use crate::ast::{Expression, Node, Span};
use crate::graph::NodeId;
use crate::op::Op;
use crate::op::Word;
use crate::word::{Gives, Takes};

impl Typing<'_> {
    /// Type-checks a word that is written like a call.
    pub(super) fn word(
        &mut self,
        word: &'static Word,
        arguments: &[Expression],
        span: Span,
    ) -> Option<NodeId> {
        if arguments.len() != word.arity() {
            return self.problem(Diagnostic::new(
                span,
                format!(
                    "`{}` takes {}, found {}",
                    word.name,
                    plural(word.arity(), "argument"),
                    arguments.len()
                ),
            ));
        }
        if word.op == Op::Defined
            && let Some(node) = self.returns_nothing(&arguments[0])
        {
            return node;
        }
        let nodes: Vec<Option<NodeId>> = arguments.iter().map(|e| self.expression(e)).collect();
        let mut nodes: Vec<NodeId> = nodes.into_iter().collect::<Option<_>>()?;
        let types: Vec<Ty> = nodes.iter().map(|node| self.graph.ty(*node)).collect();
        if let Some(wrong) = word.wrong(&types) {
            return match word.takes[wrong].description() {
                Some(what) => self.wanted(&quoted(word.name), what, types[wrong], arguments[wrong].span),
                None => self.do_not_go(word, &types, span),
            };
        }
        if word.gives == Gives::Joined {
            let (a, b) = self.same_elements((nodes[0], nodes[1]), true);
            nodes = vec![a, b];
        }
        if word.op == Op::Union {
            return Some(self.union(nodes[0], nodes[1]));
        }
        Some(self.graph.add(word.op, &nodes, word.result(&types)))
    }

    /// Reports operands that a word does not take together.
    fn do_not_go(&mut self, word: &Word, types: &[Ty], span: Span) -> Option<NodeId> {
        let (left, right) = (quoted(types[0]), quoted(types[1]));
        let hint = match word.takes[1] {
            Takes::Same => {
                "both are texts, or sequences of the same kind; `[x]` is a sequence of one".to_owned()
            }
            _ => format!("write `{0}(sequence, element)` or `{0}(text, text)`", word.name),
        };
        let message = format!("{} does not go with {left} and {right}", quoted(word.name));
        self.problem(Diagnostic::new(span, message).hint(hint))
    }

    /// `defined(f(x))` where f returns nothing: the value is whether the call returned.
    fn returns_nothing(&mut self, e: &Expression) -> Option<Option<NodeId>> {
        if !matches!(e.node, Node::Call { .. }) || self.return_type(e)?.is_some() {
            return None;
        }
        Some(self.call(e).map(|call| self.graph.leaf(Op::Returned(call), Ty::Bool, false)))
    }
}
