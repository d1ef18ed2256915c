//! CAR, constant for array reference replacement: a value from memory by a constant of the function.
//!
//! Mothra CAR.

use super::arrays::{MOST, loaded};
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Car,
    code: "CAR",
    title: "constant for array reference replacement",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(ty) = loaded(scanned, at) else { return };
    for constant in scanned.facts.constants.iter().filter(|constant| constant.ty() == ty).take(MOST) {
        let code = vec![constant.step()];
        out.push(Candidate::one(MutationOperator::Car, at, Slot::Result, code, Infection::Differs));
    }
}
