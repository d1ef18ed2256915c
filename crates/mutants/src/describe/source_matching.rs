//! Determines the source expression that an expression of the code came from.
//!
//! Compilers exchange the sides of relations (`a <= 0` becomes `a >= 1` before a branch), exchange operands and replace
//! operations by cheaper ones. A match says how the two expressions correspond, so that the mutant's expression can be written
//! in terms of the source. It is never based on the look of an operator alone.

use std::collections::{BTreeMap, BTreeSet};

use super::expression::{Binary, Expression, Kind, Numbers, Operator, Unary};
use super::forms::{forms, strengthened};
use super::literals::equal;
use super::render::{Known, Written};
use crate::source::language::ATOM;
use crate::source::parse::{Node, NodeKind};

/// How a source expression corresponds to an expression of the code.
#[derive(Clone, Debug, Default)]
pub(super) struct Match {
    /// Whether the code computes the opposite of the source's condition.
    pub negated: bool,
    /// The certainty of the match; more is better.
    pub score: u32,
    /// Names in the source that correspond to unknown values.
    pub weak: u32,
    /// The source text of values of the code.
    pub known: Known,
    /// Relations that the compiler wrote with the next constant.
    pub adapted: Option<Adapted>,
    /// The value of each name that has no variable in the code.
    bound: BTreeMap<String, Expression>,
}

/// A relation that the source has with another constant: `a <= 0` for `a < 1`.
#[derive(Clone, Debug)]
pub(super) struct Adapted {
    /// The code's operator.
    pub found: Operator,
    /// The instruction of the code's constant.
    pub constant: u32,
    /// The source's operator.
    pub operator: Operator,
    /// The source's constant.
    pub written: Written,
}

/// Compares source expressions with expressions of the code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matcher<'a> {
    /// The source text that nodes point into.
    pub text: &'a str,
    /// The names of the function's variables.
    pub variables: &'a BTreeSet<String>,
}

type Matched = Option<Match>;

