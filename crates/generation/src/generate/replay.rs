//! Every input is run on the real module: what it covers, and whether it does what was predicted.
//!
//! Each input along a path is run on the instrumented module, and its outcome, its branch decisions, the place of a trap and its outputs
//! are compared with the prediction. A difference is a bug in Dodona and ends the command with an error.
//! `crates/generation/tests/generate` does this for every shipped subject and for hard modules, `crates/selfcheck` for random ones.

use std::time::Duration;

use crate::paths::PathInput;
use dodona_records::Mismatch;
use dodona_subject::CodePoint;
use dodona_target::{Calls, Column, Outcome, Signature, Until, Value};
use dodona_workbench::{LabError, pool::is_asked_for};

use super::Made;
use crate::{InputCoverage, Instrumented};

/// What the runs showed.
pub(super) struct Replayed {
    pub coverage: Vec<InputCoverage>,
    pub mismatches: Vec<Mismatch>,
    /// Inputs that could not be held against their prediction, for they ran out of fuel or stack.
    pub stopped: u64,
}

/// Inputs that are run together, and lost together where there is no time for all of them.
const AT_ONCE: u32 = 16;

/// Inputs are run for so long at least: one that was found and not run is none.
const GRACE: Duration = Duration::from_millis(500);

/// Runs all inputs. Those that there is no time for are dropped.
pub(super) fn replay(
    instrumented: &Instrumented,
    function: &Signature,
    made: &mut Made,
    until: &Until,
) -> Result<Replayed, LabError> {
    let rows = made.columns.first().map_or(usize::from(function.parameters.is_empty()), Column::len) as u32;
    let mut replayed = Replayed { coverage: Vec::new(), mismatches: Vec::new(), stopped: 0 };
    let grace = Until::default().within(until.left().unwrap_or(Duration::MAX).max(GRACE));
    let grace = if until.is_interrupted() { Until::default().within(GRACE) } else { grace };
    let mut runner = instrumented.executable().runner().until(&grace);
    let at_once = instrumented.rows_at_once().min(AT_ONCE);
    for first in (0..rows).step_by(at_once as usize) {
        let chunk: Vec<u32> = (first..rows.min(first + at_once)).collect();
        let columns: Vec<Column> = made.columns.iter().map(|column| column.select(&chunk)).collect();
        let mut points = Vec::new();
        let ran = instrumented.run(&mut runner, &columns, &mut |input, row| {
            points.push(row.stopped);
            replayed.coverage.push(input.coverage(&row));
        });
        let calls = match ran {
            Err(error) if error.is_stopped() => {
                keep_first(made, first, rows);
                break;
            }
            ran => ran?,
        };
        for (row, input) in chunk.iter().enumerate() {
            if let Some(path) = made.paths.get(*input as usize) {
                compare(&mut replayed, *input as usize, path, &calls, row, points[row]);
            }
        }
    }
    Ok(replayed)
}

/// Drops the inputs that were not run.
fn keep_first(made: &mut Made, count: u32, all: u32) {
    let kept: Vec<u32> = (0..count).collect();
    made.columns.iter_mut().for_each(|column| *column = column.select(&kept));
    made.paths.truncate(count as usize);
    made.warnings
        .push(format!("{} inputs that were found are left out: there was no time to run them", all - count));
}

fn compare(
    replayed: &mut Replayed,
    input: usize,
    path: &PathInput,
    calls: &Calls,
    row: usize,
    at: Option<CodePoint>,
) {
    let seen = &replayed.coverage[input];
    let Some(predicted) = path.outcome else {
        replayed.mismatches.extend(unended(seen, path).map(|what| Mismatch { input: input as u64, what }));
        return;
    };
    if matches!(seen.outcome, Outcome::OutOfFuel) {
        replayed.stopped += 1;
        return;
    }
    let what = if is_asked_for("prediction") {
        Some("asked for by DODONA_FAULT".to_owned())
    } else if seen.outcome != predicted {
        Some(format!("predicted that it {predicted}, and it {}", seen.outcome))
    } else if seen.path != path.path {
        Some(format!("predicted the path {}, and it took {}", hash(path.path), hash(seen.path)))
    } else if path.at.is_some() && at.is_some() && path.at != at {
        Some(format!("predicted a trap at {:?}, and it trapped at {at:?}", path.at))
    } else {
        path.outputs.as_ref().and_then(|predicted| outputs(predicted, calls, row))
    };
    replayed.mismatches.extend(what.map(|what| Mismatch { input: input as u64, what }));
}

/// Of a path that was left before its end only the beginning is predicted, so that what ended by itself was at least as long.
fn unended(seen: &InputCoverage, path: &PathInput) -> Option<String> {
    let by_itself = seen.outcome.has_outputs() || matches!(seen.outcome, Outcome::Malformed(_));
    let is_short = by_itself && seen.path.length < path.path.length;
    is_short.then(|| {
        format!("predicted a path of more than {}, and it took {}", hash(path.path), hash(seen.path))
    })
}

fn hash(path: dodona_subject::PathId) -> String {
    format!("{:016x} of {} decisions", path.hash, path.length)
}

fn outputs(predicted: &[Value], calls: &Calls, row: usize) -> Option<String> {
    let seen: Vec<Value> = calls.outputs.iter().map(|column| column.value(row)).collect();
    // As text, so that the sign of zero counts.
    let words = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
    let (predicted, seen) = (words(predicted), words(&seen));
    (predicted != seen).then(|| format!("predicted the outputs {predicted}, and they are {seen}"))
}
