//! Binary operators on numbers, and leaving out one of their operands.

use dodona_subject::wasmparser::Operator;

use super::MutationOperator;
use crate::{Candidate, Infection, Scan, Scanned, Slot, Step};

/// Whether an instruction computes with two numbers of the type of its result.
pub(super) fn is_binary(scan: &Scan<'_>) -> bool {
    use Operator as O;
    matches!(
        scan.operator,
        O::I32Add
            | O::I32Sub
            | O::I32Mul
            | O::I32DivS
            | O::I32DivU
            | O::I32RemS
            | O::I32RemU
            | O::I32And
            | O::I32Or
            | O::I32Xor
            | O::I32Shl
            | O::I32ShrS
            | O::I32ShrU
            | O::I32Rotl
            | O::I32Rotr
            | O::I64Add
            | O::I64Sub
            | O::I64Mul
            | O::I64DivS
            | O::I64DivU
            | O::I64RemS
            | O::I64RemU
            | O::I64And
            | O::I64Or
            | O::I64Xor
            | O::I64Shl
            | O::I64ShrS
            | O::I64ShrU
            | O::I64Rotl
            | O::I64Rotr
            | O::F32Add
            | O::F32Sub
            | O::F32Mul
            | O::F32Div
            | O::F64Add
            | O::F64Sub
            | O::F64Mul
            | O::F64Div
    )
}

/// Keeps one operand of an instruction, if `dropped` is true of the instruction that computes the other.
pub(super) fn drop_operands(
    operator: MutationOperator,
    scanned: &Scanned<'_>,
    at: u32,
    dropped: impl Fn(&Operator<'_>) -> bool,
    out: &mut Vec<Candidate>,
) {
    if !is_binary(scanned.at(at)) {
        return;
    }
    for (kept, other) in [(0, 1), (1, 0)] {
        if scanned.operand(at, other).is_some_and(|s| dropped(&s.operator)) {
            out.push(keep(operator, at, kept));
        }
    }
}

/// An operand of an instruction instead of its result.
pub(super) fn keep(operator: MutationOperator, at: u32, operand: u32) -> Candidate {
    Candidate::one(operator, at, Slot::Result, vec![Step::Operand(operand)], Infection::Differs)
}
