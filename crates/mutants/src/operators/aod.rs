//! AOD, arithmetic operator deletion: either operand of a binary operator, or the operand of a unary minus.
//!
//! muJava ODL and AODU (LOD for a complement, written `x ^ -1` here), PIT AOD and Invert Negatives, Mothra AOR (LEFTOP,
//! RIGHTOP), Proteum OODL. If a constant or variable alone is deleted, the mutant belongs to CDL or VDL.

use dodona_subject::wasmparser::Operator;

use super::binary::{is_binary, keep};
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Aod,
    code: "AOD",
    title: "operator deletion",
    aliases: &["AODU", "LOD"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let scan = scanned.at(at);
    let operands = match scan.operator {
        Operator::F32Neg | Operator::F64Neg => 1,
        _ if is_binary(scan) => 2,
        _ => 0,
    };
    out.extend((0..operands).map(|operand| keep(MutationOperator::Aod, at, operand)));
}
