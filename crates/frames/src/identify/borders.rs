//! Makes inputs at the borders between choices. A relation that fails only where a change crosses a border holds on nearly all random
//! inputs, so these would not refute it.
//!
//! That one more unit of sales changes nothing is true of nearly all random inputs. So inputs are made at the constants of choices and
//! code, beside them, and where a change crosses them. An input that refutes a relation becomes a sample, and relations are proposed
//! again.

use std::collections::HashSet;

use crate::identification::Change;
use dodona_generation::constants;
use dodona_target::{Column, Kind, Number, NumberRange, Scalar, Signature, Type, Value, splitmix64};
use dodona_workbench::inputs::eligible;

use super::bisect::{plus, shifts};
use crate::framed::Framed;

/// The most constants of the code beside which inputs are put, the most frequent first. The code of most functions has fewer.
const MOST_CONSTANTS: usize = 40;

/// How many further inputs are made for each value at a border, in which other parameters may lie at constants as well.
const MIXED: usize = 60;

/// The most values of one parameter.
const MOST_VALUES: usize = 400;

/// How far beside a constant a float lies, as a share of the constant. A smaller distance could be lost when a sum is rounded.
const BESIDE: f64 = 1e-9;

/// The same for floats of 32 bits.
const BESIDE_SINGLE: f64 = 1e-6;

/// Inputs in which one parameter lies at a constant of the choices or of the code, at one that its comparisons are known to have (`compared`), just beside it, or
/// where one of the changes leads to such a value. The other parameters are taken from the inputs `given`, for `each` inputs for each value; [`MIXED`] further inputs have
/// constants there too.
pub(super) fn borders(
    framed: &Framed,
    changes: &[Change],
    given: &[Column],
    (compared, each): (&[Value], usize),
) -> Vec<Vec<Column>> {
    let function = framed.declared();
    let of_code = framed.module().map_or_else(Vec::new, |module| constants(&module, framed.function));
    let of_code = of_code.iter().map(|(value, _)| value).take(MOST_CONSTANTS);
    let compared = compared.iter().take(MOST_CONSTANTS);
    let of_code: Vec<Number> = of_code.chain(compared).flat_map(both_signs).collect();
    let rows = given.first().map_or(0, Column::len);
    let marks: Vec<Vec<Value>> = (0..function.parameters.len()).map(|place| marks(framed, place)).collect();
    let mut batches = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        let Type::Scalar(scalar) = parameter.ty else { continue };
        if scalar == Scalar::Bool || rows == 0 {
            continue;
        }
        let values = values(framed, changes, (index, scalar), &of_code);
        let mut columns: Vec<Column> = function.parameters.iter().map(|p| Column::empty(p.ty)).collect();
        for (turn, value) in values.iter().enumerate() {
            for i in 0..each + MIXED {
                let number = turn * (each + MIXED) + i;
                let row = number % rows;
                for (place, column) in columns.iter_mut().enumerate() {
                    let draw = splitmix64((number * given.len() + place) as u64) as usize;
                    let own = &marks[place];
                    match place == index {
                        true => column.push(value),
                        // Some of the other parameters lie at their own constants, because some relations fail only where two borders meet.
                        false if i >= each && draw.is_multiple_of(2) && !own.is_empty() => {
                            column.push(&own[draw / 2 % own.len()]);
                        }
                        false => column.push(&given[place].value(row)),
                    }
                }
            }
        }
        batches.push(columns);
    }
    within(function, batches)
}

/// The constants in the choices of a parameter, and the extremes of its type and domain. Extremes are needed because, where two borders
/// meet, one of them is often 0, infinity or the greatest number.
fn marks(framed: &Framed, index: usize) -> Vec<Value> {
    let parameter = &framed.declared().parameters[index];
    let Type::Scalar(scalar) = parameter.ty else { return Vec::new() };
    let numbers = framed.specification.numbers_of(&parameter.name);
    let mut marks: Vec<Value> = numbers.into_iter().filter_map(|number| typed(number, scalar)).collect();
    marks.extend(extremes(scalar, &parameter.domain.numbers.ranges));
    marks.retain(|value| parameter.domain.contains(parameter.ty, value));
    marks
}

