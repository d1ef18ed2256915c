//! AOIU, arithmetic operator insertion (unary): the negative of a number.
//!
//! muJava AOIU, PIT ABS, Mothra UOI (arithmetic negation).

use super::code::negated;
use super::value::uses;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Aoiu,
    code: "AOIU",
    title: "unary minus insertion",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    for used in uses(scanned, at) {
        // Addresses and Booleans are not negated, and the negative of a number is zero if the number is.
        if used.is_boolean(scanned) || used.is_address(scanned) || used.is_condition(scanned) {
            continue;
        }
        if let Some(code) = negated(used.ty, vec![used.value.clone()]) {
            out.push(used.replaced(MutationOperator::Aoiu, code, Infection::Differs));
        }
    }
}
