//! Inputs at the borders of the comparisons in the code, which need not be constants of the code or of the choices: a relation that fails only
//! where `km` is 4321 and `kg` is 37 holds on all inputs in which one of the two lies at its constant.

use std::collections::HashSet;

use crate::identification::Change;
use dodona_generation::{Bounds, ComparisonBorders, SearchOptions, comparison_borders};
use dodona_target::{Column, Number, Until, Value};
use dodona_workbench::inputs::{columns, eligible};

use super::bisect::{plus, shifts};
use super::borders::half;
use crate::framed::Framed;

/// Paths and questions to the solver. Of functions with some twenty comparisons they see all; more of them cost time that the judgement of relations needs.
const PATHS: u64 = 300;
const QUESTIONS: u64 = 600;

/// The most inputs. A border of two parameters, each with ten changes, has a hundred.
const MOST_INPUTS: usize = 60_000;

/// How many other values a parameter of a border is given. A solver chooses the parameters that a comparison does not speak of, and a relation may hold
/// under a condition on these alone. Ten times as many take as long as everything else together.
const ELSEWHERE: usize = 8;

/// The borders of the comparisons in the code of a function.
pub(super) fn comparisons(framed: &Framed, search: &SearchOptions, until: &Until) -> ComparisonBorders {
    let bounds = Bounds { paths: PATHS, queries: QUESTIONS, ..search.bounds };
    let search = SearchOptions { bounds, ..search.clone() };
    let Some(module) = framed.module() else { return ComparisonBorders::default() };
    comparison_borders(&module, framed.function, &search, until)
}

/// Inputs at the borders of comparisons, and inputs that one change, or changes of two parameters at once, lead there. Parameters that changes set to
/// constants are taken from the inputs `given` as well.
pub(super) fn compared(
    framed: &Framed,
    changes: &[Change],
    given: &[Column],
    found: &ComparisonBorders,
) -> Vec<Vec<Column>> {
    let function = framed.declared();
    let leading: Vec<Leading> =
        (0..function.parameters.len()).map(|index| Leading::of(changes, index)).collect();
    let (mut seen, mut inputs) = (HashSet::new(), Vec::new());
    for (turn, border) in elsewhere(&found.inputs, given) {
        let mut add = |input: Vec<Value>| {
            if inputs.len() < MOST_INPUTS / 2 && seen.insert(format!("{input:?}")) {
                inputs.push(input);
            }
        };
        for (index, own) in leading.iter().enumerate() {
            own.values(&border[index], &given[index], turn)
                .iter()
                .for_each(|first| add(with(&border, &[(index, first)])));
        }
        add(border);
    }
    for (turn, border) in found.inputs.iter().enumerate() {
        let mut add = |input: Vec<Value>| {
            if inputs.len() < MOST_INPUTS && seen.insert(format!("{input:?}")) {
                inputs.push(input);
            }
        };
        add(border.clone());
        for (index, own) in leading.iter().enumerate() {
            let firsts = own.values(&border[index], &given[index], turn);
            for first in &firsts {
                add(with(border, &[(index, first)]));
            }
            for (other, others) in leading.iter().enumerate().skip(index + 1) {
                for second in others.values(&border[other], &given[other], turn) {
                    firsts.iter().for_each(|first| add(with(border, &[(index, first), (other, &second)])));
                }
            }
        }
    }
    let all = columns(function, inputs.iter().map(Vec::as_slice));
    if inputs.is_empty() { Vec::new() } else { eligible(function, vec![all]) }
}

/// Borders with the value of one parameter taken from other inputs, each with a number of its own.
fn elsewhere(borders: &[Vec<Value>], given: &[Column]) -> Vec<(usize, Vec<Value>)> {
    let mut all = Vec::new();
    for border in borders {
        for (index, column) in given.iter().enumerate().filter(|(_, column)| !column.is_empty()) {
            for _ in 0..ELSEWHERE {
                // A step that divides few lengths, so that all values take part.
                let row = all.len() * 7919 % column.len();
                all.push((all.len(), with(border, &[(index, &column.value(row))])));
            }
        }
    }
    all
}

/// What leads a parameter to a value: the changes of one parameter, undone.
struct Leading {
    shifts: Vec<Number>,
    is_doubled: bool,
    is_negated: bool,
    is_set: bool,
}

impl Leading {
    fn of(changes: &[Change], parameter: usize) -> Leading {
        let has = |words: &[&str]| {
            changes.iter().any(|change| change.parameter == parameter && words.contains(&change.word))
        };
        let mut shifts = shifts(changes, parameter);
        shifts.retain(|by| *by != Number::Int(0));
        Leading {
            shifts,
            is_doubled: has(&["times"]),
            is_negated: has(&["negated", "not"]),
            is_set: has(&["set"]),
        }
    }

    /// The values that a change leads to this one; a change that sets the parameter leads every value there.
    fn values(&self, value: &Value, given: &Column, turn: usize) -> Vec<Value> {
        let mut values: Vec<Value> = self.shifts.iter().filter_map(|by| plus(value, *by)).collect();
        values.extend(self.is_doubled.then(|| half(value)).flatten());
        values.extend(self.is_negated.then(|| negated(value)).flatten());
        if self.is_set && !given.is_empty() {
            values.push(given.value(turn % given.len()));
        }
        values
    }
}

fn with(input: &[Value], changed: &[(usize, &Value)]) -> Vec<Value> {
    let mut input = input.to_vec();
    changed.iter().for_each(|(index, value)| input[*index] = (*value).clone());
    input
}

fn negated(value: &Value) -> Option<Value> {
    match value {
        Value::Int(i) => i.checked_neg().map(Value::Int),
        Value::Float(x) => Some(Value::Float(-x)),
        Value::Bool(b) => Some(Value::Bool(!b)),
        _ => None,
    }
}
