//! Guards: at run time, a store of a function that reuses its instance must fall into the dead part of
//! the stack or into the arguments. A store anywhere else stops the call before it happens, and the row
//! is run again in a fresh instance with guards off.

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{BlockType, Function, Instruction, InstructionSink, MemArg, ValType};
use wasmparser::Operator;

use super::{Added, STACK_STEP};

/// The value of the violated global after a store outside.
pub(crate) const VIOLATED: i32 = 1;

/// Its value before an effect that no guard can confine.
pub(crate) const ESCAPED: i32 = 2;

/// What is checked at run time while guards are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guards {
    /// Nothing.
    Absent,
    /// Each store.
    Stores,
    /// Each store, and nothing else that could leave a trace may happen: patches change what code is reached.
    Confined,
    /// That it does not run at all.
    Outside,
}

/// A store: its address operand's offset, its width in bytes, and the type of its value operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Store {
    pub memory: u32,
    pub offset: u64,
    pub width: u32,
    pub value: ValType,
}

impl Store {
    /// What an instruction stores; `None` for those that are not plain stores.
    pub(crate) fn of(instruction: &Instruction<'_>) -> Option<Store> {
        use Instruction as I;
        let store =
            |m: &MemArg, width, value| Some(Store { memory: m.memory_index, offset: m.offset, width, value });
        match instruction {
            I::I32Store(memarg) => store(memarg, 4, ValType::I32),
            I::I32Store8(memarg) => store(memarg, 1, ValType::I32),
            I::I32Store16(memarg) => store(memarg, 2, ValType::I32),
            I::I64Store(memarg) => store(memarg, 8, ValType::I64),
            I::I64Store8(memarg) => store(memarg, 1, ValType::I64),
            I::I64Store16(memarg) => store(memarg, 2, ValType::I64),
            I::I64Store32(memarg) => store(memarg, 4, ValType::I64),
            I::F32Store(memarg) => store(memarg, 4, ValType::F32),
            I::F64Store(memarg) => store(memarg, 8, ValType::F64),
            I::V128Store(memarg) => store(memarg, 16, ValType::V128),
            I::V128Store8Lane { memarg, .. } => store(memarg, 1, ValType::V128),
            I::V128Store16Lane { memarg, .. } => store(memarg, 2, ValType::V128),
            I::V128Store32Lane { memarg, .. } => store(memarg, 4, ValType::V128),
            I::V128Store64Lane { memarg, .. } => store(memarg, 8, ValType::V128),
            _ => None,
        }
    }

    /// [`Store::of`] for an operator as it is read.
    pub(crate) fn of_operator(operator: &Operator<'_>) -> Option<Store> {
        RoundtripReencoder.instruction(operator.clone()).ok().and_then(|instruction| Store::of(&instruction))
    }
}

/// Locals that guards use, behind the function's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scratch {
    first: u32,
}

impl Scratch {
    /// The types of the locals, in order.
    pub(super) const LOCALS: [(u32, ValType); 5] =
        [(3, ValType::I32), (1, ValType::I64), (1, ValType::F32), (1, ValType::F64), (1, ValType::V128)];

    pub(super) fn at(first: u32) -> Self {
        Scratch { first }
    }

    /// Holds the address of a store, or the destination of a bulk operation.
    pub(super) fn address(self) -> u32 {
        self.first
    }

    /// Holds a value of this type.
    pub(super) fn value(self, ty: ValType) -> u32 {
        self.first
            + match ty {
                ValType::I64 => 3,
                ValType::F32 => 4,
                ValType::F64 => 5,
                ValType::V128 => 6,
                _ => 1,
            }
    }

    /// Holds the length of a bulk operation.
    pub(super) fn length(self) -> u32 {
        self.first + 2
    }
}

/// Checks the address of a store, which is in a local.
pub(super) fn guard_store(code: &mut InstructionSink<'_>, added: &Added, address: u32, store: Store) {
    let width = store.width as i32;
    // The distance from the store's end up to the top of the stack, against the depth known to be
    // dirty: one comparison says "inside". An address that wraps around passes and then traps.
    let top = added.stack.map_or(0, |s| s.top);
    let end = top.wrapping_sub(store.offset as u32).wrapping_sub(store.width);
    code.i32_const(end as i32).local_get(address).i32_sub();
    code.global_get(added.depth).i32_const(width).i32_sub();
    code.i32_gt_u().if_(BlockType::Empty);
    // Not in the stack: the same comparison for the bytes that the row's arguments take up, of which there
    // are always at least as many as the widest store has.
    code.local_get(address).i32_const(store.offset as i32).i32_add();
    code.global_get(added.arena_low).i32_sub();
    code.global_get(added.arena_used).i32_const(width).i32_sub();
    code.i32_gt_u().if_(BlockType::Empty);
    code.local_get(address).i64_extend_i32_u();
    code.i64_const(store.offset as i64).i64_add();
    code.i64_const(width.into()).call(added.guard);
    code.end().end();
}

