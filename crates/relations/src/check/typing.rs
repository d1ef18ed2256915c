//! Turns expressions into typed nodes.

use std::collections::HashMap;

use dodona_target::{Signature, Value};

use super::Ty;
use super::call_node::CallNode;
use super::callee::{Callee, resolve};
use super::calls::CallSites;
use super::constants::constant;
use super::types::Element;
use super::variables::unknown;
use crate::Diagnostic;
use crate::ast::{BinaryOperator, Expression, Node, Span, UnaryOperator};
use crate::diagnostic::nearest;
use crate::foreign;
use crate::graph::{Graph, NodeId};
use crate::op::{Op, WORDS};

/// What an expression may refer to, and the graph that its nodes go into. A method returns `None` after it has
/// reported a problem.
pub(crate) struct Typing<'a> {
    pub(crate) graph: &'a mut Graph,
    /// The node that each name refers to.
    pub(crate) names: HashMap<String, NodeId>,
    /// For each variable the parameter from whose domain it is drawn, as (function, parameter).
    pub(crate) drawn: HashMap<String, (usize, usize)>,
    pub(crate) functions: &'a [Signature],
    /// The calls that are allowed; any other call is a problem.
    pub(crate) calls: &'a CallSites,
    /// The calls typed so far, by index.
    pub(crate) made: Vec<Option<CallNode>>,
    pub(crate) problems: Vec<Diagnostic>,
}

impl<'a> Typing<'a> {
    pub(crate) fn new(graph: &'a mut Graph, functions: &'a [Signature], calls: &'a CallSites) -> Self {
        let made = calls.sites.iter().map(|_| None).collect();
        let (names, drawn) = (HashMap::new(), HashMap::new());
        Typing { graph, names, drawn, functions, calls, made, problems: Vec::new() }
    }

    pub(super) fn problem<T>(&mut self, problem: Diagnostic) -> Option<T> {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        None
    }

    /// Type-checks an expression that must be Boolean.
    pub(crate) fn truth(&mut self, e: &Expression, what: &str) -> Option<NodeId> {
        let node = self.expression(e)?;
        match self.graph.ty(node) {
            Ty::Bool => Some(node),
            ty => self.problem(
                Diagnostic::new(e.span, format!("{what} is true or false, found {}", quoted(ty)))
                    .label(ty.to_string())
                    .hint("compare it with something: `… == …`"),
            ),
        }
    }

