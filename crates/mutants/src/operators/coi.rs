//! COI, conditional operator insertion: a condition is negated.
//!
//! muJava COI, Major COR (negation), PIT Negate Conditionals, Mothra UOI (logical negation), Proteum OCNG and OLNG.

use wasm_encoder::Instruction as I;

use super::cod::can_be_dropped;
use super::code::{operands, step_of};
use super::lcr::is_connector;
use super::value::{is_condition, is_negation, read, takes_operands};
use super::{Definition, MutationOperator};
use crate::kinds::is_comparison;
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Coi,
    code: "COI",
    title: "condition negation",
    aliases: &["OCNG", "OLNG"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if negates_itself(scanned, at) {
        let count = scanned.at(at).operands.len() as u32;
        let Some(original) = step_of(&scanned.at(at).operator) else { return };
        let code = operands(count).chain([original, Step::Do(I::I32Eqz)]).collect();
        out.push(Candidate::one(MutationOperator::Coi, at, Slot::Result, code, Infection::Differs));
    }
    let Some(condition) = (scanned.at(at).operands.len() as u32).checked_sub(1) else { return };
    let negated_there = || {
        let from = scanned.at(at).operands[condition as usize].from;
        from.is_some_and(|from| negates_itself(scanned, from) || can_be_dropped(scanned, from))
    };
    if is_condition(scanned, at, condition) && takes_operands(scanned, at) && !negated_there() {
        let code = operands(condition + 1).chain([Step::Do(I::I32Eqz)]).collect();
        out.push(Candidate::one(MutationOperator::Coi, at, Slot::Operands, code, Infection::Differs));
    }
}

/// Whether the result of an instruction is what is negated: a comparison, a connector, or a Boolean variable that is not yet a
/// condition. Values that are negated already belong to COD.
fn negates_itself(scanned: &Scanned<'_>, at: u32) -> bool {
    let scan = scanned.at(at);
    if scan.artefact.is_some() || is_negated(scanned, at) || can_be_dropped(scanned, at) {
        return false;
    }
    let is_flag = || {
        let is_used_as_value =
            scan.user.is_some_and(|(user, position)| !is_condition(scanned, user, position));
        is_used_as_value && read(scanned, at).is_some() && scanned.is_boolean(at)
    };
    is_comparison(&scan.operator) || is_connector(scanned, at) || is_flag()
}

/// Whether the only use of a value is a negation that COD removes.
fn is_negated(scanned: &Scanned<'_>, at: u32) -> bool {
    scanned.at(at).user.is_some_and(|(user, _)| is_negation(scanned, user))
}
