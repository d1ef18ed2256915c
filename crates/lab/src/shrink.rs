//! From a violation to a small one: simpler source inputs, as long as they still violate.

use std::sync::atomic::{AtomicBool, Ordering};

use dodona_sources::shrink::candidates;
use dodona_subject::{Column, Value};

use crate::{LabError, LoadedRelation, SubjectCaller, Workbench};

/// Shrinking stops after so many steps; each is a real simplification, so few inputs need more than a hundred.
const MOST_STEPS: u64 = 2_000;

/// A source input that violates a relation.
#[derive(Clone, Debug)]
pub(crate) struct Shrunk {
    pub(crate) values: Vec<Value>,
    pub(crate) steps: u64,
}

/// Makes the source input of a violation simpler, one variable at a time, until no candidate violates.
///
/// The candidates of a variable are run together as a column; the first that violates is taken.
pub(crate) fn shrink(
    workbench: &Workbench,
    relation: &LoadedRelation,
    group: usize,
    values: Vec<Value>,
    caller: &mut SubjectCaller,
    interrupted: &AtomicBool,
) -> Result<Shrunk, LabError> {
    let mut shrunk = Shrunk { values, steps: 0 };
    let count = relation.relation.variables().len();
    let mut variable = 0;
    // How many variables in a row had no simpler value.
    let mut stuck = 0;
    while stuck < count && shrunk.steps < MOST_STEPS && !interrupted.load(Ordering::Relaxed) {
        match simpler(workbench, relation, group, &shrunk.values, variable, caller)? {
            Some(value) => {
                shrunk.values[variable] = value;
                shrunk.steps += 1;
                stuck = 0;
            }
            None => {
                stuck += 1;
                variable = (variable + 1) % count;
            }
        }
    }
    Ok(shrunk)
}

/// The first simpler value of one variable that still violates.
fn simpler(
    workbench: &Workbench,
    relation: &LoadedRelation,
    group: usize,
    values: &[Value],
    variable: usize,
    caller: &mut SubjectCaller,
) -> Result<Option<Value>, LabError> {
    let bound = &relation.relation.variables()[variable];
    let parameter = &workbench.manifest.functions[bound.function].parameters[bound.parameter];
    let candidates = candidates(parameter.ty, &parameter.domain, &values[variable]);
    if candidates.is_empty() {
        return Ok(None);
    }
    let columns: Vec<Column> = relation
        .relation
        .variables()
        .iter()
        .enumerate()
        .map(|(i, v)| {
            let ty = workbench.manifest.functions[v.function].parameters[v.parameter].ty;
            let mut column = Column::empty(ty);
            for candidate in &candidates {
                column.push(if i == variable { candidate } else { &values[i] });
            }
            column
        })
        .collect();
    let verdicts = relation.program.evaluate(group, &columns, caller)?;
    let first = verdicts.iter().position(|v| v.is_violation());
    Ok(first.map(|row| candidates[row].clone()))
}
