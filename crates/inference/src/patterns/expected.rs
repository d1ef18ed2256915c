//! What is expected of the output of the follow-up call.

use std::cmp::Ordering;

use dodona_target::{Column, Kind, Signature, Value};
use fixedbitset::FixedBitSet;

use super::atom::compare;
use super::rows_where;
use crate::rounding::rounding;

/// How far apart two floats may be that count as equal, relative to the larger: what `~=` of the relation language allows without `within`.
const RELATIVE: f64 = 1e-9;

/// What is expected of the output of the follow-up call. If a pattern has no follow-up call, it is about the output of the source call.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// The output is the same.
    Same,
    /// The output differs: `out' != out`.
    Differs,
    /// The output is not lower: `out' >= out`.
    NotLower,
    /// The output is not higher: `out' <= out`.
    NotHigher,
    /// The output is higher: `out' > out`.
    Higher,
    /// The output is lower: `out' < out`.
    Lower,
    /// The output is a constant.
    Is(Value),
    /// The output is a parameter of the source input, by its index.
    IsParameter(usize),
    /// The output differs by a constant, which is not 0.
    Plus(Value),
    /// The output divides parameters of the source input, by their indices; false where it is 0.
    Divides(Vec<usize>),
    /// The output lies between two values, both inside.
    Within(Value, Value),
    /// The output is at least a value.
    AtLeast(Value),
    /// The output is at most a value.
    AtMost(Value),
    /// The output is a multiple of a number above 1.
    MultipleOf(i128),
    /// The output is twice the output of the source call.
    Twice,
    /// The output is negative, or meets another expectation. Some functions refuse an input by a negative output: a larger amount never
    /// lowers the fee, unless the transfer is refused.
    UnlessNegative(Box<Expected>),
}

impl Expected {
    /// The rows on which it is false. `inputs` has a column for each parameter; `source` and `follow_up` are the outputs of the source
    /// calls and of the follow-up calls.
    ///
    /// # Panics
    /// When columns are too short.
    pub fn broken(&self, inputs: &[Column], source: &Column, follow_up: &Column) -> FixedBitSet {
        let not = |holds: &dyn Fn(usize) -> bool| rows_where(follow_up.len(), |row| !holds(row));
        let rounding = rounding(floats(source).iter().chain(floats(follow_up)));
        let is_near = |a: &Value, b: &Value| is_near(a, b, rounding);
        let order = |row| compare(&follow_up.value(row), &source.value(row));
        match self {
            Expected::Same => not(&|row| is_near(&source.value(row), &follow_up.value(row))),
            Expected::Differs => not(&|row| !is_near(&source.value(row), &follow_up.value(row))),
            Expected::NotLower => not(&|row| order(row).is_some_and(Ordering::is_ge)),
            Expected::NotHigher => not(&|row| order(row).is_some_and(Ordering::is_le)),
            Expected::Higher => not(&|row| order(row).is_some_and(Ordering::is_gt)),
            Expected::Lower => not(&|row| order(row).is_some_and(Ordering::is_lt)),
            Expected::Is(value) => not(&|row| is_near(&follow_up.value(row), value)),
            Expected::IsParameter(parameter) => {
                not(&|row| is_near(&follow_up.value(row), &inputs[*parameter].value(row)))
            }
            Expected::Plus(by) => not(&|row| match (source.value(row), by, follow_up.value(row)) {
                (Value::Int(a), Value::Int(by), Value::Int(b)) => a.checked_add(*by) == Some(b),
                (Value::Float(a), Value::Float(by), Value::Float(b)) => {
                    is_near(&Value::Float(a + by), &Value::Float(b))
                }
                _ => false,
            }),
            Expected::Divides(parameters) => {
                let divides =
                    |row, parameter: usize| divides(&follow_up.value(row), &inputs[parameter].value(row));
                not(&|row| parameters.iter().all(|&parameter| divides(row, parameter)))
            }
            Expected::Within(low, high) => not(&|row| {
                let value = follow_up.value(row);
                compare(&value, low).is_some_and(|o| o.is_ge())
                    && compare(&value, high).is_some_and(|o| o.is_le())
            }),
            Expected::AtLeast(low) => {
                not(&|row| compare(&follow_up.value(row), low).is_some_and(|o| o.is_ge()))
            }
            Expected::MultipleOf(number) => {
                not(&|row| matches!(follow_up.value(row), Value::Int(output) if output % number == 0))
            }
            Expected::AtMost(high) => {
                not(&|row| compare(&follow_up.value(row), high).is_some_and(|o| o.is_le()))
            }
            Expected::UnlessNegative(other) => {
                &other.broken(inputs, source, follow_up) & &self.applies(follow_up)
            }
            Expected::Twice => not(&|row| match (source.value(row), follow_up.value(row)) {
                (Value::Int(a), Value::Int(b)) => a.checked_mul(2) == Some(b),
                (Value::Float(a), Value::Float(b)) => is_near(&Value::Float(2.0 * a), &Value::Float(b)),
                _ => false,
            }),
        }
    }

