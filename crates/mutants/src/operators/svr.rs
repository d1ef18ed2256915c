//! SVR, scalar variable replacement: another variable of the same type.
//!
//! Mothra SVR, Proteum VLSR and VGSR.

use wasm_encoder::Instruction as I;

use super::value::read;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Svr,
    code: "SVR",
    title: "scalar variable replacement",
    aliases: &[],
    propose,
};

/// The most variables that replace one use: the nearest ones. Without names, the temporaries of the compiler count as
/// variables, and a long function has hundreds of them.
const MOST: usize = 10;

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(variable) = read(scanned, at) else { return };
    for other in nearest_others(scanned, variable) {
        let code = vec![Step::Do(I::LocalGet(other))];
        out.push(Candidate::one(MutationOperator::Svr, at, Slot::Result, code, Infection::Differs));
    }
}

/// The nearest other variables of a variable's type, ascending.
pub(super) fn nearest_others(scanned: &Scanned<'_>, variable: u32) -> Vec<u32> {
    let ty = scanned.locals[variable as usize];
    let mut others: Vec<u32> = variables(scanned, ty).filter(|&other| other != variable).collect();
    others.sort_by_key(|other| other.abs_diff(variable));
    others.truncate(MOST);
    others.sort_unstable();
    others
}

/// The variables of a type that the function reads or writes.
pub(super) fn variables(
    scanned: &Scanned<'_>,
    ty: dodona_subject::wasmparser::ValType,
) -> impl Iterator<Item = u32> {
    let is_number = crate::kinds::is_number(ty);
    let of_type = move |local: &u32| is_number && scanned.locals[*local as usize] == ty;
    scanned.facts.variables.iter().copied().filter(of_type)
}
