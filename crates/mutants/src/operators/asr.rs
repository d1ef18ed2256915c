//! ASR, array reference for scalar variable replacement: a read of a variable by an element of an array that the function reads.
//!
//! Mothra ASR.

use super::arrays::{by_references, is_array};
use super::value::read;
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Asr,
    code: "ASR",
    title: "array reference for scalar variable replacement",
    aliases: &[],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if let Some(variable) = read(scanned, at).filter(|&variable| !is_array(scanned, variable)) {
        by_references(MutationOperator::Asr, scanned, at, scanned.locals[variable as usize], out);
    }
}
