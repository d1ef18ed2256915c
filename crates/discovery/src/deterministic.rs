//! Checks whether a function always has the same result for the same input.

use std::time::{Duration, Instant};

use dodona_mutation::HostError;
use dodona_target::{CallError, Calls, Column, Signature, Until};

use crate::tuning::FIRST_REPEATED;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

/// The calls of the original on some inputs.
pub(crate) struct RepeatedCalls {
    /// The calls on the first inputs, as many as there was time for.
    pub(crate) calls: Calls,
    /// The fuel of each call.
    pub(crate) fuel: Vec<u64>,
    /// How long a call took on average, by the clock.
    pub(crate) call_time: Duration,
    /// Whether there was too little time to run all inputs, or to run all of them twice.
    pub(crate) is_cut: bool,
}

/// Runs the original twice on these inputs, given by one column for each parameter. The second run uses fresh instances and the
/// reverse order. The first run gets half of the time; inputs for which there is no time are left out.
///
/// # Errors
/// When an input has another outcome or output the second time, when no input gives outputs, when there is no time for a single
/// input, or when the host fails.
pub(crate) fn run_twice(
    workbench: &Workbench,
    function: usize,
    columns: &[Column],
    until: &Until,
) -> Result<RepeatedCalls, LabError> {
    let declared = &workbench.functions()[function];
    let all: Vec<u32> = (0..columns.first().map_or(1, Column::len) as u32).collect();
    let first = run(workbench, function, columns, &all, &until.share(2))?;
    let back: Vec<u32> = (0..first.calls.outcomes.len() as u32).rev().collect();
    let second = run(workbench, function, columns, &back, until)?;
    let calls = judge(declared, columns, first.calls, &second.calls)?;
    let is_cut = first.is_cut || second.is_cut;
    Ok(RepeatedCalls { calls, fuel: first.fuel, call_time: first.call_time, is_cut })
}

/// Runs rows in this order: at least the first slice, and as many as there is time for.
fn run(
    workbench: &Workbench,
    function: usize,
    columns: &[Column],
    mut rows: &[u32],
    until: &Until,
) -> Result<RepeatedCalls, LabError> {
    let outputs = &workbench.functions()[function].outputs;
    let blank =
        Calls { outcomes: Vec::new(), outputs: outputs.iter().map(|o| Column::empty(o.ty)).collect() };
    let mut ran = RepeatedCalls { calls: blank, fuel: Vec::new(), call_time: Duration::ZERO, is_cut: false };
    let started = Instant::now();
    let mut runner = workbench.target.executable.runner().until(until);
    let mut size = FIRST_REPEATED;
    while !rows.is_empty() && !ran.is_cut {
        let slice;
        (slice, rows) = rows.split_at(size.min(rows.len()));
        size *= 4;
        let some: Vec<Column> = columns.iter().map(|column| column.select(slice)).collect();
        match runner.call(function, &some) {
            Ok(calls) => {
                append(&mut ran.calls, &calls);
                ran.fuel.extend(runner.fuel_used());
            }
            Err(HostError::Stopped) if !ran.fuel.is_empty() => ran.is_cut = true,
            Err(error) => return Err(CallError::from(error).into()),
        }
    }
    ran.call_time = started.elapsed() / (ran.fuel.len() as u32).max(1);
    Ok(ran)
}

/// Appends calls to others.
pub(super) fn append(to: &mut Calls, more: &Calls) {
    to.outcomes.extend(&more.outcomes);
    append_columns(&mut to.outputs, &more.outputs);
}

/// Appends rows to others.
pub(super) fn append_columns(to: &mut [Column], more: &[Column]) {
    for (to, from) in to.iter_mut().zip(more) {
        (0..from.len()).for_each(|row| to.push(&from.value(row)));
    }
}

/// The first calls, if the second calls agree with them and some of them have outputs. The second calls are in reverse order and
/// may be fewer.
fn judge(function: &Signature, columns: &[Column], first: Calls, second: &Calls) -> Result<Calls, LabError> {
    let rows = first.outcomes.len();
    for row in rows - second.outcomes.len()..rows {
        let other = rows - 1 - row;
        if !first.same(row, second, other) {
            return Err(LabError::NotDeterministic {
                call: function.called_with(columns, row),
                first: first.told(row),
                second: second.told(other),
            });
        }
    }
    match first.outcomes.iter().any(|outcome| outcome.has_outputs()) {
        true => Ok(first),
        false => Err(LabError::NeverReturns {
            inputs: rows as u64,
            example: function.called_with(columns, 0),
            outcome: first.outcomes[0],
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dodona_subject::Manifest;
    use dodona_target::{Outcome, Trap};

    use super::*;

    fn calls(outcomes: [Outcome; 2], outputs: [f64; 2]) -> Calls {
        Calls { outcomes: outcomes.to_vec(), outputs: vec![Column::Float(outputs.to_vec())] }
    }

    fn judged(first: Calls, second: Calls) -> Result<Calls, String> {
        let text = "module = \"m.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> f64\"\n";
        let manifest = Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest");
        judge(&manifest.functions[0], &[Column::Int(vec![7, 8])], first, &second).map_err(|e| e.to_string())
    }

    const RETURNED: [Outcome; 2] = [Outcome::Returned; 2];

    #[test]
    fn the_same_the_other_way_round_is_deterministic() {
        assert!(judged(calls(RETURNED, [1.0, f64::NAN]), calls(RETURNED, [f64::NAN, 1.0])).is_ok());
        let trap = Outcome::Trapped(Trap::Unreachable);
        let [first, second] = [[trap, RETURNED[0]], [RETURNED[0], trap]];
        assert!(judged(calls(first, [0.0, 1.0]), calls(second, [1.0, 5.0])).is_ok(), "no output of a trap");
    }

    #[test]
    fn two_outputs_for_one_input_are_told() {
        let told = judged(calls(RETURNED, [1.0, 2.0]), calls(RETURNED, [2.5, 1.0])).expect_err("refused");
        assert!(told.starts_with("f(8) is not deterministic: it gave 2.0, and called again 2.5;"), "{told}");
        let trap = Outcome::Trapped(Trap::Unreachable);
        let told =
            judged(calls(RETURNED, [1.0, 2.0]), calls([RETURNED[0], trap], [2.0, 0.0])).expect_err("refused");
        assert!(
            told.starts_with("f(7) is not deterministic: it gave 1.0, and called again trapped: unreachable"),
            "{told}"
        );
    }
}
