//! Marks of the parts of memory that a call writes, by which the host restores them after the call. If a call changes something that cannot be
//! restored, its code says so, and the host gives up the instance.
//!
//! A store pays a few instructions for its mark. A fresh instance costs as much as some thousands of them.

use wasm_encoder::{BlockType, Function, Instruction, InstructionSink, MemArg, ValType};

use super::guard::{Scratch, Store, escapes};
use super::{Added, Globals};

/// Bytes of memory that have one mark: few enough that copying them is cheap, and many enough that the marks are few.
pub(crate) const MARKED_BYTES: usize = 1 << MARKED_BITS;

const MARKED_BITS: u32 = 12;

/// The marks that there are. Memory beyond the last is never restored.
pub(crate) const MARKS: usize = 1 << 15;

/// Behind the marks, the byte that tells the host what became of the instance: 0 if it can be restored, else [`LOST`] or [`OUTSIDE`].
pub(crate) const STATE: usize = MARKS;

/// Something was changed that cannot be restored.
const LOST: u8 = 1;

/// The call was stopped before an access beyond the limit of memory: see [`growth`](super::growth).
pub(crate) const OUTSIDE: u8 = 2;

/// A store is marked by its first byte, and may write so many bytes of the next part: one less than the widest store has.
pub(crate) const SPILLED: usize = 15;

/// Marks the destination of a store, whose address is in a local.
pub(super) fn mark_store(code: &mut InstructionSink<'_>, added: &Added, address: u32, store: Store) {
    code.local_get(address);
    if store.offset != 0 {
        // A sum that wraps around marks a part that is not written, and the store traps.
        code.i32_const(store.offset as i32).i32_add();
    }
    code.i32_const(MARKED_BITS as i32).i32_shr_u().i32_const(MARKS as i32 - 1).i32_and();
    code.i32_const(1).i32_store8(mark(added, 0));
}

/// Marks the destination in the scratch address over the length in the scratch length.
pub(super) fn mark_range(code: &mut InstructionSink<'_>, added: &Added, scratch: Scratch) {
    code.local_get(scratch.address()).local_get(scratch.length()).call(added.mark);
}

/// Notes that what follows cannot be restored.
pub(super) fn lose(code: &mut InstructionSink<'_>, added: &Added) {
    say(code, added, LOST);
}

/// Writes the byte that tells the host what became of the instance.
pub(super) fn say(code: &mut InstructionSink<'_>, added: &Added, state: u8) {
    code.i32_const(0).i32_const(state.into()).i32_store8(mark(added, STATE));
}

/// Whether an instruction has an effect that is not restored: on the host, on tables, segments and further memories, on the size of
/// memory, and on global variables other than numbers. The engine is built without threads and without garbage collection, so that
/// no other instructions write to memory.
pub(super) fn loses(instruction: &Instruction<'_>, added: &Added, globals: &Globals) -> bool {
    match instruction {
        Instruction::GlobalSet(global) => *global < added.fuel && !globals.are_restored(*global),
        Instruction::MemoryGrow(0) if added.limits_memory => false,
        other => escapes(other, added),
    }
}

/// The function `mark(address: i32, bytes: i32)`.
pub(super) fn mark_function(added: &Added) -> Function {
    const ADDRESS: u32 = 0;
    const BYTES: u32 = 1;
    const LAST: u32 = 2;
    let mut function = Function::new([(1, ValType::I32)]);
    let mut code = function.instructions();
    code.local_get(BYTES).i32_eqz().if_(BlockType::Empty).return_().end();
    // Parts from here on. What reaches beyond 32 bits traps, and so marks what it likes.
    code.local_get(ADDRESS).local_get(BYTES).i32_add().i32_const(1).i32_sub();
    code.i32_const(MARKED_BITS as i32).i32_shr_u().local_set(LAST);
    code.local_get(ADDRESS).i32_const(MARKED_BITS as i32).i32_shr_u().local_set(ADDRESS);
    code.loop_(BlockType::Empty);
    code.local_get(ADDRESS).i32_const(MARKS as i32 - 1).i32_and();
    code.i32_const(1).i32_store8(mark(added, 0));
    code.local_get(ADDRESS).i32_const(1).i32_add().local_tee(ADDRESS);
    code.local_get(LAST).i32_le_u().br_if(0).end().end();
    function
}

fn mark(added: &Added, offset: usize) -> MemArg {
    MemArg { offset: u64::from(added.marks) + offset as u64, align: 0, memory_index: added.columns }
}
