//! What is known at the beginning of a block: assignments and conditions on every path to it.

use std::rc::Rc;

use dodona_smt::term::Term;

use super::flow::Flow;
use super::segment_run::{Ending, Entry, Outcome, Segment, unknown_value};
use crate::code::{Body, Instruction};

/// The versions of a block that is executed repeatedly. In a later turn, one of them may have been executed before.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The block.
    pub block: usize,
    /// The instructions of its versions.
    pub instructions: Vec<Instruction>,
}

/// What is known at the beginning of a block, collected from the blocks that every path to it passes. Between two of these
/// blocks paths may lead through other blocks, and everything that those may write is forgotten. If a path leads through the
/// block of which there are other versions, everything that those may write is forgotten too.
///
/// `None` if no path leads to it.
pub(super) fn entry(
    segment: &mut Segment<'_>,
    body: &Rc<Body>,
    flow: &Flow,
    entries: &mut [Option<Rc<Entry>>],
    block: usize,
    turns: &Turns,
) -> Option<Rc<Entry>> {
    if !flow.is_reachable(block) {
        return None;
    }
    let mut chain = vec![block];
    while let Some(before) = flow.dominator(chain[chain.len() - 1])
        && entries[chain[chain.len() - 1]].is_none()
    {
        chain.push(before);
    }
    for at in (0..chain.len()).rev() {
        let block = chain[at];
        if entries[block].is_some() {
            continue;
        }
        let made = match chain.get(at + 1) {
            None => Entry::of_function(&mut segment.machine.terms, segment.code, body),
            Some(&before) => {
                let known = entries[before].clone()?;
                let of = &flow.blocks[before];
                match segment.run(body, &known, of.start, of.end) {
                    Some(outcome) => behind(segment, (body, flow, turns), &known, outcome, (before, block)),
                    None => unknown(segment, body),
                }
            }
        };
        entries[block] = Some(Rc::new(made));
    }
    entries[block].clone()
}

/// What is known after a block that is followed by another one.
fn behind(
    segment: &mut Segment<'_>,
    (body, flow, turns): (&Body, &Flow, &Turns),
    known: &Entry,
    outcome: Outcome,
    (before, block): (usize, usize),
) -> Entry {
    let mut facts = known.facts.clone();
    let terms = &mut segment.machine.terms;
    for (_, _, traps) in &outcome.traps {
        facts.push(terms.not(*traps));
    }
    if flow.blocks[block].predecessors == [before] {
        if let Ending::Branches(condition) = outcome.ending {
            let holds = taken(body, flow, (before, block));
            facts.extend(holds.map(|holds| if holds { condition } else { terms.not(condition) }));
        }
        let Outcome { locals, globals, memory, .. } = outcome;
        return Entry { locals, globals, memory, facts };
    }
    let Outcome { locals, globals, memory, .. } = outcome;
    let mut entry = Entry { locals, globals, memory, facts };
    for other in flow.between(before, block) {
        let of = &flow.blocks[other];
        for at in of.start..of.end {
            forget(segment, &body.instructions[at as usize], &mut entry);
        }
        if other == turns.block {
            turns.instructions.iter().for_each(|instruction| forget(segment, instruction, &mut entry));
        }
    }
    entry
}

/// The value of the condition with which the branch at the end of a block leads to another block; `None` if it does so with
/// both values.
pub(super) fn taken(body: &Body, flow: &Flow, (before, block): (usize, usize)) -> Option<bool> {
    let last = flow.blocks[before].end - 1;
    let (not_zero, zero) = match &body.instructions[last as usize] {
        Instruction::JumpIf(target, _) => (target.pc, last + 1),
        Instruction::If(otherwise, _) => (last + 1, *otherwise),
        _ => return None,
    };
    match (flow.block(not_zero) == block, flow.block(zero) == block) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Forgets what an instruction may write. A local that only a version has is ignored, because each turn writes it before
/// reading it.
fn forget(segment: &mut Segment<'_>, instruction: &Instruction, entry: &mut Entry) {
    match *instruction {
        Instruction::LocalSet(local) | Instruction::LocalTee(local) => {
            if let Some(value) = entry.locals.get(local as usize).copied() {
                entry.locals[local as usize] = fresh(segment, value);
            }
        }
        Instruction::GlobalSet(global) => {
            entry.globals[global as usize] = fresh(segment, entry.globals[global as usize]);
        }
        Instruction::Call(_) | Instruction::CallIndirect { .. } => {
            for global in segment.changing {
                entry.globals[*global] = fresh(segment, entry.globals[*global]);
            }
            entry.memory = segment.requests.unknown();
        }
        Instruction::Store(_)
        | Instruction::MemoryGrow
        | Instruction::MemoryCopy
        | Instruction::MemoryFill
        | Instruction::MemoryInit(_)
        | Instruction::Unsupported(_) => entry.memory = segment.requests.unknown(),
        _ => {}
    }
}

/// A variable of a value's sort that is nowhere else.
fn fresh(segment: &mut Segment<'_>, value: Term) -> Term {
    let terms = &mut segment.machine.terms;
    let name = format!("any{}", terms.variables().len());
    unknown_value(terms, &name, value.sort())
}

/// Nothing is known.
fn unknown(segment: &mut Segment<'_>, body: &Body) -> Entry {
    let mut entry = Entry::of_function(&mut segment.machine.terms, segment.code, body);
    for local in &mut entry.locals {
        *local = fresh(segment, *local);
    }
    for global in segment.changing {
        entry.globals[*global] = fresh(segment, entry.globals[*global]);
    }
    entry.memory = segment.requests.unknown();
    entry
}
