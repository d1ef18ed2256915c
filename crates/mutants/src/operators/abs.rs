//! ABS, absolute value insertion: the absolute value of a number, the negative of that, and a trap if the number is zero.
//!
//! Mothra ABS (ABS, NEGABS, ZPUSH), Proteum VDTR (domain traps).

use dodona_subject::wasmparser::{Operator, ValType};
use wasm_encoder::Instruction as I;

use super::code::{instructions, is_zero, negated};
use super::constant::Constant;
use super::value::{Use, uses};
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Abs,
    code: "ABS",
    title: "absolute value insertion",
    aliases: &["VDTR"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    for used in uses(scanned, at) {
        // An address has no sign and is never zero.
        if !used.is_boolean(scanned) && !used.is_address(scanned) {
            insert(scanned, &used, out);
        }
    }
}

fn insert(scanned: &Scanned<'_>, used: &Use, out: &mut Vec<Candidate>) {
    let mut push = |code, infection| out.push(used.replaced(MutationOperator::Abs, code, infection));
    // Neither changes whether a number is zero.
    if !used.is_condition(scanned) {
        let absolute = absolute(used.ty, &used.value);
        if !is_natural(scanned, used) {
            absolute.clone().into_iter().for_each(|code| push(code, Infection::Differs));
        }
        let negative = absolute.and_then(|code| negated(used.ty, code));
        negative.into_iter().for_each(|code| push(code, Infection::Differs));
    }
    if let (Some(code), Some(traps)) = (fail_on_zero(used), is_zero(used.ty, &used.value)) {
        push(code, Infection::DiffersOrTraps(traps));
    }
}

/// `|value|`: of the least integer, itself.
fn absolute(ty: ValType, value: &Step) -> Option<Vec<Step>> {
    let (bits, shift, xor, sub) = match ty {
        ValType::I32 => (I::I32Const(31), I::I32ShrS, I::I32Xor, I::I32Sub),
        ValType::I64 => (I::I64Const(63), I::I64ShrS, I::I64Xor, I::I64Sub),
        ValType::F32 => return Some(vec![value.clone(), Step::Do(I::F32Abs)]),
        ValType::F64 => return Some(vec![value.clone(), Step::Do(I::F64Abs)]),
        _ => return None,
    };
    // With s all bits of the sign: (value ^ s) - s.
    let sign = || [value.clone()].into_iter().chain(instructions([bits.clone(), shift.clone()]));
    let code = [value.clone()].into_iter().chain(sign()).chain([Step::Do(xor)]).chain(sign());
    Some(code.chain([Step::Do(sub)]).collect())
}

/// The value, with a trap if it is zero. A division traps without a block.
fn fail_on_zero(used: &Use) -> Option<Vec<Step>> {
    let zero = is_zero(used.ty, &used.value)?;
    let code = [used.value.clone(), Constant::I32(1).step()].into_iter().chain(zero);
    Some(code.chain(instructions([I::I32Eqz, I::I32DivU, I::Drop])).collect())
}

/// Whether a number is obviously never negative.
fn is_natural(scanned: &Scanned<'_>, used: &Use) -> bool {
    use Operator as O;
    let Some(from) = used.from else { return false };
    let constant = scanned.operand(from, 1).and_then(|s| Constant::of(&s.operator));
    match scanned.at(from).operator {
        O::I32Load8U { .. } | O::I32Load16U { .. } | O::I32Clz | O::I32Ctz | O::I32Popcnt => true,
        O::I64Load8U { .. } | O::I64Load16U { .. } | O::I64Load32U { .. } => true,
        O::I64Clz | O::I64Ctz | O::I64Popcnt | O::F32Abs | O::F64Abs | O::F32Sqrt | O::F64Sqrt => true,
        O::I32And => matches!(constant, Some(Constant::I32(0..))),
        O::I64And => matches!(constant, Some(Constant::I64(0..))),
        // A shift counts modulo the width.
        O::I32ShrU => matches!(constant, Some(Constant::I32(1..=31))),
        O::I64ShrU => matches!(constant, Some(Constant::I64(1..=63))),
        _ => false,
    }
}
