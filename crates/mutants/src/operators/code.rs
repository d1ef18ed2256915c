//! Pieces of code that several operators propose.

use wasm_encoder::Instruction as I;

use crate::Step;

/// The first operands of the instruction, in order.
pub(super) fn operands(count: u32) -> impl Iterator<Item = Step> {
    (0..count).map(Step::Operand)
}

/// For a division or remainder of the instruction's two operands: whether it traps.
pub(crate) fn division_traps(division: &I<'_>) -> Option<Vec<Step>> {
    let zero_i32 = [Step::Operand(1), Step::Do(I::I32Eqz)];
    let zero_i64 = [Step::Operand(1), Step::Do(I::I64Eqz)];
    match division {
        I::I32DivU | I::I32RemU | I::I32RemS => Some(zero_i32.into()),
        I::I64DivU | I::I64RemU | I::I64RemS => Some(zero_i64.into()),
        I::I32DivS => Some(zero_i32.into_iter().chain(overflows_i32()).collect()),
        I::I64DivS => Some(zero_i64.into_iter().chain(overflows_i64()).collect()),
        _ => None,
    }
}

/// `|| (least / -1)`, behind an `i32`.
fn overflows_i32() -> impl Iterator<Item = Step> {
    [
        Step::Operand(0),
        Step::Do(I::I32Const(i32::MIN)),
        Step::Do(I::I32Eq),
        Step::Operand(1),
        Step::Do(I::I32Const(-1)),
        Step::Do(I::I32Eq),
        Step::Do(I::I32And),
        Step::Do(I::I32Or),
    ]
    .into_iter()
}

fn overflows_i64() -> impl Iterator<Item = Step> {
    [
        Step::Operand(0),
        Step::Do(I::I64Const(i64::MIN)),
        Step::Do(I::I64Eq),
        Step::Operand(1),
        Step::Do(I::I64Const(-1)),
        Step::Do(I::I64Eq),
        Step::Do(I::I32And),
        Step::Do(I::I32Or),
    ]
    .into_iter()
}
