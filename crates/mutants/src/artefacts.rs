//! Code that is not mutated: code that compilers added and no programmer wrote, and code that is not under test.

use dodona_subject::wasmparser::Operator;

use crate::scan::{Artefact, Scanned};

/// Marks the artefacts of a function, and the locals that hold addresses of its stack frame.
pub(crate) fn mark(scanned: &mut Scanned<'_>) {
    scanned.frames = vec![false; scanned.locals.len()];
    if let Some(stack) = scanned.module.stack_pointer() {
        mark_stack(scanned, stack);
    }
    let masks: Vec<u32> = (0..scanned.instructions.len() as u32).filter(|&at| is_mask(scanned, at)).collect();
    for mask in masks {
        mark_tree(scanned, mask, Artefact::BooleanMask, &|operator| {
            matches!(operator, Operator::I32And | Operator::I32Const { value: 1 })
        });
    }
}

/// Marks everything that computes a new value of the stack pointer, and the locals that hold its value.
fn mark_stack(scanned: &mut Scanned<'_>, stack: u32) {
    loop {
        let sets: Vec<u32> = (0..scanned.instructions.len() as u32)
            .filter(|&at| scanned.instructions[at as usize].artefact.is_none())
            .filter(|&at| match scanned.at(at).operator {
                Operator::GlobalSet { global_index } | Operator::GlobalGet { global_index } => {
                    global_index == stack
                }
                Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                    !scanned.frames[local_index as usize] && frame_address(scanned, at, stack, 8)
                }
                _ => false,
            })
            .collect();
        if sets.is_empty() {
            return;
        }
        for at in sets {
            if let Operator::LocalSet { local_index } | Operator::LocalTee { local_index } =
                scanned.at(at).operator
            {
                scanned.frames[local_index as usize] = true;
            }
            mark_tree(scanned, at, Artefact::StackPointer, &|_| true);
        }
    }
}

/// Whether an instruction's value is the stack pointer plus or minus constants.
fn frame_address(scanned: &Scanned<'_>, at: u32, stack: u32, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let from = |position: usize| {
        let from = scanned.at(at).operands.get(position).and_then(|o| o.from);
        from.is_some_and(|from| frame_address(scanned, from, stack, depth - 1))
    };
    let constant = |position: usize| {
        scanned.operand(at, position).is_some_and(|s| matches!(s.operator, Operator::I32Const { .. }))
    };
    match scanned.at(at).operator {
        Operator::GlobalGet { global_index } => global_index == stack,
        Operator::LocalSet { .. } | Operator::LocalTee { .. } => from(0),
        Operator::I32Sub => from(0) && constant(1),
        // The address of an object in the frame is a value of the program; an aligned address is not.
        Operator::I32And => from(0) && constant(1),
        _ => false,
    }
}

/// Marks an instruction and the instructions that compute its operands, as long as they are of these kinds.
fn mark_tree(scanned: &mut Scanned<'_>, at: u32, artefact: Artefact, kinds: &dyn Fn(&Operator<'_>) -> bool) {
    // Without recursion, because expressions may be as deep as the function is long.
    let mut rest = vec![at];
    while let Some(at) = rest.pop() {
        if kinds(&scanned.at(at).operator) {
            scanned.instructions[at as usize].artefact = Some(artefact);
            rest.extend(scanned.at(at).operands.iter().filter_map(|operand| operand.from));
        }
    }
}

fn is_mask(scanned: &Scanned<'_>, at: u32) -> bool {
    let masked = matches!(scanned.at(at).operator, Operator::I32And)
        && scanned.operand(at, 1).is_some_and(|s| matches!(s.operator, Operator::I32Const { value: 1 }));
    masked && scanned.at(at).operands[0].from.is_some_and(|from| scanned.is_boolean(from))
}
