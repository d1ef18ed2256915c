//! Calls of commands: a process a row, always in a fresh instance.

use dodona_subject::Lowering;
use dodona_target::{Calls, Column, Outcome, Value};

use crate::execute::instance::Instance;
use crate::execute::outcomes::{Stop, stop};
use crate::execute::rows::push_without_outputs;
use crate::execute::shared::{Prepared, Shared};
use crate::execute::start::Unmade;
use crate::execute::wasi::Process;
use crate::execute::{Choice, HostError};
use dodona_target::Until;

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
    /// How it stopped, if it did not exit.
    pub stop: Option<Stop>,
    /// None if it stopped before it began: where the start function did not return.
    pub instance: Option<Instance>,
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
    let mut instance = match Instance::with_process(&shared.compiled, process) {
        Ok(instance) => instance,
        // The start function may read the row's arguments.
        Err(Unmade::Start { stop, .. }) => {
            let is_spent = stop.outcome == Outcome::OutOfFuel;
            push_without_outputs(calls, stop.outcome);
            return Ok(Done { fuel: if is_spent { limit } else { 0 }, stop: Some(stop), instance: None });
        }
        Err(unmade) => return Err(unmade.into()),
    };
    instance.choose(shared, choice);
    instance.limit_fuel(shared, limit);
    let ended = instance.start(shared, prepared, until);
    let left = instance.fuel_left(shared);
    let fuel = limit.saturating_sub(left.max(0) as u64);
    let stop = ended.err().map(|error| stop(&error, left, &shared.compiled.locations)).transpose()?;
    let code = match stop.as_ref().map(|stop| stop.outcome) {
        None => 0,
        Some(Outcome::Exited(code)) => code,
        Some(outcome) => {
            push_without_outputs(calls, outcome);
            return Ok(Done { fuel, stop, instance: Some(instance) });
        }
    };
    calls.outcomes.push(Outcome::Exited(code));
    push_outputs(&mut calls.outputs, instance.process(), code);
    Ok(Done { fuel, stop: None, instance: Some(instance) })
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
    for (lowering, column) in prepared.function.lowerings.iter().zip(arguments) {
        match lowering {
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
