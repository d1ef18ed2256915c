//! Inputs at the borders between choices. A relation that fails only where a change crosses a border is true of nearly all random inputs, so
//! that these would pass it.

use dodona_generation::constants;
use dodona_identification::Change;
use dodona_subject::{Column, Function, Kind, Value, splitmix64};
use dodona_workbench::inputs::eligible;

use super::bisect::shifts;
use crate::framed::Framed;

/// Constants of one parameter that inputs are put beside. The code of most functions has fewer; of the others these are the most frequent.
const MOST_CONSTANTS: usize = 40;

/// Inputs at each border of which other parameters lie at constants as well.
const MIXED: usize = 60;

/// Values of one parameter.
const MOST_VALUES: usize = 400;

/// How far beside a constant a float lies, as a share of it: far enough to survive the rounding of a sum.
const BESIDE: f64 = 1e-9;

/// Inputs of which one parameter lies at a constant of the choices or of the code, beside it, or there after one of the changes; the other
/// parameters are those of some given inputs, so many for each value.
pub(super) fn borders(
    framed: &Framed,
    changes: &[Change],
    given: &[Column],
    each: usize,
) -> Vec<Vec<Column>> {
    let function = framed.declared();
    let of_code = constants(&framed.workbench, framed.function);
    let of_code: Vec<f64> =
        of_code.iter().take(MOST_CONSTANTS).filter_map(|(value, _)| number(value)).collect();
    let rows = given.first().map_or(0, Column::len);
    let marks: Vec<Vec<Value>> = (0..function.parameters.len()).map(|place| marks(framed, place)).collect();
    let mut batches = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        let Some(kind) = parameter.ty.scalar().map(|scalar| scalar.kind()) else { continue };
        let is_scalar = matches!(parameter.ty, dodona_subject::Type::Scalar(_));
        if !is_scalar || kind == Kind::Bool || rows == 0 {
            continue;
        }
        let values = values(framed, changes, index, kind, &of_code);
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
                        // Some of the others lie at their own constants, for what fails where two borders meet.
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

/// The constants that choices compare a number with.
fn marks(framed: &Framed, index: usize) -> Vec<Value> {
    let parameter = &framed.declared().parameters[index];
    let dodona_subject::Type::Scalar(scalar) = parameter.ty else { return Vec::new() };
    let typed = |x: f64| match scalar.kind() {
        Kind::Float => Some(Value::Float(x)),
        Kind::Int => Some(Value::Int(x as i128)),
        Kind::Bool => None,
    };
    let numbers = framed.specification.numbers_of(&parameter.name).into_iter().filter_map(typed);
    numbers.filter(|value| parameter.domain.contains(parameter.ty, value)).collect()
}

fn within(function: &Function, batches: Vec<Vec<Column>>) -> Vec<Vec<Column>> {
    eligible(function, batches.into_iter().filter(|columns| !columns[0].is_empty()).collect())
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

/// The values of one parameter.
fn values(framed: &Framed, changes: &[Change], index: usize, kind: Kind, of_code: &[f64]) -> Vec<Value> {
    let parameter = &framed.declared().parameters[index];
    let shifts = shifts(changes, index);
    let mut marks = framed.specification.numbers_of(&parameter.name);
    marks.extend(of_code.iter().flat_map(|x| [*x, -x]));
    let mut values: Vec<f64> = Vec::new();
    for mark in marks {
        let beside = if kind == Kind::Float { (mark.abs() * BESIDE).max(f64::MIN_POSITIVE) } else { 1.0 };
        let around = [mark, mark - beside, mark + beside];
        values.extend(shifts.iter().flat_map(|shift| around.map(|value| value + shift)));
    }
    values.sort_by(f64::total_cmp);
    values.dedup();
    let is_inside = |value: &Value| parameter.domain.contains(parameter.ty, value);
    let typed = |x: f64| match kind {
        Kind::Float => Value::Float(x),
        _ => Value::Int(x as i128),
    };
    values.into_iter().map(typed).filter(is_inside).take(MOST_VALUES).collect()
}