    /// The rows about which it says something, given the outputs of the follow-up calls: all rows, but not those with a negative output
    /// if it is about the others only.
    pub fn applies(&self, follow_up: &Column) -> FixedBitSet {
        let is_other = |row| match (self, follow_up.value(row)) {
            (Expected::UnlessNegative(_), Value::Int(output)) => output >= 0,
            _ => true,
        };
        rows_where(follow_up.len(), is_other)
    }

    /// The expectation about those outputs that it says something about.
    pub fn of_others(&self) -> &Expected {
        if let Expected::UnlessNegative(other) = self { other.of_others() } else { self }
    }

    /// Whether it compares the output of the follow-up call with the source call, not only with a constant.
    pub fn is_of_both(&self) -> bool {
        !matches!(
            self.of_others(),
            Expected::Is(_)
                | Expected::Within(..)
                | Expected::AtLeast(_)
                | Expected::AtMost(_)
                | Expected::MultipleOf(_)
        )
    }

    /// The cost of reading it.
    pub fn weight(&self) -> usize {
        match self {
            Expected::Same => 1,
            Expected::NotLower | Expected::NotHigher | Expected::IsParameter(_) | Expected::Twice => 2,
            Expected::Is(_) | Expected::AtLeast(_) | Expected::AtMost(_) | Expected::MultipleOf(_) => 2,
            Expected::Divides(_) | Expected::Within(..) | Expected::Higher | Expected::Lower => 3,
            // What raises or lowers the result says more.
            Expected::Plus(_) | Expected::Differs => 4,
            Expected::UnlessNegative(other) => other.weight() + 2,
        }
    }

    /// Its text in the relation language. `source` and `follow_up` are the texts of the two outputs.
    pub(super) fn text(&self, function: &Signature, source: &str, follow_up: &str, kind: Kind) -> String {
        let equal = if kind == Kind::Float { "~=" } else { "==" };
        match self {
            Expected::NotLower if kind == Kind::Bool => format!("{source} implies {follow_up}"),
            Expected::NotHigher if kind == Kind::Bool => format!("{follow_up} implies {source}"),
            Expected::Higher if kind == Kind::Bool => format!("{follow_up} and not {source}"),
            Expected::Lower if kind == Kind::Bool => format!("{source} and not {follow_up}"),
            Expected::Is(Value::Bool(wanted)) => format!("{}{follow_up}", if *wanted { "" } else { "not " }),
            Expected::Divides(parameters) => {
                let of = |parameter: &usize| {
                    format!("{} mod {follow_up} == 0", function.parameters[*parameter].name)
                };
                parameters.iter().map(of).collect::<Vec<_>>().join(" and ")
            }
            Expected::Within(low, high) => format!("{follow_up} >= {low} and {follow_up} <= {high}"),
            Expected::AtLeast(low) => format!("{follow_up} >= {low}"),
            Expected::AtMost(high) => format!("{follow_up} <= {high}"),
            Expected::MultipleOf(number) => format!("{follow_up} mod {number} == 0"),
            Expected::UnlessNegative(other) => {
                format!("{follow_up} < 0 or {}", other.text(function, source, follow_up, kind))
            }
            Expected::Twice => format!("{follow_up} {equal} 2*{source}"),
            Expected::Same => format!("{follow_up} {equal} {source}"),
            Expected::Differs if kind == Kind::Float => format!("not {follow_up} ~= {source}"),
            Expected::Differs => format!("{follow_up} != {source}"),
            Expected::NotLower => format!("{follow_up} >= {source}"),
            Expected::NotHigher => format!("{follow_up} <= {source}"),
            Expected::Higher => format!("{follow_up} > {source}"),
            Expected::Lower => format!("{follow_up} < {source}"),
            Expected::Is(value) => format!("{follow_up} {equal} {value}"),
            Expected::IsParameter(parameter) => {
                format!("{follow_up} {equal} {}", function.parameters[*parameter].name)
            }
            Expected::Plus(Value::Int(by)) if *by < 0 => {
                format!("{follow_up} == {source} - {}", by.unsigned_abs())
            }
            Expected::Plus(Value::Float(by)) if *by < 0.0 => {
                format!("{follow_up} ~= {source} - {}", Value::Float(-by))
            }
            Expected::Plus(by) => format!("{follow_up} {equal} {source} + {by}"),
        }
    }
}

/// Whether an output divides a parameter; false if the output is 0.
fn divides(output: &Value, parameter: &Value) -> bool {
    match (output, parameter) {
        (Value::Int(output), Value::Int(parameter)) => *output != 0 && parameter % output == 0,
        _ => false,
    }
}

/// The floats of a column; none if it holds something else.
fn floats(column: &Column) -> &[f64] {
    if let Column::Float(values) = column { values } else { &[] }
}

/// Whether two scalars are equal, as `==` and for floats `~=` compare them, where rounding may change a float by `rounding`.
fn is_near(a: &Value, b: &Value, rounding: f64) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => {
            a == b || (a - b).abs() <= rounding + RELATIVE * a.abs().max(b.abs())
        }
        _ => compare(a, b).is_some_and(|o| o.is_eq()),
    }
}
