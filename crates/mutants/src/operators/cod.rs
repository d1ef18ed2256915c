//! COD, conditional operator deletion: `!condition` becomes `condition`.
//!
//! muJava COD. Compilers write `!` and `== 0` in the same way; both are removed if the result is a condition.

use dodona_subject::wasmparser::Operator;

use super::binary::keep;
use super::value::{is_condition, is_negation};
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Cod,
    code: "COD",
    title: "negation deletion",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if can_be_dropped(scanned, at) {
        out.push(keep(MutationOperator::Cod, at, 0));
    }
}

/// Whether the operand of a negation can replace it.
pub(super) fn can_be_dropped(scanned: &Scanned<'_>, at: u32) -> bool {
    let scan = scanned.at(at);
    let is_tested = || scan.user.is_some_and(|(user, position)| is_condition(scanned, user, position));
    is_negation(scanned, at) || (matches!(scan.operator, Operator::I32Eqz) && is_tested())
}
