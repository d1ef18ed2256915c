//! Finds borders that are no constant of the code, by bisection: two neighbouring values of one parameter whose outputs have different
//! choices. Tables and sums have such borders. A relation that fails only there holds on nearly all random inputs.

use crate::identification::{Change, Frame, classify};
use dodona_relations::ast::Node;
use dodona_target::{Caller as _, Column, Kind, Number, Type, Value};
use dodona_workbench::{LabError, SubjectCaller, inputs::eligible};

use crate::framed::Framed;

/// How many pairs of inputs are bisected for each parameter. A border that lies between the inputs of one pair in a hundred is found in 19
/// of 20 runs.
const PAIRS: usize = 300;

/// How often the distance of two values is halved: enough to find neighbouring integers of 32 bits, and floats to nine digits of their
/// first distance.
const HALVINGS: usize = 32;

/// Inputs on both sides of the borders between output choices, and inputs that a change of the parameter leads to these.
///
/// # Errors
/// When the host fails.
pub(super) fn borders(
    framed: &Framed,
    changes: &[Change],
    given: &[Column],
    caller: &mut SubjectCaller,
) -> Result<Vec<Vec<Column>>, LabError> {
    let function = framed.declared();
    let rows = given.first().map_or(0, Column::len);
    let mut batches = Vec::new();
    for (parameter, declared) in function.parameters.iter().enumerate() {
        let Type::Scalar(scalar) = declared.ty else { continue };
        if scalar.kind() == Kind::Bool || rows < 2 {
            continue;
        }
        let wanted: Vec<u32> = (0..PAIRS.min(rows) as u32).collect();
        let others: Vec<u32> = wanted.iter().map(|row| (row * 7 + 1) % rows as u32).collect();
        let columns: Vec<Column> = given.iter().map(|column| column.select(&wanted)).collect();
        let ends = [columns[parameter].clone(), given[parameter].select(&others)];
        let mut bisection = Bisection { framed, columns, parameter, caller };
        let ends = bisection.ends(ends)?;
        batches.push(bisection.beside(&ends, &shifts(changes, parameter)));
    }
    Ok(eligible(function, batches.into_iter().filter(|columns| !columns[0].is_empty()).collect()))
}

struct Bisection<'a> {
    framed: &'a Framed,
    columns: Vec<Column>,
    parameter: usize,
    caller: &'a mut SubjectCaller,
}

impl Bisection<'_> {
    /// Halves the distance between the two ends of each row again and again. The low end keeps its output choices, and the high end keeps
    /// others. `None` for rows whose two ends have the same output choices from the start.
    fn ends(&mut self, [mut low, mut high]: [Column; 2]) -> Result<Vec<Option<[Value; 2]>>, LabError> {
        let at_low = self.outputs(&low)?;
        let at_high = self.outputs(&high)?;
        for _ in 0..HALVINGS {
            let middle = middle(&low, &high);
            for (row, found) in self.outputs(&middle)?.into_iter().enumerate() {
                let end = if found == at_low[row] { &mut low } else { &mut high };
                set(end, row, &middle);
            }
        }
        let of = |row: usize| (at_low[row] != at_high[row]).then(|| [low.value(row), high.value(row)]);
        Ok((0..low.len()).map(of).collect())
    }

    /// The output choices of each row, with these values of the parameter.
    fn outputs(&mut self, values: &Column) -> Result<Vec<Option<Frame>>, LabError> {
        let mut columns = self.columns.clone();
        columns[self.parameter] = values.clone();
        let calls = self.caller.call(self.framed.function, &columns)?;
        let specification = &self.framed.specification;
        let mut frames = classify(&specification.outputs, &calls.outputs, values.len()).frames;
        let returned = calls.outcomes.iter().map(|outcome| outcome.has_outputs());
        frames
            .iter_mut()
            .zip(returned)
            .filter(|(_, returned)| !returned)
            .for_each(|(frame, _)| *frame = None);
        Ok(frames)
    }

    /// Inputs made from the rows in which a border was found: the parameter lies on either side of the border, or where a shift leads
    /// there.
    fn beside(&self, ends: &[Option<[Value; 2]>], shifts: &[Number]) -> Vec<Column> {
        let parameters = &self.framed.declared().parameters;
        let declared = &parameters[self.parameter];
        let mut batch: Vec<Column> = parameters.iter().map(|p| Column::empty(p.ty)).collect();
        for (row, ends) in ends.iter().enumerate() {
            let Some(ends) = ends else { continue };
            let shifted = ends.iter().flat_map(|end| shifts.iter().filter_map(move |by| plus(end, *by)));
            for value in shifted.filter(|value| declared.domain.contains(declared.ty, value)) {
                for (place, column) in batch.iter_mut().enumerate() {
                    match place == self.parameter {
                        true => column.push(&value),
                        false => column.push(&self.columns[place].value(row)),
                    }
                }
            }
        }
        batch
    }
}

/// The middle of two numbers, row by row.
fn middle(low: &Column, high: &Column) -> Column {
    match (low, high) {
        (Column::Int(low), Column::Int(high)) => {
            Column::Int(low.iter().zip(high).map(|(a, b)| a + (b - a) / 2).collect())
        }
        (Column::Float(low), Column::Float(high)) => {
            Column::Float(low.iter().zip(high).map(|(a, b)| a / 2.0 + b / 2.0).collect())
        }
        (low, _) => low.clone(),
    }
}

/// Sets the value of a row to that of the same row in another column of the same type.
fn set(column: &mut Column, row: usize, from: &Column) {
    match (column, from) {
        (Column::Int(to), Column::Int(from)) => to[row] = from[row],
        (Column::Float(to), Column::Float(from)) => to[row] = from[row],
        _ => {}
    }
}

/// The sum of a number and a shift; `None` if the value is no number or the sum overflows.
pub(super) fn plus(value: &Value, by: Number) -> Option<Value> {
    match (value, by) {
        (Value::Int(i), Number::Int(by)) => i.checked_add(by).map(Value::Int),
        (Value::Int(i), Number::Float(by)) => i.checked_add(by as i128).map(Value::Int),
        (Value::Float(x), by) => Some(Value::Float(x + by.as_f64())),
        _ => None,
    }
}

/// The shift 0, and the shifts that undo the changes of a parameter: for `age + 3` this is -3, so that the change leads from the shifted
/// value to the border.
pub(super) fn shifts(changes: &[Change], parameter: usize) -> Vec<Number> {
    let mut shifts = vec![Number::Int(0)];
    for change in changes.iter().filter(|change| change.parameter == parameter) {
        let by = match (change.constant.as_ref().map(|constant| &constant.node), change.word) {
            (Some(Node::Int(i)), "plus") => Number::Int(-i),
            (Some(Node::Int(i)), "minus") => Number::Int(*i),
            (Some(Node::Float(x)), "plus") => Number::Float(-x),
            (Some(Node::Float(x)), "minus") => Number::Float(*x),
            _ => continue,
        };
        shifts.push(by);
    }
    shifts
}
