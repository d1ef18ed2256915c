//! Which locals of a function are Booleans.

use dodona_subject::wasmparser::{Operator, ValType};
use dodona_subject::{DebugInfo, DebugType};

use crate::scan::{Scan, Scanned};

/// Marks the locals that only ever hold 0 or 1: parameters that the source declares Boolean, and locals to which
/// only Booleans are assigned.
pub(crate) fn mark(scanned: &mut Scanned<'_>, debug: Option<&DebugInfo>) {
    let declared = declared(scanned, debug);
    let parameters = scanned.parameters as usize;
    let can_be = |(local, ty): (usize, &ValType)| {
        *ty == ValType::I32 && (local >= parameters || declared.get(local) == Some(&true))
    };
    scanned.booleans = scanned.locals.iter().enumerate().map(can_be).collect();
    // Locals may be assigned to each other. So all count as Booleans until one is found not to be.
    while let Some(local) = scanned.instructions.iter().find_map(|scan| refuted(scanned, scan)) {
        scanned.booleans[local as usize] = false;
    }
}

/// A local that counts as a Boolean although this instruction assigns another value to it.
fn refuted(scanned: &Scanned<'_>, scan: &Scan<'_>) -> Option<u32> {
    let (Operator::LocalSet { local_index } | Operator::LocalTee { local_index }) = scan.operator else {
        return None;
    };
    let counts = scanned.booleans.get(local_index as usize) == Some(&true);
    let is = scan.operands.first().and_then(|o| o.from).is_some_and(|from| scanned.is_boolean(from));
    (counts && scan.reachable && !is).then_some(local_index)
}

/// Which parameters the source declares Boolean.
fn declared(scanned: &Scanned<'_>, debug: Option<&DebugInfo>) -> Vec<bool> {
    let subprogram = debug.and_then(|d| d.subprogram(scanned.module, scanned.function));
    match subprogram.map(|s| &s.parameters) {
        // If the numbers of parameters differ, parameters are not passed one by one.
        Some(parameters) if parameters.len() == scanned.parameters as usize => {
            parameters.iter().map(|p| matches!(p.ty, DebugType::Bool)).collect()
        }
        _ => Vec::new(),
    }
}
