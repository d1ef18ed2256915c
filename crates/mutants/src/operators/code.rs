//! Pieces of code that several operators propose.

use dodona_subject::wasmparser::{Operator, ValType};
use wasm_encoder::Instruction as I;

use super::MutationOperator;
use super::constant::Constant;
use crate::{Candidate, Infection, Slot, Step};

/// The first operands of the instruction, in order.
pub(crate) fn operands(count: u32) -> impl Iterator<Item = Step> {
    (0..count).map(Step::Operand)
}

/// Instructions as steps.
pub(super) fn instructions<const N: usize>(instructions: [I<'static>; N]) -> impl Iterator<Item = Step> {
    instructions.into_iter().map(Step::Do)
}

/// An instruction of the original as a step.
pub(super) fn step_of(operator: &Operator<'_>) -> Option<Step> {
    crate::emit::owned(operator).map(Step::Do)
}

/// Replaces the instruction, whose index in the family is `own`, by every other one of the family, with the same two operands.
pub(super) fn replace(
    operator: MutationOperator,
    at: u32,
    family: &[I<'static>],
    own: usize,
    out: &mut Vec<Candidate>,
) {
    for (_, other) in family.iter().enumerate().filter(|(place, _)| *place != own) {
        let code = operands(2).chain([Step::Do(other.clone())]).collect();
        let infection = division_traps(other).map_or(Infection::Differs, Infection::DiffersOrTraps);
        out.push(Candidate::one(operator, at, Slot::Result, code, infection));
    }
}

/// `value + delta`, of a number's type.
pub(super) fn plus(ty: ValType, value: &Step, delta: i8) -> Option<Vec<Step>> {
    let delta = Constant::small(ty, delta)?;
    let add = match ty {
        ValType::I32 => I::I32Add,
        ValType::I64 => I::I64Add,
        ValType::F32 => I::F32Add,
        _ => I::F64Add,
    };
    Some(vec![value.clone(), delta.step(), Step::Do(add)])
}

/// `-value`, of a number's type.
pub(super) fn negated(ty: ValType, value: Vec<Step>) -> Option<Vec<Step>> {
    let negate = match ty {
        ValType::I32 => I::I32Sub,
        ValType::I64 => I::I64Sub,
        ValType::F32 => return Some(value.into_iter().chain([Step::Do(I::F32Neg)]).collect()),
        ValType::F64 => return Some(value.into_iter().chain([Step::Do(I::F64Neg)]).collect()),
        _ => return None,
    };
    let zero = Constant::small(ty, 0)?.step();
    Some([zero].into_iter().chain(value).chain([Step::Do(negate)]).collect())
}

/// Whether `value` equals zero, of a number's type.
pub(super) fn is_zero(ty: ValType, value: &Step) -> Option<Vec<Step>> {
    let value = value.clone();
    Some(match ty {
        ValType::I32 => vec![value, Step::Do(I::I32Eqz)],
        ValType::I64 => vec![value, Step::Do(I::I64Eqz)],
        ValType::F32 => vec![value, Constant::small(ty, 0)?.step(), Step::Do(I::F32Eq)],
        ValType::F64 => vec![value, Constant::small(ty, 0)?.step(), Step::Do(I::F64Eq)],
        _ => return None,
    })
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

/// `|| (least / -1)`, after an `i32`.
fn overflows_i32() -> impl Iterator<Item = Step> {
    let least = [Step::Operand(0)].into_iter().chain(instructions([I::I32Const(i32::MIN), I::I32Eq]));
    let minus_one = [Step::Operand(1)].into_iter().chain(instructions([I::I32Const(-1), I::I32Eq]));
    least.chain(minus_one).chain(instructions([I::I32And, I::I32Or]))
}

fn overflows_i64() -> impl Iterator<Item = Step> {
    let least = [Step::Operand(0)].into_iter().chain(instructions([I::I64Const(i64::MIN), I::I64Eq]));
    let minus_one = [Step::Operand(1)].into_iter().chain(instructions([I::I64Const(-1), I::I64Eq]));
    least.chain(minus_one).chain(instructions([I::I32And, I::I32Or]))
}
