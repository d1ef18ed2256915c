//! How a value compares with the one that replaces it, and how the expressions around both compare then.

use dodona_relations::ast::{BinaryOperator, Bound, Expression, Node, UnaryOperator};

use super::tolerance::{added, chained, powered};
use super::{Comparison, Incomposable};

/// How a value compares with the one that replaces it: `old COMPARISON new`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) comparison: Comparison,
    /// The tolerance, if the comparison is `~=`.
    pub(super) bound: Bound,
}

/// How the results of an operation compare if its operands were replaced.
pub(super) type Through = Result<Link, Lost>;

/// Why nothing is known of the result of an operation whose operands were replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// No bound on the error is known. The operation may keep its old operands.
    Error,
    /// The order of the operands says nothing about the order of the results.
    Order(Incomposable),
}

impl Link {
    /// Both values are equal: nothing was replaced, or a value was replaced by an equal one.
    pub(super) const EQUAL: Link = Link { comparison: Comparison::Equal, bound: Bound::Ulps(0) };

    fn with(self, comparison: Comparison) -> Link {
        Link { comparison, ..self }
    }

    fn is_equal(self) -> bool {
        self.comparison == Comparison::Equal
    }

    /// If `a self b` and `b next c`, how a compares with c. `ulp` is the relative distance of neighbouring floats.
    pub(super) fn then(self, next: Link, ulp: f64) -> Result<Link, Incomposable> {
        let comparison = self.comparison.chained(next.comparison).ok_or(self.conflict(next))?;
        let bound = match (self.is_equal(), next.is_equal()) {
            (_, true) => self.bound,
            (true, _) => next.bound,
            _ => chained(self.bound, next.bound, ulp),
        };
        Ok(Link { comparison, bound })
    }

    fn conflict(self, other: Link) -> Incomposable {
        if [self.comparison, other.comparison].contains(&Comparison::Approximate) {
            Incomposable::ApproximateOrder
        } else {
            Incomposable::OppositeOrders
        }
    }

    /// The link of the negatives of both values.
    pub(super) fn negated(self) -> Link {
        self.with(self.comparison.flipped())
    }

    /// The link of results that grow with the value but may be equal for two different values, such as those of `floor`.
    fn grown(self) -> Link {
        self.with(self.comparison.weakened())
    }

    /// The link of results that grow with both values: those of a sum, `min` and `max`.
    fn beside(self, other: Link, ulp: f64) -> Through {
        let (a, b) = (self.grown(), other.grown());
        let comparison = a.comparison.chained(b.comparison).ok_or(Lost::Order(a.conflict(b)))?;
        Ok(Link { comparison, bound: self.joined(other, ulp) })
    }

    fn joined(self, other: Link, ulp: f64) -> Bound {
        match (self.is_equal(), other.is_equal()) {
            (true, true) => Bound::Ulps(0),
            (false, true) => added(self.bound, Bound::Ulps(0), ulp),
            (true, false) => added(other.bound, Bound::Ulps(0), ulp),
            (false, false) => added(self.bound, other.bound, ulp),
        }
    }

    /// The link of products or quotients with another value, which is given as an expression.
    fn scaled(self, other: Link, factor: &Expression, ulp: f64) -> Through {
        if !self.comparison.is_order() && !other.comparison.is_order() {
            return self.beside(other, ulp);
        }
        match constant(factor) {
            Some(c) if c > 0.0 && other.is_equal() => Ok(self.grown()),
            Some(c) if c < 0.0 && other.is_equal() => Ok(self.grown().negated()),
            _ => Err(Lost::Order(Incomposable::NotMonotone)),
        }
    }

    fn powered(self, exponent: Link, n: &Expression, ulp: f64) -> Through {
        match (self.comparison, &n.node) {
            (Comparison::Approximate, Node::Int(n)) if exponent.is_equal() => {
                let n = u32::try_from(*n).map_err(|_| Lost::Error)?;
                Ok(Link { bound: powered(self.bound, n, ulp), ..self })
            }
            _ => self.unknown(exponent),
        }
    }

    /// The link of results of an operation of which only this is known: equal operands give equal results.
    fn unknown(self, other: Link) -> Through {
        match (self.comparison, other.comparison) {
            (Comparison::Equal, Comparison::Equal) => Ok(Link::EQUAL),
            (a, b) if a.is_order() || b.is_order() => Err(Lost::Order(Incomposable::NotMonotone)),
            _ => Err(Lost::Error),
        }
    }
}

/// An operand in which values were replaced.
#[derive(Clone, Copy)]
pub(super) struct Operand<'e> {
    pub(super) link: Link,
    pub(super) new: &'e Expression,
}

/// How the results of an operator compare.
pub(super) fn through_operator(
    operator: BinaryOperator,
    a: Operand<'_>,
    b: Operand<'_>,
    ulp: f64,
) -> Through {
    match operator {
        BinaryOperator::Add => a.link.beside(b.link, ulp),
        BinaryOperator::Subtract => a.link.beside(b.link.negated(), ulp),
        BinaryOperator::Multiply if a.link.is_equal() => b.link.scaled(a.link, a.new, ulp),
        BinaryOperator::Multiply | BinaryOperator::Divide => a.link.scaled(b.link, b.new, ulp),
        BinaryOperator::Power => a.link.powered(b.link, b.new, ulp),
        _ => a.link.unknown(b.link),
    }
}

/// How the results of a word of the language compare.
pub(super) fn through_word(word: &str, operands: &[Link], ulp: f64) -> Through {
    match (word, operands) {
        ("min" | "max", [a, b]) => a.beside(*b, ulp),
        ("floor" | "ceil" | "exp", [a]) if a.comparison != Comparison::Approximate => Ok(a.grown()),
        // A root halves the relative error, so that the tolerance of its operand is enough. Nothing follows from an order of
        // the operands of a root or a logarithm: a lower bound of the operand may be negative, and then it has no root.
        ("sqrt", [a]) if !a.comparison.is_order() => Ok(a.grown()),
        ("ln", [a]) if a.is_equal() => Ok(*a),
        ("abs", [a]) if !a.comparison.is_order() => Ok(*a),
        _ => operands.iter().try_fold(Link::EQUAL, |all, link| all.unknown(*link)),
    }
}

/// The value of an expression without variables and calls; `None` where it is not known to be a constant.
fn constant(e: &Expression) -> Option<f64> {
    match &e.node {
        Node::Int(n) => Some(*n as f64),
        Node::Float(x) => Some(*x),
        Node::Name(name) if name == "pi" => Some(std::f64::consts::PI),
        Node::Name(name) if name == "e" => Some(std::f64::consts::E),
        Node::Unary(UnaryOperator::Negate, a) => Some(-constant(a)?),
        Node::Binary(BinaryOperator::Multiply, a, b) => Some(constant(a)? * constant(b)?),
        Node::Binary(BinaryOperator::Divide, a, b) => Some(constant(a)? / constant(b)?),
        Node::Binary(BinaryOperator::Add, a, b) => Some(constant(a)? + constant(b)?),
        Node::Call { function, arguments } if function.text == "abs" && arguments.len() == 1 => {
            Some(constant(&arguments[0])?.abs())
        }
        _ => None,
    }
}
