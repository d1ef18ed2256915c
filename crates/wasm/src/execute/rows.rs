//! Runs rows of a call: writes the arguments of each where the function takes them, and reads its outputs.

use dodona_subject::{Argument, Lowering, RECORD_SLOT, ResultLowering};
use dodona_target::{Calls, Column, Kind, Malformed, Outcome, Scalar, Type};

use crate::execute::instance::{Instance, RowFuel, Stopped};
use crate::execute::instrument::Passed;
use crate::execute::lift::{self, Span};
use crate::execute::lower::Layout;
use crate::execute::run::{Notes, Run};
use crate::execute::shared::Prepared;
use crate::execute::{HostError, records};

/// What is used for each row and kept, so that rows allocate nothing.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub layout: Layout,
    found: Vec<Found>,
}

/// An output of a row that was checked to be of its type.
#[derive(Clone, Copy, Debug)]
enum Found {
    Scalar(Scalar, u64),
    Elements(Span, Type),
}

impl Found {
    fn elements(&self) -> u64 {
        match self {
            Found::Scalar(..) => 0,
            Found::Elements(span, _) => span.elements(),
        }
    }
}

/// How one row ended.
pub(crate) enum Ended {
    /// It returned; its outcome and outputs are pushed.
    Returned { fuel: u64 },
    /// It stopped; nothing is pushed.
    Stopped(Stopped),
    /// There was no memory for its arguments; nothing is pushed.
    NoMemory,
}

fn argument_error(prepared: &Prepared, parameter: usize, row: usize) -> HostError {
    HostError::Argument {
        function: prepared.function.name.clone(),
        parameter,
        row,
        ty: prepared.function.parameters[parameter].ty,
    }
}

/// Writes the arguments of the rows from `first` on into as many records as there are.
pub(crate) fn encode(run: &Run<'_>, first: usize, records: &mut [u8]) -> Result<(), HostError> {
    let slots = run.driver.layout.arguments.iter().filter_map(|argument| match argument {
        Passed::Slot(_, argument) => Some(argument),
        Passed::Constant(..) => None,
    });
    for (place, argument) in slots.enumerate() {
        // Only scalars by value are passed in columns.
        let Argument::Value(index) = argument else { continue };
        let Some(scalar) = run.prepared.function.parameters[*index].ty.scalar() else { continue };
        let column = &run.arguments[*index];
        records::encode(column, scalar, first, records, run.driver.layout.stride, place * 8)
            .map_err(|row| argument_error(run.prepared, *index, row))?;
    }
    if run.fuel.is_some() {
        let layout = &run.driver.layout;
        for (record, row) in records.chunks_exact_mut(layout.stride).zip(first..) {
            record[layout.fuel..layout.fuel + 8].copy_from_slice(&run.fuel(row).to_le_bytes());
        }
    }
    Ok(())
}

/// Reads the records of rows that returned scalars.
pub(crate) fn returned(run: &mut Run<'_>, fuel: &mut Vec<u64>, done: &[u8]) {
    let layout = &run.driver.layout;
    let first = run.calls.outcomes.len();
    let rows = done.len() / layout.stride;
    run.calls.outcomes.resize(first + rows, Outcome::Returned);
    fuel.extend(done.chunks_exact(layout.stride).map(|record| records::slot(record, layout.fuel)));
    let (ResultLowering::Value(scalar), Some(result)) = (&run.prepared.function.result, layout.result) else {
        return;
    };
    let Calls { outcomes, outputs } = &mut run.calls;
    records::decode(&mut outputs[0], *scalar, done, layout.stride, result.offset, |row, why| {
        outcomes[first + row] = Outcome::Malformed(why);
    });
}

/// Runs one row on an instance.
pub(crate) fn one(
    run: &mut Run<'_>,
    instance: &mut Instance,
    row: usize,
    scratch: &mut Scratch,
) -> Result<Ended, HostError> {
    let driver = run.driver;
    let capacity = scratch.layout.capacity();
    if capacity > 0 && instance.ensure_arena(run.shared, &run.prepared.isolation, capacity).is_err() {
        return Ok(Ended::NoMemory);
    }
    instance
        .lower(run.prepared, driver, run.arguments, row, &scratch.layout)
        .map_err(|parameter| argument_error(run.prepared, parameter, row))?;
    if run.notes == Notes::Kept {
        instance.clear_notes(run.shared, 1);
    }
    let fuel = RowFuel::Same(run.fuel(row));
    // Of a single row all is done when the driver comes back.
    if let Err(stopped) = instance.run(run, 0, 1, fuel)? {
        return Ok(Ended::Stopped(stopped));
    }
    if driver.in_memory {
        instance.note_arena(driver);
    }
    let fuel = records::slot(instance.returned().0, driver.layout.fuel);
    let limit = run.fuel.map_or(u64::MAX, |_| run.fuel(row));
    match locate(run, instance, scratch) {
        Ok(elements) if elements > limit => {
            push_without_outputs(&mut run.calls, Outcome::OutOfFuel);
            return Ok(Ended::Returned { fuel: limit });
        }
        Ok(_) => lift(run, instance, &scratch.found),
        Err(why) => push_without_outputs(&mut run.calls, Outcome::Malformed(why)),
    }
    Ok(Ended::Returned { fuel })
}

