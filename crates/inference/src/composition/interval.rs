//! The possible values of an input between the steps, so that no condition is written that is always true.

use dodona_relations::ast::{BinaryOperator, Expression, Node, UnaryOperator};
use dodona_target::{Kind, Number, NumberRange, Parameter, Type};

/// A closed interval of numbers without NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Interval {
    /// Whole numbers.
    Int(i128, i128),
    /// Floats. Rounded sums and products of floats still grow with their operands, so that the bounds of the operands give the
    /// bounds of the result.
    Float(f64, f64),
}

impl Interval {
    /// The values of a parameter, if they are numbers of one range.
    pub(super) fn of_parameter(parameter: &Parameter) -> Option<Interval> {
        let Type::Scalar(scalar) = parameter.ty else { return None };
        match (parameter.domain.numbers.ranges.as_slice(), scalar.kind(), scalar.integer_range()) {
            ([NumberRange { low: Number::Int(low), high: Number::Int(high) }], Kind::Int, _) => {
                Some(Interval::Int(*low, *high))
            }
            ([], Kind::Int, Some((low, high))) => Some(Interval::Int(low, high)),
            ([range], Kind::Float, _) => Interval::float(range.low.as_f64(), range.high.as_f64()),
            _ => None,
        }
    }

    /// The possible values of an expression, if all its operators and variables have known ones. `variable` gives the interval
    /// of a name.
    pub(super) fn of(
        e: &Expression,
        variable: &impl Fn(&Expression) -> Option<Interval>,
    ) -> Option<Interval> {
        match &e.node {
            Node::Int(i) => Some(Interval::Int(*i, *i)),
            Node::Float(x) => Interval::float(*x, *x),
            Node::Name(name) if name == "pi" => Interval::float(std::f64::consts::PI, std::f64::consts::PI),
            Node::Name(_) => variable(e),
            Node::Unary(UnaryOperator::Negate, a) => Interval::of(a, variable)?.negated(),
            Node::Binary(operator, a, b) => {
                let (a, b) = (Interval::of(a, variable)?, Interval::of(b, variable)?);
                match operator {
                    BinaryOperator::Add => a.combined(b, i128::checked_add, |a, b| a + b),
                    BinaryOperator::Subtract => a.combined(b, i128::checked_sub, |a, b| a - b),
                    BinaryOperator::Multiply => a.combined(b, i128::checked_mul, |a, b| a * b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether every value is at least this number.
    pub(super) fn is_at_least(self, low: Number) -> bool {
        match (self, low) {
            (Interval::Int(least, _), Number::Int(low)) => low <= least,
            (Interval::Int(least, _), low) => low.as_f64() <= least as f64,
            (Interval::Float(least, _), low) => low.as_f64() <= least,
        }
    }

    /// Whether every value is at most this number.
    pub(super) fn is_at_most(self, high: Number) -> bool {
        match (self, high) {
            (Interval::Int(_, most), Number::Int(high)) => most <= high,
            (Interval::Int(_, most), high) => most as f64 <= high.as_f64(),
            (Interval::Float(_, most), high) => most <= high.as_f64(),
        }
    }

    /// Intervals with infinite bounds are left out, because `inf - inf` and `0 * inf` are NaN.
    fn float(low: f64, high: f64) -> Option<Interval> {
        (low.is_finite() && high.is_finite()).then_some(Interval::Float(low, high))
    }

    fn negated(self) -> Option<Interval> {
        match self {
            Interval::Int(low, high) => Some(Interval::Int(high.checked_neg()?, low.checked_neg()?)),
            Interval::Float(low, high) => Some(Interval::Float(-high, -low)),
        }
    }

    /// The least and the greatest result of an operator that rises or falls with each operand. Both are reached at bounds of
    /// the operands.
    fn combined(
        self,
        other: Interval,
        int: fn(i128, i128) -> Option<i128>,
        float: fn(f64, f64) -> f64,
    ) -> Option<Interval> {
        if let (Interval::Int(a, b), Interval::Int(c, d)) = (self, other) {
            let all = [int(a, c)?, int(a, d)?, int(b, c)?, int(b, d)?];
            return Some(Interval::Int(all.into_iter().min()?, all.into_iter().max()?));
        }
        let ((a, b), (c, d)) = (self.floats(), other.floats());
        let all = [float(a, c), float(a, d), float(b, c), float(b, d)];
        if all.iter().any(|x| x.is_nan()) {
            return None;
        }
        Interval::float(all.into_iter().fold(f64::MAX, f64::min), all.into_iter().fold(f64::MIN, f64::max))
    }

    fn floats(self) -> (f64, f64) {
        match self {
            Interval::Int(low, high) => (low as f64, high as f64),
            Interval::Float(low, high) => (low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse_expression;

    use super::*;

    fn of(text: &str, x: Interval) -> Option<Interval> {
        let e = parse_expression(text).expect("an expression");
        Interval::of(&e, &|e| matches!(&e.node, Node::Name(name) if name == "x").then_some(x))
    }

    #[test]
    fn bounds_are_those_of_the_operands() {
        let x = Interval::Int(-10, 3);
        assert_eq!(of("-x", x), Some(Interval::Int(-3, 10)));
        assert_eq!(of("2 * x + 1", x), Some(Interval::Int(-19, 7)));
        assert_eq!(of("x * x", x), Some(Interval::Int(-30, 100)));
        assert_eq!(of("1 - x", Interval::Float(0.0, 0.5)), Some(Interval::Float(0.5, 1.0)));
        assert_eq!(of("x + 0.5", x), Some(Interval::Float(-9.5, 3.5)));
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        for text in
            ["y", "x / 2", "abs(x)", "1e300 * 1e300 * x", "x * 170141183460469231731687303715884105727"]
        {
            assert_eq!(of(text, Interval::Int(-10, 3)), None, "{text}");
        }
    }

    #[test]
    fn bounds_are_inside() {
        let x = Interval::Int(-10, 3);
        assert!(x.is_at_least(Number::Int(-10)) && !x.is_at_least(Number::Int(-9)));
        assert!(x.is_at_most(Number::Float(3.0)) && !x.is_at_most(Number::Float(2.9)));
        assert!(!x.is_at_most(Number::Float(f64::NAN)));
    }
}
