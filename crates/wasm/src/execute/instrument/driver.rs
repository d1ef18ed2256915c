//! Drivers: for each function under test, a loop that reads a record of inputs a row from the columns
//! memory, calls the function, and writes its result and the fuel it used into the record.
//! One crossing into WebAssembly then serves many rows.

use dodona_subject::WasmType;
use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, ValType};

use super::layout::MOST_ROWS;
use super::{Added, DriverLayout, GUARDS_OFF, Notes, Passed, STACK_KEPT, STACK_STEP, Target};

const ROW: u32 = 0;
const END: u32 = 1;
const FUEL_OF_ALL: u32 = 2;
const RECORD: u32 = 3;
const ZEROED: u32 = 4;
const FUEL: u32 = 5;
const BUDGET: u32 = 6;
/// The first of the locals that take several results: the address of a store stands below its value.
const RESULTS: u32 = 7;

/// What the rows of one crossing may use together, in units of fuel: the driver comes back behind the row that goes beyond, so that
/// the host can look at the clock. Some tens of milliseconds, to which a crossing adds nothing.
const AT_ONCE: i64 = 20_000_000;

/// The value of the driver's third argument for fuel limits that stand in the records.
pub(crate) const FUEL_IN_RECORDS: i64 = -1;

/// The function `driver(first row: i32, end row: i32, fuel of each row: i64) -> the row behind the last that was run: i32`.
pub(super) fn driver_function(
    target: &Target,
    layout: &DriverLayout,
    results: usize,
    added: &Added,
    notes: &Notes,
) -> Function {
    let mut locals = vec![(2, ValType::I32), (2, ValType::I64)];
    if layout.results.len() > 1 {
        locals.extend(layout.results.iter().map(|result| (1, value_type(result.ty))));
    }
    let mut function = Function::new(locals);
    let mut code = function.instructions();
    code.i64_const(AT_ONCE).local_set(BUDGET);
    code.local_get(ROW).i32_const(layout.stride as i32).i32_mul().local_set(RECORD);
    code.loop_(BlockType::Empty);
    reset(&mut code, target, layout, added);
    notes.set_address(&mut code, added, ROW);
    call(&mut code, target, layout, results, added);
    account(&mut code, target, layout, added);
    if let (true, Some(stack)) = (target.zeroes_stack, added.stack) {
        zero_stack(&mut code, added, stack.top);
    }
    come_back_if_long(&mut code);
    code.local_get(RECORD).i32_const(layout.stride as i32).i32_add().local_set(RECORD);
    code.local_get(ROW).i32_const(1).i32_add().local_tee(ROW);
    code.local_get(END).i32_lt_u().br_if(0).end().local_get(ROW).end();
    function
}

fn value_type(ty: WasmType) -> ValType {
    match ty {
        WasmType::I32 => ValType::I32,
        WasmType::I64 => ValType::I64,
        WasmType::F32 => ValType::F32,
        WasmType::F64 => ValType::F64,
    }
}

fn slot(added: &Added, offset: usize) -> MemArg {
    MemArg { offset: offset as u64, align: 3, memory_index: added.columns }
}

fn reset(code: &mut InstructionSink<'_>, target: &Target, layout: &DriverLayout, added: &Added) {
    code.local_get(ROW).global_set(added.row);
    // A select: the load is cheaper than a branch, and is of a line that is written anyway.
    code.local_get(FUEL_OF_ALL).local_get(RECORD).i64_load(slot(added, layout.fuel));
    code.local_get(FUEL_OF_ALL).i64_const(0).i64_ge_s().select().local_tee(FUEL).global_set(added.fuel);
    if let Some(stack) = added.stack {
        code.i32_const(stack.top as i32).global_set(stack.global);
    }
    if target.in_memory {
        code.global_get(added.arena_low).global_set(added.arena_high);
        code.local_get(RECORD);
        load(code, WasmType::I32, slot(added, layout.arena_used));
        code.global_set(added.arena_used);
    }
}

