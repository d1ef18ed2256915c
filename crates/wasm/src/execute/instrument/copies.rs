//! The switch at the entry of a function that has copies, which runs one of them in its place.

use std::collections::BTreeMap;

use wasm_encoder::{BlockType, Function, InstructionSink};

use super::Added;
use crate::execute::variants::FunctionCopy;

/// A hole of at most this many versions goes into the table: two tables cost the original a comparison more.
const MOST_HOLE: u32 = 64;

/// A version of a function, with the copy's index in the instrumented module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arm {
    pub version: u32,
    pub index: u32,
}

/// The arms of each function that has copies, in ascending order of their versions. Copies have indices from `first` on.
pub(super) fn arms(copies: &[FunctionCopy], first: u32) -> BTreeMap<u32, Vec<Arm>> {
    let mut arms: BTreeMap<u32, Vec<Arm>> = BTreeMap::new();
    for (copy, index) in copies.iter().zip(first..) {
        arms.entry(copy.function).or_default().push(Arm { version: copy.version, index });
    }
    arms.values_mut().for_each(|arms| arms.sort_unstable());
    arms
}

/// Runs the copy of the chosen version in place of the code that follows; goes on where there is none.
pub(super) fn switch(code: &mut InstructionSink<'_>, added: &Added, parameters: u32, arms: &[Arm]) {
    for run in arms.chunk_by(|a, b| b.version - a.version <= MOST_HOLE) {
        table(code, added, parameters, run);
    }
}

/// The body of a function of which only copies run.
pub(super) fn only_copies(added: &Added, parameters: u32, arms: &[Arm]) -> Function {
    let mut function = Function::new([]);
    switch(&mut function.instructions(), added, parameters, arms);
    function.instructions().unreachable().end();
    function
}

fn table(code: &mut InstructionSink<'_>, added: &Added, parameters: u32, arms: &[Arm]) {
    let (Some(first), Some(last)) = (arms.first(), arms.last()) else { return };
    // The arm of depth i ends block i; the outermost block's end is the original code.
    let original = arms.len() as u32;
    let mut targets = vec![original; (last.version - first.version) as usize + 1];
    for (depth, arm) in arms.iter().enumerate() {
        targets[(arm.version - first.version) as usize] = depth as u32;
    }
    for _ in 0..=arms.len() {
        code.block(BlockType::Empty);
    }
    code.global_get(added.version).i32_const(first.version as i32).i32_sub();
    code.br_table(targets, original).end();
    for arm in arms {
        (0..parameters).for_each(|parameter| {
            code.local_get(parameter);
        });
        // A tail call: however deep the recursion, a copy needs the stack that the original does.
        code.return_call(arm.index).end();
    }
}
