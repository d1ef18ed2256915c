//! AOIS, arithmetic operator insertion (short-cut): one more or one less than a number, and for variables also
//! `x++ x-- ++x --x`, which change the variable.
//!
//! muJava AOIS, PIT UOI, Mothra UOI (increment, decrement) and twiddle, Proteum VTWD.

use wasm_encoder::Instruction as I;

use super::code::plus;
use super::value::{Use, uses};
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Aois,
    code: "AOIS",
    title: "increment and decrement insertion",
    aliases: &["VTWD"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    for used in uses(scanned, at) {
        if used.is_simple(scanned) && !used.is_boolean(scanned) {
            insert(&used, out);
        }
    }
}

fn insert(used: &Use, out: &mut Vec<Candidate>) {
    for delta in [1, -1] {
        let Some(changed) = plus(used.ty, &used.value, delta) else { return };
        out.push(used.replaced(MutationOperator::Aois, changed.clone(), Infection::Differs));
        if let Some(variable) = used.variable {
            let before = changed.iter().cloned().chain([Step::Do(I::LocalTee(variable))]).collect();
            let after =
                [used.value.clone()].into_iter().chain(changed).chain([Step::Do(I::LocalSet(variable))]);
            for code in [before, after.collect()] {
                // The variable differs afterwards, whatever the number is.
                out.push(used.replaced(MutationOperator::Aois, code, Infection::Reached));
            }
        }
    }
}
