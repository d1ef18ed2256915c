//! AOR, arithmetic operator replacement: `+ - * / %` for each other, on integers and floats.
//!
//! muJava AORB, Major AOR, PIT Math, Mothra and Proteum AOR.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::code::replace;
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Aor,
    code: "AOR",
    title: "arithmetic operator replacement",
    aliases: &["AORB"],
    propose,
};

const I32: &[I<'static>] = &[I::I32Add, I::I32Sub, I::I32Mul, I::I32DivS, I::I32RemS];
const I32_UNSIGNED: &[I<'static>] = &[I::I32Add, I::I32Sub, I::I32Mul, I::I32DivU, I::I32RemU];
const I64: &[I<'static>] = &[I::I64Add, I::I64Sub, I::I64Mul, I::I64DivS, I::I64RemS];
const I64_UNSIGNED: &[I<'static>] = &[I::I64Add, I::I64Sub, I::I64Mul, I::I64DivU, I::I64RemU];
// Wasm has no float remainder.
const F32: &[I<'static>] = &[I::F32Add, I::F32Sub, I::F32Mul, I::F32Div];
const F64: &[I<'static>] = &[I::F64Add, I::F64Sub, I::F64Mul, I::F64Div];

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let Some((family, own)) = family(&scanned.at(at).operator) else { return };
    replace(MutationOperator::Aor, at, family, own, out);
}

/// The instructions that replace each other, and the index of the one in the code.
fn family(operator: &Operator<'_>) -> Option<(&'static [I<'static>], usize)> {
    use Operator as O;
    Some(match operator {
        O::I32Add => (I32, 0),
        O::I32Sub => (I32, 1),
        O::I32Mul => (I32, 2),
        O::I32DivS => (I32, 3),
        O::I32RemS => (I32, 4),
        O::I32DivU => (I32_UNSIGNED, 3),
        O::I32RemU => (I32_UNSIGNED, 4),
        O::I64Add => (I64, 0),
        O::I64Sub => (I64, 1),
        O::I64Mul => (I64, 2),
        O::I64DivS => (I64, 3),
        O::I64RemS => (I64, 4),
        O::I64DivU => (I64_UNSIGNED, 3),
        O::I64RemU => (I64_UNSIGNED, 4),
        O::F32Add => (F32, 0),
        O::F32Sub => (F32, 1),
        O::F32Mul => (F32, 2),
        O::F32Div => (F32, 3),
        O::F64Add => (F64, 0),
        O::F64Sub => (F64, 1),
        O::F64Mul => (F64, 2),
        O::F64Div => (F64, 3),
        _ => return None,
    })
}
