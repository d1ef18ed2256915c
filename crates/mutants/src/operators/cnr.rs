//! CNR, comparable array name replacement: the array that is accessed by another one, at the same index.
//!
//! Mothra CNR, Proteum VLAR and VGAR. An array is the address at which it begins, so that every other address that the function accesses is
//! comparable.

use wasm_encoder::Instruction as I;

use super::arrays::{is_array, is_offset};
use super::svr::nearest_others;
use super::value::read;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Cnr,
    code: "CNR",
    title: "comparable array name replacement",
    aliases: &["VLAR", "VGAR"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let name = read(scanned, at).filter(|&local| is_array(scanned, local) && is_offset(scanned, at, 4));
    let Some(name) = name else { return };
    for other in nearest_others(scanned, name).into_iter().filter(|&other| is_array(scanned, other)) {
        let code = vec![Step::Do(I::LocalGet(other))];
        out.push(Candidate::one(MutationOperator::Cnr, at, Slot::Result, code, Infection::Differs));
    }
}
