//! Which functions of a module are compiled: those that calls of functions under test can run, but not the originals of functions of
//! which only copies run.
//!
//! Whoever calls one function of a module says so (`Called`). Functions beyond its reach keep their index and lose their body. Coverage
//! chooses its one version in every call, so that with it originals are compiled only where the start of an instance or the allocator
//! runs them.

use std::collections::BTreeSet;

use dodona_subject::{Allocator, Function, Module, reachable};
use wasm_encoder::Instruction;
use wasmparser::Operator;

use crate::execute::Variants;

/// The functions of a module that may run when instances are made, when memory for arguments is allocated, and in calls of these
/// functions under test, whatever version is chosen, with all functions that have copies. What is not among them never runs.
pub(crate) fn kept<'a>(
    module: &Module,
    called: impl Iterator<Item = &'a Function>,
    pointers: &[u32],
    allocator: Allocator,
    variants: &Variants,
) -> BTreeSet<u32> {
    let mut roots: BTreeSet<u32> = pointers.iter().copied().collect();
    roots.extend(called.filter_map(|function| module.export_function(&function.export)));
    roots.extend(unchosen_roots(module, allocator));
    for copy in &variants.copies {
        roots.extend([copy.function]);
        for instruction in copy.patches.iter().flat_map(|patch| &patch.code) {
            add_callees(module, instruction, &mut roots);
        }
    }
    reachable(module, &roots)
}

/// The functions that have copies and whose originals never run: each call chooses a version, and neither the start of an instance
/// nor the allocator can reach them.
pub(crate) fn never_original(module: &Module, allocator: Allocator, variants: &Variants) -> BTreeSet<u32> {
    if !variants.is_always_chosen {
        return BTreeSet::new();
    }
    let unchosen = reachable(module, &unchosen_roots(module, allocator).collect());
    variants.copies.iter().map(|copy| copy.function).filter(|function| !unchosen.contains(function)).collect()
}

/// The functions that code of the kept ones or of patches refers to as values. A module must declare them, which an export is enough for.
pub(crate) fn referred(module: &Module, kept: &BTreeSet<u32>, variants: &Variants) -> BTreeSet<u32> {
    let operators = kept.iter().flat_map(|function| module.operators(*function));
    let in_code = operators.filter_map(|(operator, _)| match operator {
        Operator::RefFunc { function_index } => Some(function_index),
        _ => None,
    });
    let patches = variants.copies.iter().flat_map(|copy| &copy.patches).flat_map(|patch| &patch.code);
    let in_patches = patches.filter_map(|instruction| match instruction {
        Instruction::RefFunc(function) => Some(*function),
        _ => None,
    });
    in_code.chain(in_patches).collect()
}

/// What is called without a version being chosen: when an instance is made, and when memory for arguments is allocated.
fn unchosen_roots(module: &Module, allocator: Allocator) -> impl Iterator<Item = u32> {
    [module.start(), module.export_function("_initialize"), allocator.function()].into_iter().flatten()
}

/// Adds what an instruction of a patch calls or refers to.
fn add_callees(module: &Module, instruction: &Instruction<'_>, roots: &mut BTreeSet<u32>) {
    match instruction {
        Instruction::Call(function) | Instruction::ReturnCall(function) | Instruction::RefFunc(function) => {
            // Patches may also call what instrumentation adds behind the module's own functions.
            roots.extend(Some(*function).filter(|function| *function < module.function_count()));
        }
        Instruction::CallIndirect { .. }
        | Instruction::ReturnCallIndirect { .. }
        | Instruction::CallRef(_)
        | Instruction::ReturnCallRef(_) => roots.extend(module.indirect_targets()),
        _ => {}
    }
}
