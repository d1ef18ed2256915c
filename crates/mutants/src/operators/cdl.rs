//! CDL, constant deletion: `a + 1` becomes `a`.
//!
//! muJava CDL, Proteum CCDL.

use super::binary::drop_operands;
use super::constant::Constant;
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Cdl,
    code: "CDL",
    title: "constant deletion",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    drop_operands(MutationOperator::Cdl, scanned, at, |operator| Constant::of(operator).is_some(), out);
}
