//! LOR, logical operator replacement: bitwise `& | ^` for each other.
//!
//! muJava LOR, Major LOR, PIT Math (bitwise), Proteum OBBN. If both operands are Boolean, the mutant belongs to LCR.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::code::replace;
use super::lcr::is_connector;
use super::{Definition, MutationOperator};
use crate::{Candidate, Scanned};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Lor,
    code: "LOR",
    title: "bitwise operator replacement",
    aliases: &["BOR", "OBBN"],
    propose,
};

const I32: &[I<'static>] = &[I::I32And, I::I32Or, I::I32Xor];
const I64: &[I<'static>] = &[I::I64And, I::I64Or, I::I64Xor];

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let (family, own) = match scanned.at(at).operator {
        Operator::I32And => (I32, 0),
        Operator::I32Or => (I32, 1),
        Operator::I32Xor => (I32, 2),
        Operator::I64And => (I64, 0),
        Operator::I64Or => (I64, 1),
        Operator::I64Xor => (I64, 2),
        _ => return,
    };
    if !is_connector(scanned, at) {
        replace(MutationOperator::Lor, at, family, own, out);
    }
}
