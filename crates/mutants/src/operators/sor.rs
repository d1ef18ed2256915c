//! SOR, shift operator replacement: `<< >> >>>` for each other, and rotations for each other.
//!
//! muJava SOR, Major SOR, PIT Math (shifts), Proteum OSSN.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::code::replace;
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Sor,
    code: "SOR",
    title: "shift operator replacement",
    aliases: &["OSSN"],
    propose,
};

const I32: &[I<'static>] = &[I::I32Shl, I::I32ShrS, I::I32ShrU];
const I64: &[I<'static>] = &[I::I64Shl, I::I64ShrS, I::I64ShrU];
const I32_ROTATIONS: &[I<'static>] = &[I::I32Rotl, I::I32Rotr];
const I64_ROTATIONS: &[I<'static>] = &[I::I64Rotl, I::I64Rotr];

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let (family, own) = match scanned.at(at).operator {
        Operator::I32Shl => (I32, 0),
        Operator::I32ShrS => (I32, 1),
        Operator::I32ShrU => (I32, 2),
        Operator::I64Shl => (I64, 0),
        Operator::I64ShrS => (I64, 1),
        Operator::I64ShrU => (I64, 2),
        Operator::I32Rotl => (I32_ROTATIONS, 0),
        Operator::I32Rotr => (I32_ROTATIONS, 1),
        Operator::I64Rotl => (I64_ROTATIONS, 0),
        Operator::I64Rotr => (I64_ROTATIONS, 1),
        _ => return,
    };
    replace(MutationOperator::Sor, at, family, own, out);
}