fn call(
    code: &mut InstructionSink<'_>,
    target: &Target,
    layout: &DriverLayout,
    results: usize,
    added: &Added,
) {
    if layout.results.len() == 1 {
        code.local_get(RECORD);
    }
    let mut offset = 0;
    for argument in &target.arguments {
        match argument {
            Passed::Slot(ty, _) => {
                code.local_get(RECORD);
                load(code, *ty, slot(added, offset));
                offset += 8;
            }
            Passed::Constant(WasmType::I64, value) => {
                code.i64_const(*value);
            }
            Passed::Constant(_, value) => {
                code.i32_const(*value as i32);
            }
        }
    }
    code.call(target.index);
    match layout.results.as_slice() {
        [] => (0..results).for_each(|_| {
            code.drop();
        }),
        [result] => store(code, result.ty, slot(added, result.offset)),
        several => {
            // The last value is the first to be taken off the stack.
            for local in (RESULTS..RESULTS + several.len() as u32).rev() {
                code.local_set(local);
            }
            for (local, result) in (RESULTS..).zip(several) {
                code.local_get(RECORD).local_get(local);
                store(code, result.ty, slot(added, result.offset));
            }
        }
    }
}

fn account(code: &mut InstructionSink<'_>, target: &Target, layout: &DriverLayout, added: &Added) {
    code.local_get(RECORD).local_get(FUEL).global_get(added.fuel).i64_sub().local_tee(FUEL);
    code.i64_store(slot(added, layout.fuel));
    if target.in_memory {
        code.local_get(RECORD).global_get(added.arena_high);
        code.i32_store(MemArg { align: 2, ..slot(added, layout.arena_high) });
    }
}

/// Comes back behind a row that goes beyond the budget. Rows that all crossings have the fuel for are not even counted: a comparison
/// is all that they pay.
fn come_back_if_long(code: &mut InstructionSink<'_>) {
    code.local_get(FUEL).i64_const(AT_ONCE / MOST_ROWS as i64).i64_gt_s().if_(BlockType::Empty);
    code.local_get(BUDGET).local_get(FUEL).i64_sub().local_tee(BUDGET).i64_const(0).i64_lt_s();
    code.if_(BlockType::Empty).local_get(ROW).i32_const(1).i32_add().return_().end().end();
}

/// Zeroes the dirty part of the stack, and keeps a little of it assumed dirty for the next row.
fn zero_stack(code: &mut InstructionSink<'_>, added: &Added, top: u32) {
    let at = |offset| MemArg { offset, align: 4, memory_index: 0 };
    code.global_get(added.depth).i32_const(GUARDS_OFF).i32_ne().if_(BlockType::Empty);
    code.i32_const(top as i32).global_get(added.depth).i32_sub().local_set(ZEROED);
    code.loop_(BlockType::Empty);
    for part in 0..STACK_STEP / 16 {
        code.local_get(ZEROED).v128_const(0).v128_store(at(u64::from(part) * 16));
    }
    code.local_get(ZEROED).i32_const(STACK_STEP as i32).i32_add().local_tee(ZEROED);
    code.i32_const(top as i32).i32_lt_u().br_if(0).end();
    code.global_get(added.depth).i32_const(STACK_KEPT as i32).i32_gt_u().if_(BlockType::Empty);
    code.i32_const(STACK_KEPT as i32).global_set(added.depth).end();
    code.end();
}

fn load(code: &mut InstructionSink<'_>, ty: WasmType, at: MemArg) {
    match ty {
        WasmType::I32 => code.i32_load(MemArg { align: 2, ..at }),
        WasmType::I64 => code.i64_load(at),
        WasmType::F32 => code.f32_load(MemArg { align: 2, ..at }),
        WasmType::F64 => code.f64_load(at),
    };
}

fn store(code: &mut InstructionSink<'_>, ty: WasmType, at: MemArg) {
    match ty {
        WasmType::I32 => code.i32_store(MemArg { align: 2, ..at }),
        WasmType::I64 => code.i64_store(at),
        WasmType::F32 => code.f32_store(MemArg { align: 2, ..at }),
        WasmType::F64 => code.f64_store(at),
    };
}
