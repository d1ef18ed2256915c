//! ASRS, short-cut assignment operator replacement: `x += e` becomes `x = e`.
//!
//! muJava ASRS, Proteum OAEA. Other operators in an update (`x -= e` instead of `x += e`) belong to AOR, LOR and SOR, because
//! compilers write `x += e` and `x = x + e` in the same way.

use dodona_subject::wasmparser::Operator;

use super::binary::{is_binary, keep};
use super::{Definition, MutationOperator};
use crate::emit::access;
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Asrs,
    code: "ASRS",
    title: "short-cut assignment replacement",
    aliases: &["OAEA"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    if !is_binary(scanned.at(at)) {
        return;
    }
    for (old, other) in [(0, 1), (1, 0)] {
        if updates(scanned, at, old) {
            out.push(keep(MutationOperator::Asrs, at, other));
            return;
        }
    }
}

/// Whether the result is written to the place from which an operand comes.
fn updates(scanned: &Scanned<'_>, at: u32, operand: usize) -> bool {
    let Some((user, position)) = scanned.at(at).user else { return false };
    let Some(old) = scanned.at(at).operands[operand].from else { return false };
    match (&scanned.at(user).operator, &scanned.at(old).operator) {
        (
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index },
            Operator::LocalGet { local_index: read } | Operator::LocalTee { local_index: read },
        ) => local_index == read,
        (store, load) => position == 1 && same_place(scanned, (user, store), (old, load)),
    }
}

/// Whether a store and a load access one place: the same offset from the same local.
fn same_place(scanned: &Scanned<'_>, store: (u32, &Operator<'_>), load: (u32, &Operator<'_>)) -> bool {
    let (Some((to, to_width)), Some((from, from_width))) = (access(store.1), access(load.1)) else {
        return false;
    };
    let base = |at: u32| scanned.operand(at, 0).and_then(|s| crate::kinds::local(&s.operator));
    let same = (to.offset, to.memory, to_width) == (from.offset, from.memory, from_width);
    same && base(store.0).is_some() && base(store.0) == base(load.0)
}
