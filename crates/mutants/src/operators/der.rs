//! DER, do statement end replacement: a loop that ends after its first turn, or never.
//!
//! Mothra DER (one trip), Proteum SMTT and SMTC (n-trip trap and continue).

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Der,
    code: "DER",
    title: "loop end replacement",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let scan = scanned.at(at);
    let conditions: &[i32] = match scan.operator {
        Operator::BrIf { relative_depth }
            if scan.operands.len() == 1 && is_loop(scanned, at, relative_depth) =>
        {
            &[0, 1]
        }
        Operator::Br { relative_depth }
            if scan.may_fall_through && scan.operands.is_empty() && is_loop(scanned, at, relative_depth) =>
        {
            &[0]
        }
        _ => &[],
    };
    for &condition in conditions {
        let code = vec![Step::Do(I::I32Const(condition))];
        out.push(Candidate::one(MutationOperator::Der, at, Slot::Operands, code, Infection::Differs));
    }
}

/// Whether a label is that of a loop.
fn is_loop(scanned: &Scanned<'_>, at: u32, depth: u32) -> bool {
    let frame = scanned.facts.frame(at, depth);
    frame.is_some_and(|frame| matches!(scanned.at(frame).operator, Operator::Loop { .. }))
}
