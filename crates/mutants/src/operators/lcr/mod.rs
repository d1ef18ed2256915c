//! LCR, logical connector replacement: `p && q` and `p || q` are replaced by the other connector, `p`, `q`, true, false,
//! `p == q` and `p != q`, in each form that compilers give them: as a bitwise operator on Booleans, as a `select`, or as two
//! branches.
//!
//! Mothra LCR, muJava COR, Major COR, Proteum OLLN.

mod branches;
mod select;

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::code::{instructions, operands};
use super::constant::Constant;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Lcr,
    code: "LCR",
    title: "logical connector replacement",
    aliases: &["COR", "OLLN"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if is_connector(scanned, at) {
        propose_bitwise(scanned, at, out);
    }
    select::propose(scanned, at, out);
    branches::propose(scanned, at, out);
}

/// Whether an instruction connects two Booleans.
pub(super) fn is_connector(scanned: &Scanned<'_>, at: u32) -> bool {
    let scan = scanned.at(at);
    let is_boolean = |operand: &crate::Operand| {
        operand.from.is_some_and(|from| {
            scanned.is_boolean(from) && Constant::of(&scanned.at(from).operator).is_none()
        })
    };
    matches!(scan.operator, Operator::I32And | Operator::I32Or | Operator::I32Xor)
        && scan.artefact.is_none()
        && scan.operands.iter().all(is_boolean)
}

/// The functions of two Booleans that replace a connector, as code after both operands.
const CONNECTORS: [&[I<'static>]; 4] = [&[I::I32And], &[I::I32Or], &[I::I32Eq], &[I::I32Xor]];

fn propose_bitwise(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let own = match scanned.at(at).operator {
        Operator::I32And => 0,
        Operator::I32Or => 1,
        _ => 3,
    };
    let connected = CONNECTORS
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != own)
        .map(|(_, connector)| operands(2).chain(connector.iter().cloned().map(Step::Do)).collect());
    let kept = [0, 1].map(|operand| vec![Step::Operand(operand)]);
    let constant = [1, 0].map(|value| instructions([I::I32Const(value)]).collect());
    for code in connected.chain(kept).chain(constant) {
        out.push(Candidate::one(MutationOperator::Lcr, at, Slot::Result, code, Infection::Differs));
    }
}

/// Whether a condition is true (or false, if not `positive`), as 0 or 1.
fn truth(condition: Step, positive: bool) -> impl Iterator<Item = Step> {
    let not = std::iter::repeat_n(Step::Do(I::I32Eqz), if positive { 2 } else { 1 });
    [condition].into_iter().chain(not)
}

/// Two Booleans, connected.
fn joined(
    p: impl Iterator<Item = Step>,
    q: impl IntoIterator<Item = Step>,
    connector: &[I<'static>],
) -> Vec<Step> {
    p.chain(q).chain(connector.iter().cloned().map(Step::Do)).collect()
}
