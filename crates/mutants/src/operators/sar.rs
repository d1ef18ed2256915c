//! SAR, scalar variable for array reference replacement: a value from memory by a variable of its type.
//!
//! Mothra SAR.

use wasm_encoder::Instruction as I;

use super::arrays::{MOST, loaded, scalars};
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Sar,
    code: "SAR",
    title: "scalar variable for array reference replacement",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(ty) = loaded(scanned, at) else { return };
    for variable in scalars(scanned, ty).take(MOST) {
        let code = vec![Step::Do(I::LocalGet(variable))];
        out.push(Candidate::one(MutationOperator::Sar, at, Slot::Result, code, Infection::Differs));
    }
}