impl Matcher<'_> {
    /// How a source expression corresponds to a value.
    pub(super) fn value(&self, node: &Node, value: &Expression) -> Matched {
        self.unify(Match::default(), node, value).filter(|m| m.score > 0)
    }

    /// How a source expression corresponds to a condition.
    pub(super) fn condition(&self, node: &Node, condition: &Expression) -> Matched {
        self.holds(Match::default(), node, condition).filter(|m| m.score > 0)
    }

    fn unify(&self, state: Match, node: &Node, value: &Expression) -> Matched {
        let found = self.shape(state.clone(), node, value).or_else(|| match &value.kind {
            // Conversions are ignored.
            Kind::Unary(Unary::Convert(_), inner) => self.unify(state, node, inner),
            _ => None,
        })?;
        Some(self.know(found, node, value))
    }

    /// Remembers the text of a value without parentheses, which the renderer adds where they are needed.
    fn know(&self, mut state: Match, node: &Node, value: &Expression) -> Match {
        if let (Some(at), false) = (value.at, is_group(node)) {
            state.known.values.insert(at, self.written(node));
        }
        state
    }

    fn know_opposite(&self, mut state: Match, node: &Node, value: &Expression) -> Match {
        if let (Some(at), false) = (value.at, is_group(node)) {
            state.known.opposites.insert(at, self.written(node));
        }
        state
    }

    fn written(&self, node: &Node) -> Written {
        let words: Vec<_> = self.text[node.range.clone()].split_whitespace().collect();
        Written { text: words.join(" "), binding: node.binding, start: node.range.start }
    }

    fn shape(&self, state: Match, node: &Node, value: &Expression) -> Matched {
        match &node.kind {
            NodeKind::Inside(inner) => self.unify(state, inner, value),
            NodeKind::Name(name) => self.name(state, name, value),
            NodeKind::Number(text) => equal(text, value).then(|| scored(state, 3)),
            NodeKind::Unary(symbol, inner) => self.prefix(state, symbol, inner, node, value),
            NodeKind::Binary(symbol, left, right) => match Operator::of_symbol(symbol) {
                Some(op) if !op.is_relation() => self.arithmetic(state, op, left, right, value),
                None if symbol.ends_with('=') => self.assignment(state, symbol, left, right, value),
                _ if value.is_boolean() => self.holds(state, node, value).filter(|m| !m.negated),
                _ => unknown(value).then(|| weak(state)),
            },
            NodeKind::Conditional(condition, then, otherwise) => {
                self.choice(state, condition, [then, otherwise], value)
            }
            NodeKind::Call(name, arguments) => self.call(state, (node, name), arguments, value),
            NodeKind::Index(base, index) => self.element(state, base, index, value),
            NodeKind::Other => unknown(value).then(|| weak(state)),
        }
    }

    fn name(&self, mut state: Match, name: &str, value: &Expression) -> Matched {
        match &value.kind {
            Kind::Local { name: Some(local), .. } if local == name => return Some(scored(state, 3)),
            // A name of another variable of this function does not match. A parameter of an inlined copy may have any name.
            Kind::Local { name: Some(_), .. } | Kind::Constant(_) if self.variables.contains(name) => {
                return None;
            }
            Kind::Constant(_) => state.score += 1,
            _ => {}
        }
        if let Some(before) = state.bound.get(name)
            && !same(before, value)
        {
            return None;
        }
        state.bound.insert(name.to_owned(), value.clone());
        Some(weak(state))
    }

    fn prefix(&self, state: Match, symbol: &str, inner: &Node, node: &Node, value: &Expression) -> Matched {
        match (symbol, &value.kind) {
            ("!", _) if value.is_boolean() => self.holds(state, node, value).filter(|m| !m.negated),
            ("-", Kind::Unary(Unary::Negate, x)) => self.unify(scored(state, 1), inner, x),
            ("-", Kind::Binary(Binary { operator: Operator::Subtract, .. }, zero, x))
                if zero.as_int() == Some(0) =>
            {
                self.unify(scored(state, 1), inner, x)
            }
            ("-", Kind::Constant(_)) => match &inner.kind {
                NodeKind::Number(text) => equal(&format!("-{text}"), value).then(|| scored(state, 3)),
                _ => None,
            },
            ("~", Kind::Binary(Binary { operator: Operator::Xor, .. }, x, ones))
                if ones.as_int() == Some(-1) =>
            {
                self.unify(scored(state, 1), inner, x)
            }
            ("*", Kind::Load { address, .. }) => {
                let state = scored(state, 1);
                self.unify(state.clone(), inner, address).or_else(|| Some(weak(state)))
            }
            ("!" | "*" | "&" | "++" | "--", _) => unknown(value).then(|| weak(state)),
            _ => None,
        }
    }

    fn arithmetic(
        &self,
        state: Match,
        op: Operator,
        left: &Node,
        right: &Node,
        value: &Expression,
    ) -> Matched {
        let Kind::Binary(found, a, b) = &value.kind else {
            return unknown(value).then(|| weak(state));
        };
        let state = scored(state, 2);
        if found.operator == op {
            let straight = self.both(state.clone(), [left, right], [a, b]);
            let exchanged = op.exchanged().is_some().then(|| self.both(state.clone(), [left, right], [b, a]));
            return better(straight, exchanged.flatten());
        }
        let constant = b.as_int()?;
        let stands_for = strengthened(op, found.operator, constant)?;
        let state = self.unify(state, left, a)?;
        let as_written = Expression::int(stands_for);
        self.unify(state, right, &as_written)
    }

    fn both(&self, state: Match, nodes: [&Node; 2], values: [&Expression; 2]) -> Matched {
        let state = self.unify(state, nodes[0], values[0])?;
        self.unify(state, nodes[1], values[1])
    }

    fn assignment(
        &self,
        state: Match,
        symbol: &str,
        left: &Node,
        right: &Node,
        value: &Expression,
    ) -> Matched {
        let compound = Operator::of_symbol(symbol.trim_end_matches('='));
        match (&value.kind, compound) {
            // An assignment alone is no evidence for a match.
            (Kind::Assign(target, assigned), None) => self.both(state, [left, right], [target, assigned]),
            (Kind::Assign(target, assigned), Some(op)) => {
                let state = self.unify(scored(state, 1), left, target)?;
                self.arithmetic(state, op, left, right, assigned)
            }
            (Kind::Binary(..), Some(op)) => self.arithmetic(state, op, left, right, value),
            _ => None,
        }
    }

    fn choice(&self, state: Match, condition: &Node, arms: [&Node; 2], value: &Expression) -> Matched {
        let Kind::Select { condition: chooses, then, otherwise } = &value.kind else {
            return unknown(value).then(|| weak(state));
        };
        let mut state = self.holds(scored(state, 2), condition, chooses)?;
        let values = if state.negated { [otherwise, then] } else { [then, otherwise] };
        state.negated = false;
        self.both(state, arms, [values[0], values[1]])
    }

    fn call(
        &self,
        state: Match,
        (node, name): (&Node, &str),
        arguments: &[Node],
        value: &Expression,
    ) -> Matched {
        let Kind::Call(called, values) = &value.kind else {
            return unknown(value).then(|| weak(state));
        };
        // `__builtin_ctz` is an instruction, and names in the module may be mangled.
        if !name.contains(called.as_str()) && !called.contains(name) {
            return None;
        }
        let mut state = scored(state, 3);
        let callee = self.text[node.range.clone()].split('(').next().map_or(name, str::trim_end);
        // The name of a method comes after its first argument.
        let callee = if callee.contains('.') { name } else { callee };
        state.known.calls.insert(called.clone(), callee.to_owned());
        if arguments.len() == values.len() {
            for (argument, value) in arguments.iter().zip(values) {
                state = self.unify(state.clone(), argument, value).unwrap_or_else(|| weak(state));
            }
        }
        Some(state)
    }

    fn element(&self, state: Match, base: &Node, index: &Node, value: &Expression) -> Matched {
        let Kind::Load { address, .. } = &value.kind else {
            return unknown(value).then(|| weak(state));
        };
        let state = scored(state, 1);
        if let Kind::Binary(Binary { operator: Operator::Add, .. }, start, offset) = &address.kind {
            let scaled = match &offset.kind {
                Kind::Binary(Binary { operator: Operator::ShiftLeft, .. }, index, _) => index,
                _ => offset,
            };
            if let Some(found) = self.both(state.clone(), [base, index], [start, scaled]) {
                return Some(found);
            }
        }
        Some(weak(state))
    }

    /// Matches a condition. `negated` in the state is inverted if one of the two is the negation of the other.
    fn holds(&self, state: Match, node: &Node, condition: &Expression) -> Matched {
        let found = match &condition.kind {
            Kind::Unary(Unary::Not, inner) => self.holds(state, node, inner).map(turned),
            _ => self.says(state, node, condition),
        }?;
        Some(if found.negated {
            self.know_opposite(found, node, condition)
        } else {
            self.know(found, node, condition)
        })
    }

    fn says(&self, state: Match, node: &Node, condition: &Expression) -> Matched {
        match &node.kind {
            NodeKind::Inside(inner) => self.holds(state, inner, condition),
            NodeKind::Unary(symbol, inner) if symbol == "!" => {
                self.holds(state, inner, condition).map(turned)
            }
            NodeKind::Binary(symbol, left, right) => match Operator::of_symbol(symbol) {
                Some(op) if op.is_relation() => self.relation(&state, op, [left, right], condition),
                None if matches!(symbol.as_str(), "&&" | "||") => {
                    self.connected(state, symbol, left, right, condition)
                }
                _ => self.truth(state, node, condition),
            },
            _ => self.truth(state, node, condition),
        }
    }

    /// A number as a condition.
    fn truth(&self, state: Match, node: &Node, condition: &Expression) -> Matched {
        match &condition.kind {
            Kind::Binary(Binary { operator: Operator::NotEqual, .. }, x, zero)
                if zero.as_int() == Some(0) =>
            {
                self.unify(state, node, x)
            }
            Kind::Binary(Binary { operator: Operator::Equal, .. }, x, zero) if zero.as_int() == Some(0) => {
                self.unify(state, node, x).map(turned)
            }
            _ => self.unify(state, node, condition),
        }
    }

    fn connected(
        &self,
        state: Match,
        symbol: &str,
        left: &Node,
        right: &Node,
        condition: &Expression,
    ) -> Matched {
        let Kind::Binary(Binary { operator: found, .. }, a, b) = &condition.kind else { return None };
        let is_and = match found {
            Operator::And => true,
            Operator::Or => false,
            _ => return None,
        };
        // Not (l and r) is (not l) or (not r).
        let negated = is_and != (symbol == "&&");
        let one = |state: Match, node: &Node, value: &Expression| {
            let found = self.holds(state, node, value)?;
            (found.negated == negated).then_some(Match { negated: false, ..found })
        };
        let two = |x: &Expression, y: &Expression| one(one(scored(state.clone(), 2), left, x)?, right, y);
        better(two(a, b), two(b, a)).map(|m| Match { negated, adapted: None, ..m })
    }

    fn relation(&self, state: &Match, op: Operator, nodes: [&Node; 2], condition: &Expression) -> Matched {
        let compared = condition.as_condition();
        let Kind::Binary(found, a, b) = &compared.kind else { return None };
        let mut best = None;
        for form in forms(*found, a, b) {
            let negated = if form.operator == op {
                false
            } else if found.numbers != Numbers::Float && form.operator.negated() == Some(op) {
                true
            } else {
                continue;
            };
            let matched = self.both(scored(state.clone(), 2), nodes, [&form.left, &form.right]);
            let adapted = form.adapts.map(|constant| Adapted {
                found: found.operator,
                constant,
                operator: op,
                written: self.written(nodes[1]),
            });
            best = better(best, matched.map(|m| Match { negated, adapted, ..m }));
        }
        best
    }
}

