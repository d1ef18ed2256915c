//! Whether a function gives the same for the same input, call after call.

use dodona_relations::CallError;
use dodona_subject::{Calls, Column, Function, Outcome};

use crate::{LabError, Workbench};

/// What the original gives for these inputs, a column a parameter: run twice, the second time in fresh instances and the other way
/// round.
///
/// # Errors
/// When some input gives another outcome or output the second time, when no input gives outputs, or the host fails.
pub(crate) fn run_twice(
    workbench: &Workbench,
    function: usize,
    columns: &[Column],
) -> Result<Calls, LabError> {
    let rows = columns.first().map_or(1, Column::len);
    let declared = &workbench.manifest.functions[function];
    let first = workbench.executable.runner().call(function, columns).map_err(CallError::new)?;
    let back: Vec<u32> = (0..rows as u32).rev().collect();
    let reversed: Vec<Column> = columns.iter().map(|column| column.select(&back)).collect();
    let second = workbench.executable.runner().call(function, &reversed).map_err(CallError::new)?;
    for row in 0..rows {
        if !same(&first, row, &second, rows - 1 - row) {
            return Err(LabError::NotDeterministic {
                call: call(declared, columns, row),
                first: told(&first, row),
                second: told(&second, rows - 1 - row),
            });
        }
    }
    match first.outcomes.iter().any(|outcome| outcome.has_outputs()) {
        true => Ok(first),
        false => Err(LabError::NeverReturns {
            inputs: rows as u64,
            example: call(declared, columns, 0),
            outcome: first.outcomes[0],
        }),
    }
}

/// Whether two rows of calls ended alike, with the same outputs as `==` has it.
pub(crate) fn same(a: &Calls, row: usize, b: &Calls, other: usize) -> bool {
    let outputs = || a.outputs.iter().zip(&b.outputs).all(|(a, b)| a.same(row, b, other));
    a.outcomes[row] == b.outcomes[other] && (!a.outcomes[row].has_outputs() || outputs())
}

fn call(function: &Function, columns: &[Column], row: usize) -> String {
    let values: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
    format!("{}({})", function.name, values.join(", "))
}

fn told(calls: &Calls, row: usize) -> String {
    match calls.outcomes[row] {
        Outcome::Returned | Outcome::Exited(_) => {
            let values = calls.outputs.iter().map(|column| column.value(row).to_string());
            values.collect::<Vec<_>>().join(", ")
        }
        stopped => stopped.to_string(),
    }
}
