//! Determines before an instruction of the original runs whether it would trap.

use dodona_subject::wasmparser::{MemArg, Operator};
use wasm_encoder::Instruction as I;

use crate::Step;
use crate::emit::owned::owned;
use crate::operators::code::division_traps;

/// When an instruction traps.
pub(super) enum Traps {
    /// Never.
    Never,
    /// When these steps leave something other than zero.
    When(Vec<Step>),
    /// It cannot be determined before.
    Unknown,
}

/// When an instruction traps, by its operands.
pub(super) fn traps(operator: &Operator<'_>) -> Traps {
    if let Some(division) = owned(operator).as_ref().and_then(division_traps) {
        return Traps::When(division);
    }
    if let Some((memarg, width)) = access(operator) {
        return Traps::When(out_of_bounds(&memarg, width));
    }
    if is_unpredictable(operator) { Traps::Unknown } else { Traps::Never }
}

/// Whether an access of so many bytes at the first operand is out of bounds.
pub(crate) fn out_of_bounds(memarg: &MemArg, width: u32) -> Vec<Step> {
    out_of_bounds_at(&[Step::Operand(0)], memarg, width)
}

/// Whether an access of so many bytes at the address that these steps push is out of bounds.
pub(crate) fn out_of_bounds_at(address: &[Step], memarg: &MemArg, width: u32) -> Vec<Step> {
    let end = memarg.offset.saturating_add(width.into());
    let beyond = [
        Step::Do(I::I64ExtendI32U),
        Step::Do(I::I64Const(end as i64)),
        Step::Do(I::I64Add),
        Step::Do(I::MemorySize(memarg.memory)),
        Step::Do(I::I64ExtendI32U),
        Step::Do(I::I64Const(16)),
        Step::Do(I::I64Shl),
        Step::Do(I::I64GtU),
    ];
    address.iter().cloned().chain(beyond).collect()
}

/// The place and width of a plain load or store.
pub(crate) fn access(operator: &Operator<'_>) -> Option<(MemArg, u32)> {
    use Operator as O;
    Some(match operator {
        O::I32Load8S { memarg } | O::I32Load8U { memarg } | O::I64Load8S { memarg } => (*memarg, 1),
        O::I64Load8U { memarg } | O::I32Store8 { memarg } | O::I64Store8 { memarg } => (*memarg, 1),
        O::I32Load16S { memarg } | O::I32Load16U { memarg } | O::I64Load16S { memarg } => (*memarg, 2),
        O::I64Load16U { memarg } | O::I32Store16 { memarg } | O::I64Store16 { memarg } => (*memarg, 2),
        O::I32Load { memarg } | O::F32Load { memarg } | O::I64Load32S { memarg } => (*memarg, 4),
        O::I64Load32U { memarg } | O::I32Store { memarg } | O::F32Store { memarg } => (*memarg, 4),
        O::I64Store32 { memarg } => (*memarg, 4),
        O::I64Load { memarg } | O::F64Load { memarg } => (*memarg, 8),
        O::I64Store { memarg } | O::F64Store { memarg } => (*memarg, 8),
        _ => return None,
    })
}

fn is_unpredictable(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::Unreachable
            | O::Call { .. }
            | O::CallIndirect { .. }
            | O::ReturnCall { .. }
            | O::ReturnCallIndirect { .. }
            | O::CallRef { .. }
            | O::MemoryGrow { .. }
            | O::MemoryFill { .. }
            | O::MemoryCopy { .. }
            | O::MemoryInit { .. }
            | O::TableGet { .. }
            | O::TableSet { .. }
            | O::I32TruncF32S
            | O::I32TruncF32U
            | O::I32TruncF64S
            | O::I32TruncF64U
            | O::I64TruncF32S
            | O::I64TruncF32U
            | O::I64TruncF64S
            | O::I64TruncF64U
    )
}
