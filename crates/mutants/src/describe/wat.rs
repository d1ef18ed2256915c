//! Instructions as the text format writes them.

use dodona_subject::wasmparser::{BinaryReader, Operator, OperatorsReader};
use wasm_encoder::{Encode, Instruction};

use super::Sides;
use super::mnemonic::mnemonic;
use crate::{Edit, Scanned, Slot, Step};

/// An instruction, and the code that replaces it.
pub(super) fn sides(scanned: &Scanned<'_>, edit: &Edit) -> Sides {
    let before = instruction(&scanned.at(edit.at).operator);
    let mut after: Vec<String> = edit.code.iter().filter_map(step).collect();
    if edit.slot == Slot::Operands {
        after.push(before.clone());
    }
    let kept: Vec<_> = edit.code.iter().filter_map(operand).collect();
    let in_order = kept.iter().copied().eq(0..scanned.at(edit.at).operands.len() as u32);
    // The operands are only written if they are not the original's.
    if !in_order || after.is_empty() || after.last() == Some(&before) {
        let words = kept.iter().map(|k| format!("operand {k}"));
        after = words.chain(after).collect();
    }
    let after = if after.is_empty() { "(removed)".to_owned() } else { after.join("; ") };
    Sides { before, after, place: None }
}

fn operand(step: &Step) -> Option<u32> {
    match step {
        Step::Operand(index) => Some(*index),
        _ => None,
    }
}

fn step(step: &Step) -> Option<String> {
    match step {
        Step::Operand(_) | Step::Keep => None,
        Step::Kept => Some("kept".into()),
        Step::Do(done) => Some(encoded(done)),
    }
}

fn encoded(done: &Instruction<'_>) -> String {
    let mut bytes = Vec::new();
    done.encode(&mut bytes);
    let read = OperatorsReader::new(BinaryReader::new(&bytes, 0)).read();
    read.map_or_else(|_| format!("{done:?}"), |operator| instruction(&operator))
}

/// An instruction with those immediates that distinguish it from others.
fn instruction(operator: &Operator<'_>) -> String {
    let name = mnemonic(operator);
    match operator {
        Operator::LocalGet { local_index: index }
        | Operator::LocalSet { local_index: index }
        | Operator::LocalTee { local_index: index }
        | Operator::GlobalGet { global_index: index }
        | Operator::GlobalSet { global_index: index }
        | Operator::Call { function_index: index }
        | Operator::Br { relative_depth: index }
        | Operator::BrIf { relative_depth: index } => format!("{name} {index}"),
        Operator::I32Const { value } => format!("{name} {value}"),
        Operator::I64Const { value } => format!("{name} {value}"),
        Operator::F32Const { value } => format!("{name} {}", f32::from_bits(value.bits())),
        Operator::F64Const { value } => format!("{name} {}", f64::from_bits(value.bits())),
        operator => match super::operation::memarg(operator) {
            Some(memarg) if memarg.offset > 0 => format!("{name} offset={}", memarg.offset),
            _ => name,
        },
    }
}
