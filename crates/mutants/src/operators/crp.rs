//! CRP, constant replacement: 0, 1, -1, one more, one less, the negative, and another constant of the function.
//!
//! Mothra CRP and SRC, Major LVR, PIT Inline Constant (CRCR), Proteum CLCR and CGCR.

use super::constant::Constant;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Crp,
    code: "CRP",
    title: "constant replacement",
    aliases: &["SRC", "LVR", "CRCR"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(constant) = Constant::of(&scanned.at(at).operator) else { return };
    let ty = constant.ty();
    let small = [0, 1, -1].into_iter().filter_map(|value| Constant::small(ty, value));
    let near = [constant.plus(1), constant.plus(-1), constant.negated()];
    let mut others: Vec<Constant> = Vec::new();
    for other in small.chain(near) {
        if other != constant && !others.contains(&other) {
            others.push(other);
        }
    }
    let is_new = |other: &&Constant| other.ty() == ty && **other != constant && !others.contains(other);
    let another = scanned.facts.constants.iter().find(is_new).copied();
    for other in others.into_iter().chain(another) {
        let code = vec![other.step()];
        out.push(Candidate::one(MutationOperator::Crp, at, Slot::Result, code, Infection::Differs));
    }
}
