//! Records the calls of a vocabulary on random values of its variables.

use dodona_inference::laws::{Atom, Call, Calls, Constant, Recorded, Vocabulary};
use dodona_sources::Seed;
use dodona_target::{Caller as _, Column, Outcome, Until};
use dodona_workbench::{LabError, SubjectCaller, Workbench, inputs::eligible_rows};

use super::law_tuning::ROWS_OF_NUMBERS;
use super::numbers::LawNumber;
use super::together::Together;

/// Runs all calls on the same random values. `None` if the time was up.
///
/// # Errors
/// When the host fails.
pub(super) fn record<N: LawNumber>(
    workbench: &Workbench,
    group: &Together,
    vocabulary: &Vocabulary,
    calls: &Calls,
    seed: Seed,
    until: &Until,
) -> Result<Option<Recorded<N>>, LabError> {
    let draw = |variable: u64| N::draw(group.window, ROWS_OF_NUMBERS, seed, variable);
    let variables: Vec<Vec<N>> = (0..vocabulary.variables.len() as u64).map(draw).collect();
    let mut recorded: Recorded<N> = Recorded { variables, calls: Vec::new() };
    let mut caller = workbench.caller().until(until);
    for (_, call) in calls.iter() {
        match outputs(workbench, group, call, &vocabulary.constants, &recorded, &mut caller) {
            Ok(outputs) => recorded.calls.push(outputs),
            Err(error) if error.is_stopped() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(recorded))
}

/// The outputs of one call in all rows.
fn outputs<N: LawNumber>(
    workbench: &Workbench,
    group: &Together,
    call: &Call,
    constants: &[Constant],
    recorded: &Recorded<N>,
    caller: &mut SubjectCaller,
) -> Result<Vec<Option<N>>, LabError> {
    let index = group.functions[call.function];
    let function = &workbench.functions()[index];
    let argument = |row: usize| {
        let atom = |atom: Atom| match atom {
            Atom::Constant(constant) => N::constant(constants[usize::from(constant)].value),
            Atom::Variable(v) => Some(recorded.variables[usize::from(v)][row]),
            Atom::Absolute(v) => Some(recorded.variables[usize::from(v)][row].absolute()),
            Atom::Parity(_) => None, // no call has one as its argument
            Atom::Call(id) => recorded.calls[id.index()][row],
        };
        call.arguments.iter().map(|argument| N::evaluate(argument, atom)).collect::<Option<Vec<N>>>()
    };
    let (rows, arguments): (Vec<usize>, Vec<Vec<N>>) =
        (0..ROWS_OF_NUMBERS).filter_map(|row| argument(row).map(|arguments| (row, arguments))).unzip();
    let column = |place: usize| N::column(arguments.iter().map(|arguments| arguments[place]).collect());
    let columns: Vec<Column> = (0..call.arguments.len()).map(column).collect();
    let eligible = eligible_rows(function, &columns);
    let columns: Vec<Column> = columns.iter().map(|column| column.select(&eligible)).collect();
    let mut outputs = vec![None; ROWS_OF_NUMBERS];
    let ran = caller.call(index, &columns)?;
    for (place, &row) in eligible.iter().enumerate() {
        if let (Outcome::Returned, Some(output)) = (ran.outcomes[place], ran.outputs.first()) {
            outputs[rows[row as usize]] = N::of(&output.value(place));
        }
    }
    Ok(outputs)
}
