//! SCR, scalar for constant replacement: a variable of the same type instead of a constant.
//!
//! Mothra SCR.

use wasm_encoder::Instruction as I;

use super::constant::Constant;
use super::svr::variables;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Scr,
    code: "SCR",
    title: "scalar variable for constant replacement",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(constant) = Constant::of(&scanned.at(at).operator) else { return };
    for variable in variables(scanned, constant.ty()) {
        let code = vec![Step::Do(I::LocalGet(variable))];
        out.push(Candidate::one(MutationOperator::Scr, at, Slot::Result, code, Infection::Differs));
    }
}
