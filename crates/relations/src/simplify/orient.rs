//! The order of what may stand in either order.

use super::cost::side;
use crate::ast::{BinaryOperator as B, Expression, Node};
use crate::check::{Calls, Role};

/// The same expression with follow-up calls on the left of comparisons, literals last in sums and first in products,
/// and what speaks of the source alone first in `and` and `or`. Doing it twice changes nothing.
pub(super) fn oriented(e: &Expression, calls: &Calls) -> Expression {
    let children = e.children();
    let mut inside = children.into_iter().map(|child| oriented(child, calls));
    match &e.node {
        Node::Binary(operator, ..) => {
            let (Some(a), Some(b)) = (inside.next(), inside.next()) else { return e.clone() };
            binary(*operator, a, b, calls)
        }
        _ => {
            let mut first = true;
            e.rewrite(&mut |_| if std::mem::take(&mut first) { None } else { inside.next() })
        }
    }
}

fn binary(operator: B, a: Expression, b: Expression, calls: &Calls) -> Expression {
    let chain = matches!(operator, B::And | B::Or);
    if chain {
        return chained(operator, a, b, calls);
    }
    let turn = match operator {
        B::Add | B::Multiply => summand(operator, &b, calls) < summand(operator, &a, calls),
        B::Equal | B::NotEqual | B::Approximate | B::Iff | B::Xor => {
            (side(&b, calls), inequality(&b, calls), b.to_string())
                < (side(&a, calls), inequality(&a, calls), a.to_string())
        }
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
            (side(&b, calls), inequality(&b, calls)) < (side(&a, calls), inequality(&a, calls))
        }
        _ => false,
    };
    if turn { joined(turned(operator), b, a) } else { joined(operator, a, b) }
}

fn turned(operator: B) -> B {
    match operator {
        B::Less => B::Greater,
        B::LessEqual => B::GreaterEqual,
        B::Greater => B::Less,
        B::GreaterEqual => B::LessEqual,
        same => same,
    }
}

/// What decides between sides that are neither calls: those that make follow-up calls first, literals last.
fn inequality(e: &Expression, calls: &Calls) -> (bool, bool, bool) {
    let follow_up = !mentions(e, calls, Some(Role::FollowUp));
    (follow_up, !mentions(e, calls, None), is_literal(e))
}

/// Literals stand first in products and last in sums, chains of the same sign on the left, calls behind variables
/// in products and before them in sums.
fn summand(operator: B, e: &Expression, calls: &Calls) -> (bool, bool, bool, bool, String) {
    let same = matches!(&e.node, Node::Binary(inner, ..) if *inner == operator);
    let (follow_up, call) = (mentions(e, calls, Some(Role::FollowUp)), mentions(e, calls, None));
    match operator {
        B::Multiply => (!is_literal(e), !same, call, follow_up, e.to_string()),
        _ => (is_literal(e), !same, !follow_up, !call, e.to_string()),
    }
}

fn is_literal(e: &Expression) -> bool {
    matches!(e.node, Node::Int(_) | Node::Float(_) | Node::Bool(_) | Node::Text(_))
}

/// Whether an expression makes a call, of a role if one is given.
pub(super) fn mentions(e: &Expression, calls: &Calls, role: Option<Role>) -> bool {
    let here = matches!(e.node, Node::Call { .. })
        && calls.find(e).is_some_and(|site| role.is_none_or(|role| calls.sites[site].role == role));
    here || e.children().into_iter().any(|child| mentions(child, calls, role))
}

/// All parts of a chain of `and` or `or`, in order.
pub(super) fn parts(operator: B, e: &Expression) -> Vec<Expression> {
    match &e.node {
        Node::Binary(inner, a, b) if *inner == operator => [parts(operator, a), parts(operator, b)].concat(),
        _ => vec![e.clone()],
    }
}

/// A chain of parts, from the left. `None` where there are none.
pub(super) fn chain(operator: B, parts: Vec<Expression>) -> Option<Expression> {
    parts.into_iter().reduce(|a, b| joined(operator, a, b))
}

fn chained(operator: B, a: Expression, b: Expression, calls: &Calls) -> Expression {
    let mut all = [parts(operator, &a), parts(operator, &b)].concat();
    // Stable: among parts that are alike the order stays.
    all.sort_by_key(|part| (mentions(part, calls, Some(Role::FollowUp)), mentions(part, calls, None)));
    chain(operator, all).unwrap_or(a)
}

/// `a operator b`, standing nowhere.
pub(super) fn joined(operator: B, a: Expression, b: Expression) -> Expression {
    Expression::new(Node::Binary(operator, Box::new(a), Box::new(b)))
}
