//! Conditions that are comparisons of one expression with numbers, as intervals.

use std::cmp::Ordering;

use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, chain};
use dodona_target::Number;

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) value: Number,
    /// Whether the value itself belongs to the interval.
    pub(crate) is_closed: bool,
}

/// The numbers between two ends; without an end on a side, all numbers on that side.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Interval {
    pub(crate) low: Option<Bound>,
    pub(crate) high: Option<Bound>,
}

/// How two numbers compare: two integers exactly, otherwise both as floats.
pub(crate) fn order(a: Number, b: Number) -> Ordering {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(&b),
        _ => a.as_f64().total_cmp(&b.as_f64()),
    }
}

impl Interval {
    /// The expression of a condition and the interval in which it lies: `x` and the interval from 3 to 5 for `x >= 3 and x <= 5`. `None`
    /// unless the condition compares one expression with numbers, in comparisons joined by `and`.
    pub(crate) fn of(condition: &Expression) -> Option<(&Expression, Interval)> {
        if let Node::Binary(BinaryOperator::And, a, b) = &condition.node {
            let ((base, one), (other_base, other)) = (Interval::of(a)?, Interval::of(b)?);
            return (base == other_base).then(|| one.and(other)).map(|both| (base, both));
        }
        let (base, op, value) = against_number(condition)?;
        Some((base, Interval::compared(op, value)?))
    }

    fn compared(op: BinaryOperator, value: Number) -> Option<Interval> {
        use BinaryOperator as B;
        let bound = |is_closed| Some(Bound { value, is_closed });
        Some(match op {
            B::Equal => Interval { low: bound(true), high: bound(true) },
            B::Less => Interval { low: None, high: bound(false) },
            B::LessEqual => Interval { low: None, high: bound(true) },
            B::Greater => Interval { low: bound(false), high: None },
            B::GreaterEqual => Interval { low: bound(true), high: None },
            _ => return None,
        })
    }

    /// The numbers in both.
    fn and(self, other: Interval) -> Interval {
        let tighter = |a: Option<Bound>, b: Option<Bound>, wanted: Ordering| match (a, b) {
            (Some(a), Some(b)) => Some(match order(a.value, b.value) {
                Ordering::Equal => Bound { is_closed: a.is_closed && b.is_closed, ..a },
                found if found == wanted => a,
                _ => b,
            }),
            (one, other) => one.or(other),
        };
        Interval {
            low: tighter(self.low, other.low, Ordering::Greater),
            high: tighter(self.high, other.high, Ordering::Less),
        }
    }

    /// Whether every number in it is less than every number in the other.
    pub(crate) fn is_below(&self, other: &Interval) -> bool {
        let (Some(high), Some(low)) = (self.high, other.low) else { return false };
        match order(high.value, low.value) {
            Ordering::Less => true,
            Ordering::Equal => !(high.is_closed && low.is_closed),
            Ordering::Greater => false,
        }
    }

    /// The condition that an expression lies in it; `None` if every number does.
    pub(crate) fn write(&self, base: &Expression) -> Option<Expression> {
        use BinaryOperator as B;
        let compare = |op, value| {
            let value = match value {
                Number::Int(i) => Expression::new(Node::Int(i)),
                Number::Float(x) => Expression::new(Node::Float(x)),
            };
            binary(op, base.clone(), value)
        };
        let low = self.low.map(|b| compare(if b.is_closed { B::GreaterEqual } else { B::Greater }, b.value));
        let high = self.high.map(|b| compare(if b.is_closed { B::LessEqual } else { B::Less }, b.value));
        match (self.low, self.high) {
            (Some(a), Some(b)) if a == b && a.is_closed => Some(compare(B::Equal, a.value)),
            _ => chain(B::And, low.into_iter().chain(high)),
        }
    }

    /// The least and the greatest integer in it; an end is `None` if it has no bound. `None` in all if a bound is no integer.
    pub(crate) fn of_integers(&self) -> Option<[Option<i128>; 2]> {
        let end = |bound: Option<Bound>, inwards: i128| match bound {
            None => Some(None),
            Some(Bound { value: Number::Int(i), is_closed }) => {
                if is_closed {
                    Some(Some(i))
                } else {
                    i.checked_add(inwards).map(Some)
                }
            }
            Some(_) => None,
        };
        Some([end(self.low, 1)?, end(self.high, -1)?])
    }
}

/// A comparison of an expression with a number, as if the number were on the right: `x`, `<` and 3 for `3 > x`.
pub(crate) fn against_number(condition: &Expression) -> Option<(&Expression, BinaryOperator, Number)> {
    let Node::Binary(op, a, b) = &condition.node else { return None };
    match (number(a), number(b)) {
        (None, Some(value)) => Some((a, *op, value)),
        (Some(value), None) => Some((b, op.flipped()?, value)),
        _ => None,
    }
}

fn number(e: &Expression) -> Option<Number> {
    match &e.node {
        Node::Int(i) => Some(Number::Int(*i)),
        Node::Float(x) => Some(Number::Float(*x)),
        _ => None,
    }
}
