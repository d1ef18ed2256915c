//! AAR, address replacement: memory is accessed one element before or after the address, at another field of the same object,
//! or with another distance between elements.
//!
//! In the manner of Mothra AAR (array reference for array reference replacement), whose arrays are addresses here.

use dodona_subject::wasmparser::{MemArg, Operator, ValType};
use wasm_encoder::Instruction as I;

use super::arrays::is_offset;
use super::code::{instructions, step_of};
use super::constant::Constant;
use super::{Definition, MutationOperator};
use crate::emit::{access, out_of_bounds};
use crate::kinds::local;
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Aar,
    code: "AAR",
    title: "address replacement",
    aliases: &[],
    propose,
};

/// The most other fields that replace one: the nearest ones.
const MOST_FIELDS: usize = 4;

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    propose_stride(scanned, at, out);
    let Some((memarg, width)) = access(&scanned.at(at).operator) else { return };
    // The addresses of a 64-bit memory are of another type.
    let is_wide = scanned.module.memories().get(memarg.memory as usize).is_none_or(|m| m.memory64);
    if is_wide || !scanned.at(at).reachable {
        return;
    }
    for delta in deltas(scanned, at, memarg.offset, i64::from(width)) {
        out.extend(moved(scanned, at, &memarg, width, delta));
    }
}

/// The distances by which an access may be moved, in bytes.
fn deltas(scanned: &Scanned<'_>, at: u32, offset: u64, width: i64) -> Vec<i64> {
    let mut deltas = vec![width, -width];
    let base = scanned.operand(at, 0).and_then(|s| local(&s.operator));
    let fields = base.and_then(|base| scanned.facts.fields.get(&base)).into_iter().flatten();
    let mut others: Vec<i64> = fields.map(|&field| field as i64 - offset as i64).collect();
    others.retain(|delta| *delta != 0 && delta.abs() != width);
    others.sort_by_key(|delta| (delta.abs(), *delta));
    deltas.extend(others.into_iter().take(MOST_FIELDS));
    deltas
}

/// The access at another distance. A load is executed again, to see whether it gives another value. For a store only the
/// address is changed, because a store must not be executed twice.
fn moved(scanned: &Scanned<'_>, at: u32, memarg: &MemArg, width: u32, delta: i64) -> Option<Candidate> {
    let operator = MutationOperator::Aar;
    let is_load = !scanned.at(at).results.is_empty();
    let offset = memarg.offset as i64 + delta;
    if is_load && let Ok(offset @ 0..=0xffff_ffff) = u64::try_from(offset) {
        let memarg = MemArg { offset, ..*memarg };
        let load = step_of(&with_memarg(&scanned.at(at).operator, memarg)?)?;
        let traps = out_of_bounds(&memarg, width);
        let code = vec![Step::Operand(0), load];
        return Some(Candidate::one(operator, at, Slot::Result, code, Infection::DiffersOrTraps(traps)));
    }
    let delta = i32::try_from(delta).ok()?;
    let address = [Step::Operand(0)].into_iter().chain(instructions([I::I32Const(delta), I::I32Add]));
    let others = (1..scanned.at(at).operands.len() as u32).map(Step::Operand);
    let code = address.chain(others).collect();
    Some(Candidate::one(operator, at, Slot::Operands, code, Infection::Differs))
}

/// A load from another place.
fn with_memarg(operator: &Operator<'_>, memarg: MemArg) -> Option<Operator<'static>> {
    use Operator as O;
    Some(match operator {
        O::I32Load { .. } => O::I32Load { memarg },
        O::I64Load { .. } => O::I64Load { memarg },
        O::F32Load { .. } => O::F32Load { memarg },
        O::F64Load { .. } => O::F64Load { memarg },
        O::I32Load8S { .. } => O::I32Load8S { memarg },
        O::I32Load8U { .. } => O::I32Load8U { memarg },
        O::I32Load16S { .. } => O::I32Load16S { memarg },
        O::I32Load16U { .. } => O::I32Load16U { memarg },
        O::I64Load8S { .. } => O::I64Load8S { memarg },
        O::I64Load8U { .. } => O::I64Load8U { memarg },
        O::I64Load16S { .. } => O::I64Load16S { memarg },
        O::I64Load16U { .. } => O::I64Load16U { memarg },
        O::I64Load32S { .. } => O::I64Load32S { memarg },
        O::I64Load32U { .. } => O::I64Load32U { memarg },
        _ => return None,
    })
}

/// The constant that scales an index: one shift more or less, one element of bytes more or less.
fn propose_stride(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(constant) = Constant::of(&scanned.at(at).operator).filter(|c| c.ty() == ValType::I32) else {
        return;
    };
    let Some((scale, 1)) = scanned.at(at).user else { return };
    let scales = matches!(scanned.at(scale).operator, Operator::I32Shl | Operator::I32Mul);
    if !scales || !is_offset(scanned, scale, 4) {
        return;
    }
    for other in [constant.plus(1), constant.plus(-1)] {
        let code = vec![other.step()];
        out.push(Candidate::one(MutationOperator::Aar, at, Slot::Result, code, Infection::Differs));
    }
}