/// Checks the destination in the scratch address over the length in the scratch length.
pub(super) fn guard_range(code: &mut InstructionSink<'_>, added: &Added, scratch: Scratch) {
    code.local_get(scratch.length()).if_(BlockType::Empty);
    code.local_get(scratch.address()).i64_extend_i32_u();
    code.local_get(scratch.length()).i64_extend_i32_u().call(added.guard);
    code.end();
}

/// Stops the call while guards are on: what follows could leave a trace.
pub(super) fn escape(code: &mut InstructionSink<'_>, added: &Added) {
    code.global_get(added.guarding).if_(BlockType::Empty);
    code.i32_const(ESCAPED).global_set(added.violated).unreachable().end();
}

/// Whether an instruction has an effect that guards cannot confine: on the module's own globals (the stack pointer is
/// reset for each row), tables, segments and further memories, on the size of memory, or on the host.
pub(super) fn escapes(instruction: &Instruction<'_>, added: &Added) -> bool {
    use Instruction as I;
    // Indices from `added` on are not the module's own.
    let further = |memory: u32| memory != 0 && memory < added.columns;
    match instruction {
        I::GlobalSet(global) => *global < added.fuel && added.stack.is_none_or(|s| s.global != *global),
        I::Call(function) | I::ReturnCall(function) => *function < added.imported,
        I::CallIndirect { .. } | I::ReturnCallIndirect { .. } => added.host_in_tables,
        I::MemoryGrow(_)
        | I::TableSet(_)
        | I::TableGrow(_)
        | I::TableFill(_)
        | I::TableCopy { .. }
        | I::TableInit { .. }
        | I::DataDrop(_)
        | I::ElemDrop(_) => true,
        I::MemoryFill(memory) | I::MemoryCopy { dst_mem: memory, .. } | I::MemoryInit { mem: memory, .. } => {
            further(*memory)
        }
        other => Store::of(other).is_some_and(|store| further(store.memory)),
    }
}

/// The function `guard(address: i64, bytes: i64)`: lets the store pass, notes what it makes dirty, or stops.
pub(super) fn guard_function(added: &Added) -> Function {
    const ADDRESS: u32 = 0;
    const BYTES: u32 = 1;
    const END: u32 = 2;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.global_get(added.guarding).i32_eqz().if_(BlockType::Empty).return_().end();
    code.local_get(ADDRESS).local_get(BYTES).i64_add().local_set(END);
    if let Some(stack) = added.stack {
        inside(&mut code, ADDRESS, END, added.floor, |code| {
            code.i64_const(stack.top.into());
        });
        code.if_(BlockType::Empty);
        // The floor is a whole number of steps below the top, so rounding up never passes it.
        code.i32_const(stack.top as i32).local_get(ADDRESS).i32_wrap_i64().i32_sub();
        code.i32_const(STACK_STEP as i32 - 1).i32_add().i32_const(-(STACK_STEP as i32)).i32_and();
        raise(&mut code, added.depth);
        code.return_().end();
    }
    inside(&mut code, ADDRESS, END, added.arena_low, |code| {
        code.global_get(added.arena_end).i64_extend_i32_u();
    });
    code.if_(BlockType::Empty);
    code.local_get(END).i32_wrap_i64();
    raise(&mut code, added.arena_high);
    code.return_().end();
    code.i32_const(VIOLATED).global_set(added.violated).unreachable().end();
    function
}

/// Whether `low <= address && end <= high`.
fn inside(
    code: &mut InstructionSink<'_>,
    address: u32,
    end: u32,
    low: u32,
    high: impl FnOnce(&mut InstructionSink<'_>),
) {
    code.local_get(address).global_get(low).i64_extend_i32_u().i64_ge_u();
    code.local_get(end);
    high(code);
    code.i64_le_u().i32_and();
}

/// Sets an unsigned i32 global to the value on the operand stack where that is greater.
fn raise(code: &mut InstructionSink<'_>, global: u32) {
    // Both candidates and the comparison need the value; the scratch is parameter 1, no longer needed.
    code.i64_extend_i32_u().local_set(1);
    code.local_get(1).i32_wrap_i64().global_get(global);
    code.local_get(1).global_get(global).i64_extend_i32_u().i64_gt_u();
    code.select().global_set(global);
}
