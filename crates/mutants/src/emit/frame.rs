//! Scratch locals of a patched function, and the code of edits written with them.

use dodona_subject::wasmparser::{Operator, ValType};
use wasm_encoder::Instruction as I;

use crate::{Scanned, Slot, Step};

/// Scratch locals, which come after a function's own locals and are used again by later patches.
pub(crate) struct Frame {
    base: u32,
    types: Vec<ValType>,
    taken: Vec<bool>,
    held: Vec<bool>,
}

impl Frame {
    /// No scratch locals yet.
    pub(crate) fn new(scanned: &Scanned<'_>) -> Frame {
        Frame { base: scanned.locals.len() as u32, types: vec![], taken: vec![], held: vec![] }
    }

    /// A local of this type for the rest of the patch.
    pub(crate) fn local(&mut self, ty: ValType) -> u32 {
        let free = (0..self.types.len()).find(|&i| self.types[i] == ty && !self.taken[i]);
        let index = free.unwrap_or_else(|| {
            self.types.push(ty);
            self.taken.push(false);
            self.held.push(false);
            self.types.len() - 1
        });
        self.taken[index] = true;
        self.base + index as u32
    }

    /// A local of this type for the rest of the function.
    pub(crate) fn held(&mut self, ty: ValType) -> u32 {
        let local = self.local(ty);
        self.held[(local - self.base) as usize] = true;
        local
    }

    /// Locals that the patch no longer needs.
    pub(crate) fn give_back(&mut self, locals: &[u32]) {
        for local in locals {
            self.taken[(local - self.base) as usize] = false;
        }
    }

    /// The next patch: locals that are not held are free again.
    pub(crate) fn next_patch(&mut self) {
        self.taken.clone_from(&self.held);
    }

    /// The types of the scratch locals, in order.
    pub(crate) fn into_locals(self) -> Vec<wasm_encoder::ValType> {
        // Only numbers are operands of mutated instructions, so every type has a counterpart.
        self.types.into_iter().filter_map(|ty| wasm_encoder::ValType::try_from(ty).ok()).collect()
    }
}

/// Takes the operands of an instruction off the operand stack.
pub(crate) fn save(frame: &mut Frame, scanned: &Scanned<'_>, at: u32, out: &mut Vec<I<'static>>) -> Vec<u32> {
    let locals: Vec<u32> = scanned.at(at).operands.iter().map(|o| frame.local(o.ty)).collect();
    out.extend(locals.iter().rev().map(|&local| I::LocalSet(local)));
    locals
}

/// Pushes locals.
pub(crate) fn push(locals: &[u32], out: &mut Vec<I<'static>>) {
    out.extend(locals.iter().map(|&local| I::LocalGet(local)));
}

/// Pops into locals, the last first.
pub(crate) fn pop(locals: &[u32], out: &mut Vec<I<'static>>) {
    out.extend(locals.iter().rev().map(|&local| I::LocalSet(local)));
}

/// Writes steps with these operands and with the values kept in these locals.
pub(crate) fn put(steps: &[Step], operands: &[u32], kept: Option<u32>, out: &mut Vec<I<'static>>) {
    for step in steps {
        out.push(match step {
            Step::Operand(k) => I::LocalGet(operands[*k as usize]),
            Step::Kept => kept.map_or(I::I32Const(0), I::LocalGet),
            Step::Keep => kept.map_or(I::Drop, I::LocalSet),
            Step::Do(instruction) => instruction.clone(),
        });
    }
}

/// Whether an edit keeps a value for a later one, or uses it.
pub(crate) fn keeps(steps: &[Step]) -> bool {
    steps.iter().any(|step| matches!(step, Step::Keep | Step::Kept))
}

/// The types that the code of a slot leaves.
pub(crate) fn leaves(scanned: &Scanned<'_>, at: u32, slot: Slot) -> Vec<ValType> {
    let scan = scanned.at(at);
    match (slot, &scan.operator) {
        (Slot::Result, _) => scan.results.clone(),
        (Slot::Operands, Operator::Br { .. }) => vec![ValType::I32],
        (Slot::Operands, _) => scan.operands.iter().map(|o| o.ty).collect(),
    }
}
