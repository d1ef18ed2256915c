//! VDL, variable deletion: `a + x` becomes `a`.
//!
//! muJava VDL, Proteum VVDL.

use dodona_subject::wasmparser::Operator;

use super::binary::drop_operands;
use super::{Definition, MutationOperator};
use crate::kinds::local;
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Vdl,
    code: "VDL",
    title: "variable deletion",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let is_variable =
        |operator: &Operator<'_>| local(operator).is_some_and(|local| scanned.is_variable(local));
    drop_operands(MutationOperator::Vdl, scanned, at, is_variable, out);
}
