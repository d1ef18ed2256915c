//! LOI, logical operator insertion: the bitwise complement of an integer.
//!
//! muJava LOI, Mothra UOI (logical negation of integers), Proteum OBNG.

use dodona_subject::wasmparser::ValType;
use wasm_encoder::Instruction as I;

use super::code::instructions;
use super::value::uses;
use super::{Definition, MutationOperator};
use crate::{Candidate, Infection, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Loi,
    code: "LOI",
    title: "bitwise complement insertion",
    aliases: &["OBNG"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    for used in uses(scanned, at) {
        let complement = match used.ty {
            ValType::I32 => [I::I32Const(-1), I::I32Xor],
            ValType::I64 => [I::I64Const(-1), I::I64Xor],
            _ => continue,
        };
        if !used.is_simple(scanned) || used.is_boolean(scanned) || used.is_address(scanned) {
            continue;
        }
        let code = [used.value.clone()].into_iter().chain(instructions(complement)).collect();
        out.push(used.replaced(MutationOperator::Loi, code, Infection::Differs));
    }
}
