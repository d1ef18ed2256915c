//! Growth of memory that can be undone. The memory of an instance never shrinks, so code that is run again in it is shown a size that the
//! host sets back: the *limit*. Growing raises the limit, and memory only where the limit passes its end. An access between the limit and
//! the end of memory, which would trap in a fresh instance, stops the call, and the row is run again in one.
//!
//! In an instance that is not restored the limit is [`NO_LIMIT`], and memory has the size that it has.

use wasm_encoder::{BlockType, Function, Instruction, InstructionSink, MemArg, ValType};

use super::guard::Scratch;
use super::marks::{self, MARKED_BYTES, MARKS};
use super::{Added, OUTSIDE};
use crate::execute::limits::PAGE;

/// The limit of an instance that is not restored: no access ends beyond it.
pub(super) const NO_LIMIT: i32 = -1;

const PAGE_BITS: i32 = PAGE.trailing_zeros() as i32;

/// The most pages whose parts all have marks.
const MOST_PAGES: i64 = (MARKS * MARKED_BYTES) as i64 >> PAGE_BITS;

/// A load: its address operand's offset, its width in bytes, and whether a vector stands above the address on the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Load {
    pub memory: u32,
    offset: u64,
    width: u32,
    has_vector: bool,
}

impl Load {
    /// What an instruction loads; `None` for those that are not plain loads.
    pub(super) fn of(instruction: &Instruction<'_>) -> Option<Load> {
        use Instruction as I;
        let load = |m: &MemArg, width, has_vector| {
            Some(Load { memory: m.memory_index, offset: m.offset, width, has_vector })
        };
        match instruction {
            I::I32Load8S(m) | I::I32Load8U(m) | I::I64Load8S(m) | I::I64Load8U(m) | I::V128Load8Splat(m) => {
                load(m, 1, false)
            }
            I::I32Load16S(m)
            | I::I32Load16U(m)
            | I::I64Load16S(m)
            | I::I64Load16U(m)
            | I::V128Load16Splat(m) => load(m, 2, false),
            I::I32Load(m)
            | I::F32Load(m)
            | I::I64Load32S(m)
            | I::I64Load32U(m)
            | I::V128Load32Splat(m)
            | I::V128Load32Zero(m) => load(m, 4, false),
            I::I64Load(m)
            | I::F64Load(m)
            | I::V128Load64Splat(m)
            | I::V128Load64Zero(m)
            | I::V128Load8x8S(m)
            | I::V128Load8x8U(m)
            | I::V128Load16x4S(m)
            | I::V128Load16x4U(m)
            | I::V128Load32x2S(m)
            | I::V128Load32x2U(m) => load(m, 8, false),
            I::V128Load(m) => load(m, 16, false),
            I::V128Load8Lane { memarg, .. } => load(memarg, 1, true),
            I::V128Load16Lane { memarg, .. } => load(memarg, 2, true),
            I::V128Load32Lane { memarg, .. } => load(memarg, 4, true),
            I::V128Load64Lane { memarg, .. } => load(memarg, 8, true),
            _ => None,
        }
    }
}

/// Checks the address of a load whose operands are on the operand stack, and leaves them there.
pub(super) fn check_load(code: &mut InstructionSink<'_>, added: &Added, scratch: Scratch, load: Load) {
    let (address, vector) = (scratch.address(), scratch.value(ValType::V128));
    if load.has_vector {
        code.local_set(vector);
    }
    code.local_tee(address);
    check(code, added, address, load.offset, load.width);
    if load.has_vector {
        code.local_get(vector);
    }
}

/// Stops the call if an access at the address in a local ends beyond the limit. A sum that wraps around passes, and the access traps.
pub(super) fn check(code: &mut InstructionSink<'_>, added: &Added, address: u32, offset: u64, width: u32) {
    code.local_get(address).i32_const((offset as u32).wrapping_add(width) as i32).i32_add();
    code.global_get(added.limit).i32_gt_u().if_(BlockType::Empty);
    stop(code, added);
    code.end();
}

