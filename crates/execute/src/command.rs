//! Calls of commands: a process a row, always in a fresh instance.

use dodona_subject::{Calls, CodePoint, Column, Lowering, Outcome, Value};

use crate::instance::Instance;
use crate::outcomes::stop;
use crate::rows::push_without_outputs;
use crate::shared::{Prepared, Shared};
use crate::wasi::Process;
use crate::{Choice, HostError, Until};

/// The rows of a command.
pub(crate) struct Commands<'a> {
    pub shared: &'a Shared,
    pub prepared: &'a Prepared,
    pub arguments: &'a [Column],
    pub choice: Choice,
    /// When to give up.
    pub until: &'a Until,
}

/// How a command ended.
pub(crate) struct Done {
    /// Fuel used.
    pub fuel: u64,
    /// Where it trapped.
    pub at: Option<CodePoint>,
    pub instance: Instance,
}

/// Runs one row with so much fuel, and pushes its outcome and outputs.
pub(crate) fn run(
    commands: &Commands<'_>,
    row: usize,
    limit: u64,
    calls: &mut Calls,
) -> Result<Done, HostError> {
    let Commands { shared, prepared, arguments, choice, until } = *commands;
    let process = process(prepared, arguments, row);
    let mut instance = Instance::with_process(&shared.compiled, process)
        .map_err(|message| HostError::Instance { message })?;
    instance.choose(shared, choice);
    instance.limit_fuel(shared, limit);
    let ended = instance.start(shared, prepared, until);
    let left = instance.fuel_left(shared);
    let fuel = limit.saturating_sub(left.max(0) as u64);
    let (outcome, at) = match ended {
        Ok(()) => (Outcome::Exited(0), None),
        Err(error) => {
            let stop = stop(&error, left, &shared.compiled.locations)?;
            (stop.outcome, stop.at)
        }
    };
    let Outcome::Exited(code) = outcome else {
        push_without_outputs(calls, outcome);
        return Ok(Done { fuel, at, instance });
    };
    calls.outcomes.push(outcome);
    push_outputs(&mut calls.outputs, instance.process(), code);
    Ok(Done { fuel, at: None, instance })
}

fn push_outputs(outputs: &mut [Column], process: &Process, code: i32) {
    let [stdout, stderr, exit] = outputs else { return };
    if let (Column::Text(stdout), Column::Text(stderr), Column::Int(exit)) = (stdout, stderr, exit) {
        stdout.push(process.stdout());
        stderr.push(process.stderr());
        exit.push(code.into());
    }
}

fn process(prepared: &Prepared, arguments: &[Column], row: usize) -> Process {
    let mut process = Process::new(prepared.function.name.as_bytes());
    for (parameter, column) in prepared.function.parameters.iter().zip(arguments) {
        match &parameter.lowering {
            Lowering::Stdin => process.set_stdin(text(column, row)),
            Lowering::File(name) => process.add_file(name, text(column, row)),
            _ => process.add_word(text(column, row)),
        }
    }
    process
}

/// A value as the bytes that a process sees: text as it is, anything else as it is written.
fn text(column: &Column, row: usize) -> Vec<u8> {
    match column {
        Column::Text(rows) => rows.row(row).to_vec(),
        other => match other.value(row) {
            Value::Text(text) => text.into(),
            value => value.to_string().into_bytes(),
        },
    }
}
