//! What the operators of array references share: which of them stand at a place, and by what they are replaced.

use dodona_subject::wasmparser::{Operator, ValType};

use super::MutationOperator;
use super::svr::variables;
use crate::emit::access;
use crate::{Candidate, Infection, Scanned, Slot};

/// The most array references that replace one expression, and the most constants or variables that replace one array reference. Each more adds a
/// mutant to every constant, every use of a variable and every load of a function with arrays. Four are as many as the fields that AAR tries.
pub(super) const MOST: usize = 4;

/// Replaces the value of an instruction by the nearest array references of its type.
pub(super) fn by_references(
    operator: MutationOperator,
    scanned: &Scanned<'_>,
    at: u32,
    ty: ValType,
    out: &mut Vec<Candidate>,
) {
    let mut near: Vec<_> = scanned.facts.references.iter().filter(|reference| reference.ty == ty).collect();
    near.sort_by_key(|reference| (reference.at.abs_diff(at), reference.at));
    for reference in near.into_iter().take(MOST) {
        let infection = Infection::DiffersOrTraps(reference.traps());
        out.push(Candidate::one(operator, at, Slot::Result, reference.code(), infection));
    }
}

/// The type of the value that an instruction loads.
pub(super) fn loaded(scanned: &Scanned<'_>, at: u32) -> Option<ValType> {
    let scan = scanned.at(at);
    access(&scan.operator)?;
    scan.results.first().copied()
}

/// Whether a local is the base of an access to memory: the name of an array.
pub(super) fn is_array(scanned: &Scanned<'_>, local: u32) -> bool {
    scanned.facts.pointers.get(local as usize) == Some(&true)
}

/// The variables of a type that are no names of arrays.
pub(super) fn scalars(scanned: &Scanned<'_>, ty: ValType) -> impl Iterator<Item = u32> {
    variables(scanned, ty).filter(|&local| !is_array(scanned, local))
}

/// Whether a value is added to an address that is accessed, or is one.
pub(super) fn is_offset(scanned: &Scanned<'_>, at: u32, depth: u32) -> bool {
    let Some((user, position)) = scanned.at(at).user.filter(|_| depth > 0) else { return false };
    match &scanned.at(user).operator {
        Operator::I32Add | Operator::LocalTee { .. } => is_offset(scanned, user, depth - 1),
        operator => position == 0 && access(operator).is_some(),
    }
}
