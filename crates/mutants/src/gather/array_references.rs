//! Finds the array references of a function.

use std::collections::HashSet;

use dodona_subject::wasmparser::Operator;

use crate::Step;
use crate::emit::{access, owned};
use crate::references::Reference;
use crate::scan::Scanned;

/// How deep an address may be nested: `xs + ((i + 1) << 2)` has three levels. Deeper ones are rare, because compilers keep parts in locals.
const DEEPEST: u32 = 4;

/// The array references of a function, each once, in the order of their first instructions.
pub(super) fn references(scanned: &Scanned<'_>) -> Vec<Reference> {
    let mut seen = HashSet::new();
    let places = 0..scanned.instructions.len() as u32;
    let found = places.filter_map(|at| reference(scanned, at));
    found.filter(|reference| seen.insert(format!("{:?}", reference.code()))).collect()
}

fn reference(scanned: &Scanned<'_>, at: u32) -> Option<Reference> {
    let scan = scanned.at(at);
    let (memarg, width) = access(&scan.operator)?;
    let [ty] = scan.results[..] else { return None };
    // The addresses of a 64-bit memory are of another type.
    let is_wide = scanned.module.memories().get(memarg.memory as usize).is_none_or(|m| m.memory64);
    if is_wide || !scan.reachable || scan.artefact.is_some() {
        return None;
    }
    let address = address(scanned, scan.operands.first()?.from?, DEEPEST)?;
    let load = Step::Do(owned(&scan.operator)?);
    Some(Reference { at, ty, address, load, memarg, width })
}

/// The code of an address, if it consists of locals and constants.
fn address(scanned: &Scanned<'_>, from: u32, depth: u32) -> Option<Vec<Step>> {
    use Operator as O;
    let scan = scanned.at(from);
    match scan.operator {
        O::LocalGet { local_index } | O::LocalTee { local_index } => {
            Some(vec![Step::Do(wasm_encoder::Instruction::LocalGet(local_index))])
        }
        O::I32Const { .. } => Some(vec![Step::Do(owned(&scan.operator)?)]),
        O::I32Add | O::I32Sub | O::I32Shl | O::I32Mul if depth > 0 => {
            let mut code = Vec::new();
            for operand in &scan.operands {
                code.extend(address(scanned, operand.from?, depth - 1)?);
            }
            code.push(Step::Do(owned(&scan.operator)?));
            Some(code)
        }
        _ => None,
    }
}
