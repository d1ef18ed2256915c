//! Conditions that keep the inputs between the steps inside the domains of their functions.
//!
//! A basic relation says nothing of an input outside the domain of its function. In a composite relation the inputs
//! between the first and the last are not passed to any call, so that the language does not look at them: without a
//! condition, a composite of true relations could be false. Ranges of numbers, lengths and preconditions are written as
//! conditions; alphabets, listed texts, predicates and elements of sequences are not.

use dodona_relations::ast::{BinaryOperator, Expression, Node, binary, call, chain, int, negative, not};
use dodona_relations::check::{Callee, resolve};
use dodona_relations::{parse_expression, plan::Gives};
use dodona_target::{Domain, Kind, Number, NumberRange, Parameter, Scalar, Signature, Type, Value};

use super::basic::{OutputOf, replace_names};
use super::interval::Interval;

/// An input between the steps of a composition, and a function about which a relation says something at this input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) function: usize,
    /// One expression for each parameter.
    pub(super) arguments: Vec<Expression>,
}

impl Point {
    /// Whether a call has this input.
    pub(super) fn is_input_of(&self, call: &OutputOf<'_>) -> bool {
        self.function == call.function && self.arguments == call.arguments
    }

    /// The conditions that keep this input in the domains of the function's parameters. `certain` says whether an expression
    /// needs no condition: it is a variable with this type and domain, or it is passed to a parameter with them, where the
    /// language checks it. `interval` gives the possible values of a variable.
    pub(super) fn domains(
        &self,
        function: &Signature,
        certain: &impl Fn(&Expression, &Parameter) -> bool,
        interval: &impl Fn(&Expression) -> Option<Interval>,
    ) -> Vec<Expression> {
        let pairs = function.parameters.iter().zip(&self.arguments);
        let uncertain = pairs.filter(|(p, e)| !certain(e, p));
        uncertain.flat_map(|(p, e)| inside(p, e, Interval::of(e, interval))).collect()
    }

    /// The function's precondition on this input, if it has one.
    pub(super) fn precondition(&self, function: &Signature) -> Option<Expression> {
        let requires = parse_expression(function.requires.as_ref()?).ok()?;
        let value = |name: &str| function.parameter(name).map(|(j, _)| self.arguments[j].clone());
        Some(replace_names(&requires, &value))
    }
}

/// The condition that a value is in the domain of a parameter, where the value is known to lie in `values`.
fn inside(parameter: &Parameter, e: &Expression, values: Option<Interval>) -> Vec<Expression> {
    let domain = &parameter.domain;
    if literal(e).is_some_and(|value| domain.contains(parameter.ty, &value)) {
        return Vec::new();
    }
    match parameter.ty {
        Type::Scalar(scalar) => number_inside(scalar, domain, e, values),
        Type::Text | Type::Sequence(_) => {
            let lengths = domain.length.iter();
            lengths.flat_map(|(low, high)| length_inside(*low, *high, e)).collect()
        }
    }
}

fn literal(e: &Expression) -> Option<Value> {
    match &e.node {
        Node::Bool(b) => Some(Value::Bool(*b)),
        Node::Int(i) => Some(Value::Int(*i)),
        Node::Float(x) => Some(Value::Float(*x)),
        Node::Text(text) => Some(Value::Text(text.clone())),
        _ => None,
    }
}

fn number_inside(
    scalar: Scalar,
    domain: &Domain,
    e: &Expression,
    values: Option<Interval>,
) -> Vec<Expression> {
    let mut found = Vec::new();
    if scalar.kind() == Kind::Bool {
        return found;
    }
    if scalar.kind() == Kind::Int && may_be_fraction(e) {
        found.push(binary(BinaryOperator::Equal, word("floor", e), e.clone()));
    }
    let whole = scalar
        .integer_range()
        .map(|(low, high)| NumberRange { low: Number::Int(low), high: Number::Int(high) });
    let ranges = if domain.numbers.ranges.is_empty() { whole.as_slice() } else { &domain.numbers.ranges };
    match ranges {
        [range] if !range.is_nan() => found.extend(bounds(*range, e, values)),
        _ => {
            let in_range = ranges.iter().map(|range| range_inside(*range, e));
            found.extend(chain(BinaryOperator::Or, in_range));
        }
    }
    let except =
        domain.numbers.except.iter().map(|n| binary(BinaryOperator::NotEqual, e.clone(), number(*n)));
    found.extend(except);
    if domain.numbers.exclude_nan && ranges.is_empty() {
        found.push(not(word("is_nan", e)));
    }
    found
}

/// Whether the value of an expression over integers may be a number that is not an integer.
fn may_be_fraction(e: &Expression) -> bool {
    e.has(&|part| match &part.node {
        Node::Binary(BinaryOperator::Divide | BinaryOperator::Power, ..) | Node::Float(_) => true,
        Node::Name(name) => name == "pi" || name == "e",
        // A word that gives floats, such as `sqrt`. Calls of functions under test are not looked at.
        Node::Call { function, arguments } => match resolve(&function.text, arguments.len(), &[]) {
            Some(Callee::Word(word)) => word.gives == Gives::Float,
            _ => false,
        },
        _ => false,
    })
}

/// The bounds of a range that some of the values may lie beyond.
fn bounds(range: NumberRange, e: &Expression, values: Option<Interval>) -> Option<Expression> {
    let low = (!values.is_some_and(|values| values.is_at_least(range.low)))
        .then(|| binary(BinaryOperator::LessEqual, number(range.low), e.clone()));
    let high = (!values.is_some_and(|values| values.is_at_most(range.high)))
        .then(|| binary(BinaryOperator::LessEqual, e.clone(), number(range.high)));
    chain(BinaryOperator::And, low.into_iter().chain(high))
}

fn range_inside(range: NumberRange, e: &Expression) -> Expression {
    if range.is_nan() {
        return word("is_nan", e);
    }
    let low = binary(BinaryOperator::LessEqual, number(range.low), e.clone());
    binary(BinaryOperator::And, low, binary(BinaryOperator::LessEqual, e.clone(), number(range.high)))
}

fn length_inside(low: u64, high: u64, e: &Expression) -> Vec<Expression> {
    let length = word("len", e);
    let least = (low > 0).then(|| binary(BinaryOperator::LessEqual, int(low), length.clone()));
    let most = (high < u64::MAX).then(|| binary(BinaryOperator::LessEqual, length.clone(), int(high)));
    least.into_iter().chain(most).collect()
}

fn word(name: &str, e: &Expression) -> Expression {
    call(name, vec![e.clone()])
}

fn number(n: Number) -> Expression {
    match n {
        Number::Int(i) => int(i),
        Number::Float(x) if x.is_finite() => Expression::new(Node::Float(x)),
        Number::Float(x) if x.is_nan() => Expression::name("nan"),
        Number::Float(x) if x > 0.0 => Expression::name("inf"),
        Number::Float(_) => negative(Expression::name("inf")),
    }
}
