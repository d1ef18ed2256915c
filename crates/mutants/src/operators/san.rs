//! SAN, statement analysis: a trap at the first statement of each basic block, which shows whether tests reach it.
//!
//! Mothra SAN, Proteum STRP. All statements of a basic block are reached together, so one trap is enough.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::value::is_final_end;
use super::{Definition, MutationOperator};
use crate::kinds::is_number;
use crate::{Candidate, Infection, Scan, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::San,
    code: "SAN",
    title: "statement analysis (trap)",
    aliases: &["STRP"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if !is_statement(scanned, at) || !is_first(scanned, at) {
        return;
    }
    let code = vec![Step::Do(I::Unreachable)];
    out.push(Candidate::one(MutationOperator::San, at, Slot::Operands, code, Infection::Reached));
}

/// Whether no other statement is executed immediately before.
fn is_first(scanned: &Scanned<'_>, at: u32) -> bool {
    let before = (0..at).rev().take_while(|&before| !starts_block(scanned.at(before)));
    !before.into_iter().any(|before| scanned.at(before).artefact.is_none() && is_statement(scanned, before))
}

/// Whether an instruction is the root of a statement: it changes state or control, and its value, if any, is not used.
fn is_statement(scanned: &Scanned<'_>, at: u32) -> bool {
    use Operator as O;
    let scan = scanned.at(at);
    if !scan.operands.iter().all(|o| is_number(o.ty)) {
        return false;
    }
    match scan.operator {
        O::LocalSet { .. } | O::GlobalSet { .. } | O::BrIf { .. } | O::BrTable { .. } | O::If { .. } => true,
        O::Return | O::Drop | O::MemoryCopy { .. } | O::MemoryFill { .. } => true,
        O::Call { .. } | O::CallIndirect { .. } => scan.results.is_empty(),
        O::End => is_final_end(scanned, at) && !scan.operands.is_empty(),
        ref operator => crate::emit::access(operator).is_some() && scan.results.is_empty(),
    }
}

/// Whether code after an instruction can be reached without the code before it, or skipped.
fn starts_block(scan: &Scan<'_>) -> bool {
    use Operator as O;
    matches!(
        scan.operator,
        O::End | O::Else | O::Loop { .. } | O::If { .. } | O::BrIf { .. } | O::BrTable { .. }
    ) || !scan.reachable
}
