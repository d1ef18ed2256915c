//! CSR, constant for scalar variable replacement: a constant of the function where a variable is read.
//!
//! Mothra CSR, Proteum CLSR and CGSR (Ccsr).

use super::value::read;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Slot};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Csr,
    code: "CSR",
    title: "constant for scalar variable replacement",
    aliases: &["CCSR"],
    propose,
};

/// The most constants that replace one use: the most frequent ones of the function.
const MOST: usize = 8;

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some(variable) = read(scanned, at) else { return };
    let ty = scanned.locals[variable as usize];
    for constant in scanned.facts.constants.iter().filter(|c| c.ty() == ty).take(MOST) {
        let code = vec![constant.step()];
        out.push(Candidate::one(MutationOperator::Csr, at, Slot::Result, code, Infection::Differs));
    }
}