fn stop(code: &mut InstructionSink<'_>, added: &Added) {
    marks::say(code, added, OUTSIDE);
    code.unreachable();
}

/// The size of memory in pages.
pub(super) fn size(code: &mut InstructionSink<'_>, added: &Added) {
    code.memory_size(0).global_get(added.limit).i32_const(PAGE_BITS).i32_shr_u();
    code.global_get(added.limit).i32_const(NO_LIMIT).i32_eq().select();
}

/// Grows memory by the pages on the operand stack, and leaves what `memory.grow` gives. The instruction itself stands in the function, so
/// that a trap in it is located there.
pub(super) fn grow(code: &mut InstructionSink<'_>, added: &Added, scratch: Scratch) {
    code.local_tee(scratch.length()).call(added.needed).memory_grow(0);
    code.local_get(scratch.length()).call(added.grown);
}

/// The function `needed(pages: i32) -> i32`: how many pages memory must grow by so that the limit can be raised by so many.
pub(super) fn needed_function(added: &Added) -> Function {
    const PAGES: u32 = 0;
    const WANTED: u32 = 1;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.global_get(added.limit).i32_const(NO_LIMIT).i32_eq().if_(BlockType::Empty);
    code.local_get(PAGES).return_().end();
    wanted(&mut code, added, PAGES);
    code.local_set(WANTED);
    // What no memory can have fails as it would without a limit.
    code.local_get(WANTED).i64_const(1 << PAGE_BITS).i64_gt_u().if_(BlockType::Empty);
    code.local_get(PAGES).return_().end();
    code.local_get(WANTED).memory_size(0).i64_extend_i32_u().i64_le_u().if_(BlockType::Empty);
    code.i32_const(0).return_().end();
    code.local_get(WANTED).i32_wrap_i64().memory_size(0).i32_sub().end();
    function
}

/// The function `grown(before: i32, pages: i32) -> i32`: raises the limit if memory could grow, which `before` says, and gives what
/// growing by so many pages gives.
pub(super) fn grown_function(added: &Added) -> Function {
    const BEFORE: u32 = 0;
    const PAGES: u32 = 1;
    const WANTED: u32 = 2;
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    code.global_get(added.limit).i32_const(NO_LIMIT).i32_eq();
    code.local_get(BEFORE).i32_const(-1).i32_eq().i32_or().if_(BlockType::Empty);
    code.local_get(BEFORE).return_().end();
    wanted(&mut code, added, PAGES);
    code.local_tee(WANTED).i64_const(MOST_PAGES).i64_gt_u().if_(BlockType::Empty);
    marks::lose(&mut code, added);
    code.end();
    code.global_get(added.limit).i32_const(PAGE_BITS).i32_shr_u();
    code.local_get(WANTED).i32_wrap_i64().i32_const(PAGE_BITS).i32_shl().global_set(added.limit).end();
    function
}

/// The pages up to the limit and so many more.
fn wanted(code: &mut InstructionSink<'_>, added: &Added, pages: u32) {
    code.global_get(added.limit).i32_const(PAGE_BITS).i32_shr_u().i64_extend_i32_u();
    code.local_get(pages).i64_extend_i32_u().i64_add();
}

/// The function `within(address: i32, bytes: i32)`: stops the call if the bytes end beyond the limit.
pub(super) fn within_function(added: &Added) -> Function {
    let mut function = Function::new([]);
    let mut code = function.instructions();
    code.local_get(0).i64_extend_i32_u().local_get(1).i64_extend_i32_u().i64_add();
    code.global_get(added.limit).i64_extend_i32_u().i64_gt_u().if_(BlockType::Empty);
    // Without a limit such bytes are outside of any memory, and the operation traps.
    code.global_get(added.limit).i32_const(NO_LIMIT).i32_eq().if_(BlockType::Empty).return_().end();
    stop(&mut code, added);
    code.end().end();
    function
}
