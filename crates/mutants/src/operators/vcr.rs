//! VCR, void call removal: a call without result is dropped.
//!
//! PIT Void Method Call, Major STD (calls), muJava SDL. It comes before SDL, of which it is a special case.

use dodona_subject::wasmparser::Operator;

use super::{Definition, MutationOperator};
use crate::kinds::is_number;
use crate::{Candidate, Infection, Scan, Scanned, Slot};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Vcr,
    code: "VCR",
    title: "void call removal",
    aliases: &["VMC"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if is_void_call(scanned.at(at)) {
        out.push(Candidate::one(MutationOperator::Vcr, at, Slot::Result, Vec::new(), Infection::Reached));
    }
}

/// Whether an instruction calls a function without results.
pub(super) fn is_void_call(scan: &Scan<'_>) -> bool {
    let calls = matches!(scan.operator, Operator::Call { .. } | Operator::CallIndirect { .. });
    calls && scan.results.is_empty() && scan.operands.iter().all(|o| is_number(o.ty))
}
