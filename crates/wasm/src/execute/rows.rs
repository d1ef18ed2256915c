//! Runs rows of a call: writes the arguments of each where the function takes them, and reads its outputs.

use dodona_subject::{Argument, Lowering, RECORD_SLOT, ResultLowering};
use dodona_target::{Calls, Column, Kind, Malformed, Outcome, Output, Scalar, Type};

use crate::execute::instance::{Instance, RowFuel, Stopped};
use crate::execute::instrument::{Passed, ResultSlot};
use crate::execute::lift::{self, Span};
use crate::execute::lower::Layout;
use crate::execute::run::{Notes, Run};
use crate::execute::shared::Prepared;
use crate::execute::{HostError, records};

/// What is used for each row and kept, so that rows allocate nothing.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub layout: Layout,
    /// The function that the layout is of.
    laid_out: Option<usize>,
    found: Vec<Found>,
}

impl Scratch {
    /// Lays out a row.
    pub(crate) fn lay_out(&mut self, run: &Run<'_>, row: usize) {
        let length = |parameter: usize| run.arguments[parameter].elements(row);
        match self.laid_out == Some(run.function) {
            true => self.layout.lay_out_next(&run.prepared.function, length),
            false => self.layout.lay_out(&run.prepared.function, length),
        }
        self.laid_out = Some(run.function);
    }
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
    let Calls { outcomes, outputs } = &mut run.calls;
    match (&run.prepared.function.result, layout.results.as_slice()) {
        (ResultLowering::Value(scalar), [result]) => {
            records::decode(&mut outputs[0], *scalar, done, layout.stride, result.offset, |row, why| {
                outcomes[first + row] = Outcome::Malformed(why);
            });
        }
        (ResultLowering::MultiValue(several), results) => {
            let outcomes = outcomes[first..].iter_mut();
            for (record, outcome) in done.chunks_exact(layout.stride).zip(outcomes) {
                match checked_results(several, results, record) {
                    Ok(values) => {
                        outputs.iter_mut().zip(values).for_each(|(column, (scalar, bits))| {
                            push_scalar(column, scalar, bits);
                        });
                    }
                    Err(why) => {
                        *outcome = Outcome::Malformed(why);
                        outputs.iter_mut().for_each(Column::push_default);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The scalars that a row returned by several values, if each is of its type.
fn checked_results<'a>(
    outputs: &'a [Output],
    results: &'a [ResultSlot],
    record: &'a [u8],
) -> Result<impl Iterator<Item = (Scalar, u64)> + 'a, Malformed> {
    let values = move || {
        let bits = results.iter().map(|result| records::slot(record, result.offset));
        outputs.iter().filter_map(|output| output.ty.scalar()).zip(bits)
    };
    for (scalar, bits) in values() {
        checked(bits, scalar)?;
    }
    Ok(values())
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
    let base = u64::from(instance.arena_base());
    // Looked up once: each time takes as long as reading a scalar.
    let (record, memory) = instance.returned();
    let mut fuel = records::slot(record, driver.layout.fuel);
    let high = driver.in_memory.then(|| records::slot(record, driver.layout.arena_high) as u32);
    let limit = run.fuel.map_or(u64::MAX, |_| run.fuel(row));
    match locate(run, (record, memory, base), scratch) {
        Ok(elements) if elements > limit => {
            push_without_outputs(&mut run.calls, Outcome::OutOfFuel);
            fuel = limit;
        }
        Ok(_) => lift(run, memory, &scratch.found),
        Err(why) => push_without_outputs(&mut run.calls, Outcome::Malformed(why)),
    }
    if let Some(high) = high {
        instance.note_arena(high);
    }
    Ok(Ended::Returned { fuel })
}

/// A row whose outputs are defaults.
pub(crate) fn push_without_outputs(calls: &mut Calls, outcome: Outcome) {
    calls.outcomes.push(outcome);
    calls.outputs.iter_mut().for_each(Column::push_default);
}

/// Finds a row's outputs, all of them or none, by its record, the memory and the address of its arena; how many elements they have.
fn locate(
    run: &Run<'_>,
    (record, memory, base): (&[u8], &[u8], u64),
    scratch: &mut Scratch,
) -> Result<u64, Malformed> {
    let Scratch { layout, found, .. } = scratch;
    let function = &run.prepared.function;
    found.clear();
    if let ResultLowering::MultiValue(outputs) = &function.result {
        let values = checked_results(outputs, &run.driver.layout.results, record)?;
        found.extend(values.map(|(scalar, bits)| Found::Scalar(scalar, bits)));
    } else {
        find_result(&function.result, memory, base, layout, result_slot(run, record), found)?;
    }
    for ((parameter, lowering), place) in function.lowered().zip(&layout.parameters) {
        if lowering.is_in_out() {
            let span = parameter_span((parameter.ty, lowering), memory, base, *place)?;
            found.push(Found::Elements(span, parameter.ty));
        }
    }
    Ok(found.iter().map(Found::elements).sum())
}

/// Pushes a row that returned, whose outputs were found.
fn lift(run: &mut Run<'_>, memory: &[u8], found: &[Found]) {
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
    run.driver.layout.results.first().map_or(0, |r| records::slot(record, r.offset))
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
        // Several values stand in the record, and not in memory.
        ResultLowering::None | ResultLowering::Command | ResultLowering::MultiValue(_) => return Ok(()),
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
