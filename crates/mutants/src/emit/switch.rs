//! Several edits of one instruction, one of them chosen at run time.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dodona_subject::wasmparser::{Operator, ValType};
use dodona_wasm::execute::{Additions, Original, Patch};
use wasm_encoder::{BlockType, Instruction as I};

use super::frame::{Frame, leaves, pop, push, put, save};
use super::owned::owned;
use crate::{Edit, Scanned, Slot};

/// The edits of one instruction by slot, each with the number of its alternative, ascending.
pub(crate) type Arms<'a> = BTreeMap<Slot, Vec<(u32, &'a Edit)>>;

/// A patch that runs the edit whose alternative is chosen; any other alternative runs the original.
///
/// `kept` is the local for what an edit keeps. `None` for an instruction that cannot be written again.
pub(crate) fn switch(
    frame: &mut Frame,
    scanned: &Scanned<'_>,
    at: u32,
    arms: &Arms<'_>,
    kept: Option<u32>,
    additions: &Additions,
) -> Option<Patch> {
    let mut site = Site::new(frame, scanned, at, kept);
    if let Some(edits) = arms.get(&Slot::Operands) {
        let operands = site.operands.clone();
        site.choose(edits, &operands, Vec::new(), additions);
    }
    let Some(edits) = arms.get(&Slot::Result) else { return Some(site.original()) };
    let types = leaves(scanned, at, Slot::Result);
    let results: Vec<u32> = types.into_iter().map(|ty| frame.local(ty)).collect();
    let mut original = Vec::new();
    push(&site.operands, &mut original);
    original.push(owned(&scanned.at(at).operator)?);
    pop(&results, &mut original);
    site.choose(edits, &results, original, additions);
    push(&results, &mut site.code);
    Some(Patch { at, code: site.code, original: Original::Left })
}

/// A patch with one edit in place of the original.
pub(crate) fn plain(frame: &mut Frame, scanned: &Scanned<'_>, edit: &Edit, kept: Option<u32>) -> Patch {
    let mut site = Site::new(frame, scanned, edit.at, kept);
    put(&edit.code, &site.operands, kept, &mut site.code);
    match edit.slot {
        Slot::Result => Patch { at: edit.at, code: site.code, original: Original::Left },
        Slot::Operands => {
            let operands = site.operands.clone();
            pop(&operands, &mut site.code);
            site.original()
        }
    }
}

/// A place being written.
struct Site<'a, 'm> {
    scanned: &'a Scanned<'m>,
    at: u32,
    kept: Option<u32>,
    /// Locals with what the instruction runs on; for a jump, the condition.
    operands: Vec<u32>,
    code: Vec<I<'static>>,
}

impl<'a, 'm> Site<'a, 'm> {
    fn new(frame: &mut Frame, scanned: &'a Scanned<'m>, at: u32, kept: Option<u32>) -> Self {
        let mut code = Vec::new();
        let mut operands = save(frame, scanned, at, &mut code);
        if matches!(scanned.at(at).operator, Operator::Br { .. }) {
            // A jump is a branch on 1.
            let condition = frame.local(ValType::I32);
            code.extend([I::I32Const(1), I::LocalSet(condition)]);
            operands = vec![condition];
        }
        Site { scanned, at, kept, operands, code }
    }

    /// Runs the chosen edit, or the code of the original if none is chosen. Both leave their values in `into`.
    fn choose(
        &mut self,
        edits: &[(u32, &Edit)],
        into: &[u32],
        original: Vec<I<'static>>,
        additions: &Additions,
    ) {
        let count = edits.len() as u32;
        let first = edits.first().map_or(0, |(alternative, _)| *alternative);
        // The outermost block ends after all arms, the innermost one before the original.
        self.code.extend((0..count + 2).map(|_| I::Block(BlockType::Empty)));
        self.code.push(I::GlobalGet(additions.alternative));
        self.code.extend([I::I32Const(first as i32), I::I32Sub]);
        self.code.push(I::BrTable(Cow::Owned(labels(edits)), 0));
        self.code.push(I::End);
        self.code.extend(original);
        self.code.push(I::Br(count));
        for (number, (_, edit)) in edits.iter().enumerate() {
            self.code.push(I::End);
            put(&edit.code, &self.operands, self.kept, &mut self.code);
            pop(into, &mut self.code);
            self.code.push(I::Br(count - 1 - number as u32));
        }
        self.code.push(I::End);
    }

    /// Continues with the instruction itself.
    fn original(mut self) -> Patch {
        push(&self.operands, &mut self.code);
        let original = match self.scanned.at(self.at).operator {
            Operator::Br { relative_depth } => {
                self.code.push(I::BrIf(relative_depth));
                Original::Left
            }
            _ => Original::Kept,
        };
        Patch { at: self.at, code: self.code, original }
    }
}

/// The label for each alternative, from the first on: that of its arm, or 0 if no edit has this number.
fn labels(edits: &[(u32, &Edit)]) -> Vec<u32> {
    let Some((first, _)) = edits.first() else { return Vec::new() };
    let last = edits.last().map_or(*first, |(alternative, _)| *alternative);
    let mut labels = vec![0; (last - first + 1) as usize];
    for (number, (alternative, _)) in edits.iter().enumerate() {
        labels[(alternative - first) as usize] = number as u32 + 1;
    }
    labels
}
