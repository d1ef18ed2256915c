//! ACR, array reference for constant replacement: a constant by an element of an array that the function reads.
//!
//! Mothra ACR.

use super::arrays::by_references;
use super::constant::Constant;
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Acr,
    code: "ACR",
    title: "array reference for constant replacement",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if let Some(constant) = Constant::of(&scanned.at(at).operator) {
        by_references(MutationOperator::Acr, scanned, at, constant.ty(), out);
    }
}