/// Whether a node is an expression in parentheses.
fn is_group(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Inside(_)) && node.binding == ATOM
}

fn scored(mut state: Match, more: u32) -> Match {
    state.score += more;
    state
}

fn weak(mut state: Match) -> Match {
    state.weak += 1;
    state
}

fn turned(mut state: Match) -> Match {
    state.negated = !state.negated;
    state
}

fn better(one: Matched, other: Matched) -> Matched {
    match (one, other) {
        (Some(one), Some(other)) => {
            let worth = |m: &Match| (m.score, std::cmp::Reverse(m.weak));
            Some(if worth(&other) > worth(&one) { other } else { one })
        }
        (one, other) => one.or(other),
    }
}

/// Whether nothing is known of how a value is made.
fn unknown(value: &Expression) -> bool {
    matches!(value.kind, Kind::Opaque | Kind::Local { name: None, .. } | Kind::Load { .. } | Kind::Call(..))
}

/// Whether two values are made the same way.
fn same(one: &Expression, other: &Expression) -> bool {
    let all =
        |a: &[Expression], b: &[Expression]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    match (&one.kind, &other.kind) {
        (Kind::Unary(a, x), Kind::Unary(b, y)) => a == b && same(x, y),
        (Kind::Binary(a, x, v), Kind::Binary(b, y, w)) => a == b && same(x, y) && same(v, w),
        (Kind::Load { width: a, offset: b, address: x }, Kind::Load { width: c, offset: d, address: y }) => {
            a == c && b == d && same(x, y)
        }
        (Kind::Call(a, x), Kind::Call(b, y)) => a == b && all(x, y),
        (a, b) => a == b,
    }
}
