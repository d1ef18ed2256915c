//! SDL, statement deletion: a store, an assignment, a call without a result, or a jump is removed.
//!
//! Mothra SDL, muJava SDL, Major STD, Proteum SSDL, PIT Experimental Member Variable.

use dodona_subject::wasmparser::Operator;
use wasm_encoder::Instruction as I;

use super::vcr::is_void_call;
use super::{Definition, MutationOperator};
use crate::emit::access;
use crate::kinds::is_number;
use crate::{Candidate, Infection, Scanned, Slot, Step};

pub(super) const DEFINITION: Definition = Definition {
    operator: MutationOperator::Sdl,
    code: "SDL",
    title: "statement deletion",
    aliases: &["STD", "SSDL"],
    propose,
};

fn propose(scanned: &Scanned<'_>, at: u32, out: &mut Vec<Candidate>) {
    let scan = scanned.at(at);
    if !scan.operands.iter().all(|o| is_number(o.ty)) {
        return;
    }
    let mut push =
        |slot, code, infection| out.push(Candidate::one(MutationOperator::Sdl, at, slot, code, infection));
    match scan.operator {
        Operator::LocalSet { local_index } => {
            push(Slot::Result, vec![], Infection::Assigned(local_index));
        }
        Operator::LocalTee { local_index } => {
            push(Slot::Result, vec![Step::Operand(0)], Infection::Assigned(local_index));
        }
        Operator::GlobalSet { .. } | Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } => {
            push(Slot::Result, vec![], Infection::Reached);
        }
        Operator::Br { .. } if scan.may_fall_through && scan.operands.is_empty() => {
            push(Slot::Operands, vec![Step::Do(I::I32Const(0))], Infection::Differs);
        }
        _ if is_void_call(scan) => push(Slot::Result, vec![], Infection::Reached),
        // An instruction that stores leaves nothing; a load leaves the value that it read.
        ref operator if access(operator).is_some() && scan.results.is_empty() => {
            push(Slot::Result, vec![], Infection::Stored);
        }
        _ => {}
    }
}
