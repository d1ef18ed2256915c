//! Puts operands that may be exchanged into a customary order.

use dodona_relations::ast::{BinaryOperator as B, Expression, Node, binary, chain, parts};
use dodona_relations::check::{CallSites, Role, Variable};

use super::cost::{SOURCE, side};

/// The calls and variables, on which the order depends.
pub(super) struct Order<'a> {
    pub(super) calls: &'a CallSites,
    /// The variables; all other names are constants.
    pub(super) variables: &'a [Variable],
}

/// The sort key of summands and factors; the smallest key comes first.
type Key = (bool, bool, bool, bool, String);

impl Order<'_> {
    /// The same expression with follow-up calls on the left of comparisons, constants last in sums and first in
    /// products, and the parts of `and` and `or` without follow-up calls first.
    pub(super) fn apply(&self, e: &Expression) -> Expression {
        let mut inside = e.children().into_iter().map(|child| self.apply(child));
        match &e.node {
            Node::Binary(operator, ..) => {
                let (Some(a), Some(b)) = (inside.next(), inside.next()) else { return e.clone() };
                self.binary(*operator, a, b)
            }
            _ => {
                let mut first = true;
                e.rewrite(&mut |_| if std::mem::take(&mut first) { None } else { inside.next() })
            }
        }
    }

    fn binary(&self, operator: B, a: Expression, b: Expression) -> Expression {
        let turn = match operator {
            B::And | B::Or => return self.chained(operator, a, b),
            B::Add | B::Multiply => self.summand(operator, &b) < self.summand(operator, &a),
            B::Equal | B::NotEqual | B::Approximate | B::Iff | B::Xor => {
                (self.side(&b), b.to_string()) < (self.side(&a), a.to_string())
            }
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual => self.side(&b) < self.side(&a),
            _ => false,
        };
        if turn { binary(operator.flipped().unwrap_or(operator), b, a) } else { binary(operator, a, b) }
    }

    /// The sort key of a side: a follow-up call alone comes first, then a source call alone, then an expression with
    /// a follow-up call inside; constants come last.
    fn side(&self, e: &Expression) -> (bool, bool, u32, bool, bool) {
        let (alone, follow_up) = (side(e, self.calls), mentions(e, self.calls, Some(Role::FollowUp)));
        (alone != 0, alone > SOURCE && !follow_up, alone, !mentions(e, self.calls, None), self.is_constant(e))
    }

    /// The sort key of a summand or factor. Constants come first in products and last in sums; chains of the same
    /// operator come early; calls come after variables in products and before them in sums.
    fn summand(&self, operator: B, e: &Expression) -> Key {
        let chained = matches!(&e.node, Node::Binary(inner, ..) if *inner == operator);
        let follow_up = mentions(e, self.calls, Some(Role::FollowUp));
        let (call, constant) = (mentions(e, self.calls, None), self.is_constant(e));
        match operator {
            B::Multiply => (!constant, !chained, call, follow_up, e.to_string()),
            _ => (constant, !chained, !follow_up, !call, e.to_string()),
        }
    }

    fn is_constant(&self, e: &Expression) -> bool {
        !e.has(&|part| match &part.node {
            Node::Name(name) => self.variables.iter().any(|v| v.name == *name),
            Node::Call { .. } => self.calls.find(part).is_some(),
            _ => false,
        })
    }

    fn chained(&self, operator: B, a: Expression, b: Expression) -> Expression {
        let mut all = [parts(operator, &a), parts(operator, &b)].concat();
        // The sort is stable: parts with equal keys keep their order.
        all.sort_by_key(|part| {
            (mentions(part, self.calls, Some(Role::FollowUp)), mentions(part, self.calls, None))
        });
        chain(operator, all).unwrap_or(a)
    }
}

/// Whether an expression makes a call, or a call of the given role.
pub(super) fn mentions(e: &Expression, calls: &CallSites, role: Option<Role>) -> bool {
    e.has(&|part| {
        matches!(part.node, Node::Call { .. })
            && calls.find(part).is_some_and(|site| role.is_none_or(|role| calls.sites[site].role == role))
    })
}