    /// Type-checks any expression.
    pub(crate) fn expression(&mut self, e: &Expression) -> Option<NodeId> {
        match &e.node {
            Node::Bool(b) => Some(self.graph.value(&Value::Bool(*b))),
            Node::Int(i) => Some(self.graph.value(&Value::Int(*i))),
            Node::Float(x) => Some(self.graph.value(&Value::Float(*x))),
            Node::Text(text) => Some(self.graph.value(&Value::Text(text.clone()))),
            Node::Name(name) => self.name(name, e.span),
            Node::Primed(name) => self.problem(
                Diagnostic::new(e.span, format!("`{name}'` stands outside the primed notation"))
                    .hint("primes belong to `given p' = q expect out' == out`"),
            ),
            Node::Sequence(items) => self.sequence(items),
            Node::Unary(operator, a) => self.unary(*operator, a),
            Node::Binary(operator, a, b) => self.binary(*operator, a, b, e.span),
            Node::Call { function, arguments } => {
                match resolve(&function.text, arguments.len(), self.functions) {
                    Some(Callee::Word(word)) => self.word(word, arguments, e.span),
                    Some(Callee::Function(_)) => self.returned(e),
                    None => self.unknown_callee(&function.text, function.span),
                }
            }
            Node::Select(call, output) => self.selected(call, output),
            Node::Traps(call) => self.traps(call),
            Node::Is(value, presence) => self.presence(value, *presence, e.span),
            Node::If(condition, then, otherwise) => self.choice(condition, then, otherwise, e.span),
            Node::Index(s, i) => self.index(s, i),
            Node::Slice(s, from, to) => self.slice(s, from.as_deref(), to.as_deref()),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Option<NodeId> {
        if let Some(&node) = self.names.get(name) {
            return Some(node);
        }
        if let Some(value) = constant(name) {
            return Some(self.graph.value(&Value::Float(value)));
        }
        let called = self.calls.sites.iter().flat_map(|site| &self.functions[site.function].parameters);
        let parameters = called.map(|p| p.name.as_str());
        let known: Vec<&str> = self.names.keys().map(String::as_str).chain(parameters).collect();
        let problem = unknown(name, span, &sorted(known), self.functions);
        // The first place is enough: a variable that was forgotten often stands in every call of the relation.
        if self.problems.iter().any(|earlier| earlier.message == problem.message) {
            return None;
        }
        self.problem(problem)
    }

    fn unknown_callee(&mut self, name: &str, span: Span) -> Option<NodeId> {
        let functions = || self.functions.iter().map(|f| f.name.as_str());
        let hint = match (foreign::function(name), nearest(name, functions())) {
            (Some(own), Some(near)) => Some(format!("{near} or {own}")),
            (Some(own), None) => Some(own),
            (None, _) => nearest(name, functions().chain(WORDS.iter().map(|word| word.name))),
        };
        // Whatever calls a function knows some. A condition of the values of one call knows none.
        let why = match self.functions {
            [] => {
                "`requires`, and every other condition of the values of one call, has words of the language only: it cannot call functions under test"
            }
            _ => "it is neither a function that the manifest declares nor a word of the language",
        };
        self.problem(Diagnostic::new(span, format!("unknown function `{name}`")).hint(why).maybe_hint(hint))
    }

    fn sequence(&mut self, items: &[Expression]) -> Option<NodeId> {
        let nodes: Vec<Option<NodeId>> = items.iter().map(|e| self.expression(e)).collect();
        let nodes: Vec<NodeId> = nodes.into_iter().collect::<Option<_>>()?;
        let mut element = Element::Nothing;
        for (item, &node) in items.iter().zip(&nodes) {
            let joined = match self.graph.ty(node) {
                Ty::Bool => element.join(Element::Bool),
                Ty::Int => element.join(Element::Int),
                Ty::Float | Ty::Number => element.join(Element::Float),
                _ => None,
            };
            let Some(joined) = joined else {
                let found = quoted(self.graph.ty(node));
                return self.problem(
                    Diagnostic::new(item.span, format!("a sequence cannot hold {found} here"))
                        .hint("the elements are all numbers or all Booleans"),
                );
            };
            element = joined;
        }
        Some(self.graph.add(Op::Sequence, &nodes, Ty::Sequence(element)))
    }

    fn unary(&mut self, operator: UnaryOperator, a: &Expression) -> Option<NodeId> {
        if operator == UnaryOperator::Not {
            let node = self.truth(a, "what `not` negates")?;
            return Some(self.graph.add(Op::Not, &[node], Ty::Bool));
        }
        let node = self.expression(a)?;
        match self.graph.ty(node) {
            ty @ Ty::Sequence(element) if element.is_number() => {
                Some(self.graph.add(Op::Negate, &[node], ty))
            }
            ty if ty.is_number() => Some(self.graph.add(Op::Negate, &[node], ty)),
            Ty::Bool => self.problem(
                Diagnostic::new(a.span, "`-` takes a number, found `bool`")
                    .label("bool")
                    .hint("write `not` to negate a Boolean"),
            ),
            ty => self.wanted("`-`", "a number", ty, a.span),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        a: &Expression,
        b: &Expression,
        span: Span,
    ) -> Option<NodeId> {
        use BinaryOperator as B;
        if let Some(op) = connective(operator) {
            let what = format!("each side of `{}`", operator.word());
            let (a, b) = (self.truth(a, &what), self.truth(b, &what));
            return Some(self.graph.add(op, &[a?, b?], Ty::Bool));
        }
        if matches!(operator, B::Equal | B::NotEqual | B::Approximate)
            && let Some(sides) = self.compounds(a, b)
        {
            return self.same_compounds(operator, sides, span);
        }
        let (left, right) = (self.expression(a), self.expression(b));
        let nodes = (left?, right?);
        match operator {
            B::Equal | B::NotEqual | B::Approximate => self.equality(operator, nodes, span),
            B::Contains | B::PrefixOf | B::SuffixOf => self.standing(operator, nodes, span),
            B::SubsetOf | B::DisjointFrom | B::PermutationOf => self.sets(operator, nodes, span),
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual => self.order(operator, nodes, (a, b)),
            _ => self.arithmetic(operator, nodes, (a, b), span),
        }
    }

    /// `if a then b else c`.
    fn choice(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
        span: Span,
    ) -> Option<NodeId> {
        let truth = self.truth(condition, "the condition of a choice");
        let nodes = (self.expression(then), self.expression(otherwise));
        let (truth, nodes) = (truth?, (nodes.0?, nodes.1?));
        let (a, b) = self.same_elements(nodes, true);
        let ty = match (self.graph.ty(a), self.graph.ty(b)) {
            (a, b) if a == b => a,
            (a, b) if a.is_number() && b.is_number() => Ty::Number,
            (a, b) => {
                let what =
                    format!("a choice is between values of one type, found {} and {}", quoted(a), quoted(b));
                return self.problem(Diagnostic::new(span, what));
            }
        };
        Some(self.graph.add(Op::If, &[truth, a, b], ty))
    }

    pub(super) fn wanted<T>(&mut self, who: &str, what: &str, found: Ty, span: Span) -> Option<T> {
        self.problem(
            Diagnostic::new(span, format!("{who} takes {what}, found {}", quoted(found)))
                .label(found.to_string()),
        )
    }

    fn index(&mut self, s: &Expression, i: &Expression) -> Option<NodeId> {
        let (sequence, index) = (self.expression(s), self.number(i, "an index"));
        let (sequence, index) = (sequence?, index?);
        let ty = match self.graph.ty(sequence) {
            Ty::Text => Ty::Text,
            Ty::Sequence(element) => element.scalar(),
            ty => return self.wanted("`[…]`", "a sequence or text", ty, s.span),
        };
        Some(self.graph.add(Op::Index, &[sequence, index], ty))
    }

    fn slice(
        &mut self,
        s: &Expression,
        from: Option<&Expression>,
        to: Option<&Expression>,
    ) -> Option<NodeId> {
        let sequence = self.expression(s);
        let from = match from {
            Some(e) => self.number(e, "an index"),
            None => Some(self.graph.value(&Value::Int(0))),
        };
        let to = match to {
            Some(e) => Some(self.number(e, "an index")?),
            None => None,
        };
        let (sequence, from) = (sequence?, from?);
        let ty = self.graph.ty(sequence);
        if !matches!(ty, Ty::Text | Ty::Sequence(_)) {
            return self.wanted("`[…]`", "a sequence or text", ty, s.span);
        }
        let operands: Vec<NodeId> = [sequence, from].into_iter().chain(to).collect();
        Some(self.graph.add(Op::Slice, &operands, ty))
    }

    /// Type-checks an expression that must be a number.
    pub(super) fn number(&mut self, e: &Expression, who: &str) -> Option<NodeId> {
        let node = self.expression(e)?;
        let ty = self.graph.ty(node);
        if ty.is_number() {
            return Some(node);
        }
        self.problem(
            Diagnostic::new(e.span, format!("{who} is a number, found {}", quoted(ty))).label(ty.to_string()),
        )
    }
}

fn connective(operator: BinaryOperator) -> Option<Op> {
    Some(match operator {
        BinaryOperator::And => Op::And,
        BinaryOperator::Or => Op::Or,
        BinaryOperator::Xor => Op::Xor,
        BinaryOperator::Iff => Op::Iff,
        BinaryOperator::Implies => Op::Implies,
        _ => return None,
    })
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

/// A type or word in backquotes.
pub(super) fn quoted(what: impl std::fmt::Display) -> String {
    format!("`{what}`")
}