/// 0, 1, -1, the ends of the type and of the ranges of the domain, and for floats also infinity and NaN.
fn extremes(scalar: Scalar, ranges: &[NumberRange]) -> Vec<Value> {
    let mut numbers = vec![Number::Int(0), Number::Int(1), Number::Int(-1)];
    match scalar.integer_range() {
        Some((low, high)) => numbers.extend([low, high].map(Number::Int)),
        None => {
            let most = if scalar == Scalar::F32 { f64::from(f32::MAX) } else { f64::MAX };
            numbers.extend([most, -most, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(Number::Float));
        }
    }
    numbers.extend(ranges.iter().flat_map(|range| [range.low, range.high]));
    numbers.into_iter().filter_map(|number| typed(number, scalar)).collect()
}

fn within(function: &Signature, batches: Vec<Vec<Column>>) -> Vec<Vec<Column>> {
    eligible(function, batches.into_iter().filter(|columns| !columns[0].is_empty()).collect())
}

/// A number as a value of a type. For an integer type, the fraction of a float is cut off.
fn typed(number: Number, scalar: Scalar) -> Option<Value> {
    match (scalar.kind(), number) {
        (Kind::Float, number) => Some(Value::Float(number.as_f64())),
        (Kind::Int, Number::Int(i)) => Some(Value::Int(i)),
        (Kind::Int, Number::Float(x)) => Some(Value::Int(x as i128)),
        (Kind::Bool, _) => None,
    }
}

/// A constant of the code, and its negative.
fn both_signs(value: &Value) -> Vec<Number> {
    match value {
        Value::Int(i) => vec![Number::Int(*i), Number::Int(-i)],
        Value::Float(x) => vec![Number::Float(*x), Number::Float(-x)],
        _ => Vec::new(),
    }
}

/// The values of one parameter: its marks and the constants of the code, the values beside these, and the values that a change leads to one
/// of them. The marks come first, because only [`MOST_VALUES`] are kept.
fn values(
    framed: &Framed,
    changes: &[Change],
    (index, scalar): (usize, Scalar),
    of_code: &[Number],
) -> Vec<Value> {
    let parameter = &framed.declared().parameters[index];
    let shifts = shifts(changes, index);
    let is_doubled = changes.iter().any(|change| change.parameter == index && change.word == "times");
    let mut marks = marks(framed, index);
    marks.extend(of_code.iter().filter_map(|number| typed(*number, scalar)));
    let mut seen = HashSet::new();
    let mut values = Vec::new();
    for value in marks.iter().flat_map(|mark| around(mark, scalar)) {
        let shifted = shifts.iter().filter_map(|by| plus(&value, *by));
        let halved = is_doubled.then(|| half(&value)).flatten();
        let inside = shifted.chain(halved).filter(|value| parameter.domain.contains(parameter.ty, value));
        values.extend(inside.filter(|value| seen.insert(key(value))));
    }
    values.truncate(MOST_VALUES);
    values
}

/// A number, and the numbers just below and above it.
fn around(mark: &Value, scalar: Scalar) -> Vec<Value> {
    match mark {
        Value::Int(i) => [*i, i.saturating_sub(1), i.saturating_add(1)].map(Value::Int).to_vec(),
        Value::Float(x) => {
            let share = if scalar == Scalar::F32 { BESIDE_SINGLE } else { BESIDE };
            let by = (x.abs() * share).max(f64::MIN_POSITIVE);
            [*x, x - by, x + by].map(Value::Float).to_vec()
        }
        _ => Vec::new(),
    }
}

/// The number that gives this one when it is doubled, rounded for odd integers.
pub(super) fn half(value: &Value) -> Option<Value> {
    match value {
        Value::Int(i) => Some(Value::Int(i / 2)),
        Value::Float(x) => Some(Value::Float(x / 2.0)),
        _ => None,
    }
}

/// A key by which numbers of one type are told apart.
fn key(value: &Value) -> Option<i128> {
    match value {
        Value::Int(i) => Some(*i),
        Value::Float(x) => Some(x.to_bits().into()),
        _ => None,
    }
}
