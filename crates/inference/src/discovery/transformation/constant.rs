//! The constants with which transformations change numbers.

use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, int, negative};
use dodona_relations::plan::{Element, Ty};
use dodona_target::{Number, Parameter, Value};

use super::context::SignatureContext;
use crate::discovery::tuning::{CONSTANTS_OF_CODE, LARGEST_FACTOR, LARGEST_OF_CODE};

/// A constant, and how often it occurs in the code.
#[derive(Clone, Debug)]
pub(super) struct TransformationConstant {
    /// The absolute value of the constant.
    magnitude: Expression,
    is_negative: bool,
    value: f64,
    pub(super) weight: u64,
}

impl TransformationConstant {
    fn new(magnitude: Expression, value: f64, weight: u64) -> TransformationConstant {
        TransformationConstant { magnitude, is_negative: value < 0.0, value, weight }
    }

    fn int(value: i128, weight: u64) -> TransformationConstant {
        TransformationConstant::new(int(value.abs()), value as f64, weight)
    }

    fn float(value: f64, weight: u64) -> TransformationConstant {
        // Integers are easier to read without a decimal point, and a float parameter takes them too.
        match value.fract() == 0.0 {
            true => TransformationConstant::int(value as i128, weight),
            false => TransformationConstant::new(Expression::new(Node::Float(value.abs())), value, weight),
        }
    }

    /// The text that people read, with its sign.
    pub(super) fn text(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}", self.magnitude)
    }

    /// The constant as an expression, with its sign.
    pub(super) fn expression(&self) -> Expression {
        match (&self.magnitude.node, self.is_negative) {
            (Node::Int(i), true) => int(-i),
            (Node::Float(x), true) => Expression::new(Node::Float(-x)),
            (_, true) => negative(self.magnitude.clone()),
            (_, false) => self.magnitude.clone(),
        }
    }

    /// `x + c`.
    pub(super) fn added_to(&self, x: Expression) -> Expression {
        let operator = if self.is_negative { BinaryOperator::Subtract } else { BinaryOperator::Add };
        binary(operator, x, self.magnitude.clone())
    }

    /// `c * x`, or `-x` if the constant is -1.
    pub(super) fn times(&self, x: Expression) -> Expression {
        match self.value == -1.0 {
            true => negative(x),
            false => binary(BinaryOperator::Multiply, self.expression(), x),
        }
    }

    /// Whether multiplying by the constant makes sense. It does not for 1, nor for pi, which is added to angles.
    pub(super) fn is_factor(&self) -> bool {
        let is_literal = matches!(self.magnitude.node, Node::Int(_) | Node::Float(_));
        is_literal && self.value != 1.0 && self.value.abs() <= LARGEST_FACTOR
    }

    fn is(&self, value: f64) -> bool {
        self.value == value
    }
}

/// Constants for the numbers of a parameter, the most useful first: -1 and 1, then those of the code, the most frequent first, then
/// some that are useful even if the code does not contain them. All are distinct.
pub(super) fn constants(
    context: &SignatureContext<'_>,
    parameter: &Parameter,
    ty: Ty,
) -> Vec<TransformationConstant> {
    let is_float = matches!(ty, Ty::Float | Ty::Number | Ty::Sequence(Element::Float));
    let weight = |value: f64| weight(context, value);
    let mut chosen =
        vec![TransformationConstant::int(-1, weight(-1.0)), TransformationConstant::int(1, weight(1.0))];
    for constant in of_code(context, parameter, is_float).into_iter().take(CONSTANTS_OF_CODE) {
        add(&mut chosen, constant);
    }
    add(&mut chosen, TransformationConstant::int(2, weight(2.0)));
    if is_float {
        floats(context).into_iter().for_each(|constant| add(&mut chosen, constant));
    } else {
        add(&mut chosen, TransformationConstant::int(-2, weight(-2.0)));
        add(&mut chosen, TransformationConstant::int(10, weight(10.0)));
    }
    chosen
}

fn add(chosen: &mut Vec<TransformationConstant>, constant: TransformationConstant) {
    if !chosen.iter().any(|known| known.is(constant.value)) {
        chosen.push(constant);
    }
}

/// Multiples of pi, and 0.5, 10 and 0.1.
fn floats(context: &SignatureContext<'_>) -> Vec<TransformationConstant> {
    let pi = std::f64::consts::PI;
    let mut floats = Vec::new();
    if let Some(name) = context.pi() {
        let double = binary(BinaryOperator::Multiply, int(2), name.clone());
        let half = binary(BinaryOperator::Divide, name.clone(), int(2));
        floats.push(TransformationConstant::new(name.clone(), pi, weight(context, pi)));
        floats.push(TransformationConstant::new(double, 2.0 * pi, weight(context, 2.0 * pi)));
        floats.push(TransformationConstant::new(half.clone(), pi / 2.0, weight(context, pi / 2.0)));
        floats.push(TransformationConstant::new(name, -pi, weight(context, -pi)));
        floats.push(TransformationConstant::new(half, -pi / 2.0, weight(context, -pi / 2.0)));
    }
    floats.push(TransformationConstant::float(0.5, weight(context, 0.5)));
    floats.push(TransformationConstant::float(10.0, weight(context, 10.0)));
    floats.push(TransformationConstant::float(0.1, weight(context, 0.1)));
    floats
}

/// How often a constant occurs in the code.
fn weight(context: &SignatureContext<'_>, value: f64) -> u64 {
    let of = context.constants.iter().filter(|(known, _)| number(known) == Some(value));
    of.map(|(_, weight)| weight).sum()
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

/// The useful constants of the code, the most frequent first.
fn of_code(
    context: &SignatureContext<'_>,
    parameter: &Parameter,
    is_float: bool,
) -> Vec<TransformationConstant> {
    let width = width(parameter);
    let useful = |(value, weight): &(Value, u64)| {
        let constant = match value {
            Value::Int(i) if i.abs() <= LARGEST_OF_CODE => TransformationConstant::int(*i, *weight),
            Value::Float(x) if is_float && is_short(*x) => TransformationConstant::float(*x, *weight),
            _ => return None,
        };
        (constant.value != 0.0 && constant.value.abs() <= width).then_some(constant)
    };
    let mut constants: Vec<TransformationConstant> = context.constants.iter().filter_map(useful).collect();
    constants.sort_by(|a, b| b.weight.cmp(&a.weight).then(a.value.abs().total_cmp(&b.value.abs())));
    constants
}

/// Whether a person may have written the float by hand: coefficients of polynomials, in contrast, have as many digits as fit.
fn is_short(x: f64) -> bool {
    x.is_finite() && x.abs() <= LARGEST_OF_CODE as f64 && x.abs().to_string().len() <= 6
}

/// The largest difference between two values of a parameter.
fn width(parameter: &Parameter) -> f64 {
    let sampled = parameter.sampling.range.iter();
    let ranges: Vec<_> = match parameter.sampling.range {
        Some(_) => sampled.collect(),
        None => parameter.domain.numbers.ranges.iter().collect(),
    };
    let of = |number: fn(Number) -> f64, ends: (Number, Number)| number(ends.1) - number(ends.0);
    let widest = ranges.iter().map(|r| of(Number::as_f64, (r.low, r.high))).fold(0.0, f64::max);
    if ranges.is_empty() { f64::INFINITY } else { widest }
}