/// A row whose outputs are defaults.
pub(crate) fn push_without_outputs(calls: &mut Calls, outcome: Outcome) {
    calls.outcomes.push(outcome);
    calls.outputs.iter_mut().for_each(Column::push_default);
}

/// Finds a row's outputs, all of them or none; how many elements they have.
fn locate(run: &Run<'_>, instance: &Instance, scratch: &mut Scratch) -> Result<u64, Malformed> {
    let (record, memory) = instance.returned();
    let Scratch { layout, found } = scratch;
    let function = &run.prepared.function;
    let base = u64::from(instance.arena_base());
    found.clear();
    find_result(&function.result, memory, base, layout, result_slot(run, record), found)?;
    for ((parameter, lowering), place) in function.lowered().zip(&layout.parameters) {
        if lowering.is_in_out() {
            let span = parameter_span((parameter.ty, lowering), memory, base, *place)?;
            found.push(Found::Elements(span, parameter.ty));
        }
    }
    Ok(found.iter().map(Found::elements).sum())
}

/// Pushes a row that returned, whose outputs were found.
fn lift(run: &mut Run<'_>, instance: &Instance, found: &[Found]) {
    let (_, memory) = instance.returned();
    run.calls.outcomes.push(Outcome::Returned);
    for (found, column) in found.iter().zip(&mut run.calls.outputs) {
        match *found {
            Found::Scalar(scalar, bits) => push_scalar(column, scalar, bits),
            Found::Elements(span, ty) => lift::push(memory, span, ty, column),
        }
    }
}

/// The bits of the result that the driver wrote; 0 where there is none.
fn result_slot(run: &Run<'_>, record: &[u8]) -> u64 {
    run.driver.layout.result.map_or(0, |r| records::slot(record, r.offset))
}

/// Finds what a row returned.
fn find_result(
    lowering: &ResultLowering,
    memory: &[u8],
    base: u64,
    layout: &Layout,
    result: u64,
    found: &mut Vec<Found>,
) -> Result<(), Malformed> {
    let (span, ty) = match lowering {
        ResultLowering::ReturnPointer(ty) => (pointed_at(memory, base + layout.pair, *ty)?, *ty),
        ResultLowering::Record(outputs) => {
            for (output, at) in outputs.iter().zip((base + layout.pair..).step_by(RECORD_SLOT as usize)) {
                found.push(match output.ty {
                    Type::Scalar(scalar) => {
                        let (low, high) = lift::pair(memory, at as u32)?;
                        Found::Scalar(scalar, checked(u64::from(low) | u64::from(high) << 32, scalar)?)
                    }
                    ty => Found::Elements(pointed_at(memory, at, ty)?, ty),
                });
            }
            return Ok(());
        }
        ResultLowering::OutBuffer { ty, capacity } => {
            let length = result as u32;
            if length > *capacity {
                return Err(Malformed::Length);
            }
            (lift::span(memory, (base + layout.out) as u32, length, *ty)?, *ty)
        }
        ResultLowering::NulTerminated(ty) => (lift::terminated(memory, result as u32, *ty)?, *ty),
        ResultLowering::Value(scalar) => {
            found.push(Found::Scalar(*scalar, checked(result, *scalar)?));
            return Ok(());
        }
        ResultLowering::None | ResultLowering::Command => return Ok(()),
    };
    found.push(Found::Elements(span, ty));
    Ok(())
}

/// The data of the pair of pointer and length at an address.
fn pointed_at(memory: &[u8], address: u64, ty: Type) -> Result<Span, Malformed> {
    let (address, length) = lift::pair(memory, address as u32)?;
    lift::span(memory, address, length, ty)
}

/// The bits of a scalar, if they are of its type.
fn checked(bits: u64, scalar: Scalar) -> Result<u64, Malformed> {
    if scalar.kind() != Kind::Float {
        records::integer(bits, scalar)?;
    }
    Ok(bits)
}

/// Where an in-out parameter's data lie after the call.
fn parameter_span(
    (ty, lowering): (Type, &Lowering),
    memory: &[u8],
    base: u64,
    (at, length): (u64, usize),
) -> Result<Span, Malformed> {
    let address = (base + at) as u32;
    match (lowering, ty) {
        (Lowering::NulTerminated(_), Type::Text) => lift::terminated(memory, address, Type::Text),
        (_, ty) => lift::span(memory, address, length as u32, ty),
    }
}

fn push_scalar(column: &mut Column, scalar: Scalar, bits: u64) {
    // Checked before: an integer outside its type is malformed and does not come here.
    match column {
        Column::Float(v) => v.push(records::float(bits, scalar)),
        Column::Int(v) => v.push(records::integer(bits, scalar).unwrap_or(0)),
        Column::Bool(v) => v.push(bits as u32 == 1),
        Column::Text(_) | Column::Sequence(_) => {}
    }
}
