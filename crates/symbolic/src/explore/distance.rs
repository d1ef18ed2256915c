//! The number of branches between a state and an edge that is not covered yet.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::code::{Body, Code, Instruction, Target};
use crate::state::State;
use crate::step::{Then, Way};

/// The distance if there is no way.
pub(super) const FAR: u32 = u32::MAX;

/// Distances over the control flow of all functions, for one version of the coverage.
#[derive(Default)]
pub(super) struct Distances {
    covered: FixedBitSet,
    version: u32,
    functions: FxHashMap<u32, Flow>,
}

/// For each instruction of a function.
struct Flow {
    /// Branches to an edge that is not covered, in the function or in what it calls.
    to_uncovered: Vec<u32>,
    /// Branches to a return.
    to_return: Vec<u32>,
}

/// A step from an instruction to another. If a branch decides on it, it has an edge.
struct Step {
    to: u32,
    edge: Option<u32>,
}

impl Distances {
    /// Updates the distances to the current coverage; returns its version.
    pub(super) fn update(&mut self, code: &Code, covered: &FixedBitSet) -> u32 {
        if self.version == 0 || self.covered != *covered {
            self.covered = covered.clone();
            self.version += 1;
            self.compute(code);
        }
        self.version
    }

    /// The distance of a state, through the function that runs and, after its return, through the functions that wait for it. A
    /// state that has taken an uncovered edge itself only has to reach its end.
    pub(super) fn of(&self, state: &State, pending: Option<&Then>) -> u32 {
        if state.fresh.iter().any(|edge| !self.covered.contains(*edge as usize)) {
            return 0;
        }
        if let Some(Then::Branch { edge, .. }) = pending
            && !self.covered.contains(*edge as usize)
        {
            return 0;
        }
        let mut least = FAR;
        let mut through: u32 = 0;
        for (depth, frame) in state.frames.iter().rev().enumerate() {
            let Some(flow) = self.functions.get(&frame.body.index) else { break };
            // A frame that waits continues after its call.
            let pc = frame.pc as usize + usize::from(depth > 0);
            let pc = match pending {
                Some(Then::Branch { to: Way::To(pc), .. }) if depth == 0 => *pc as usize,
                Some(Then::Branch { to: Way::Target(target), .. }) if depth == 0 => target.pc as usize,
                Some(Then::Branch { to: Way::Next, .. }) if depth == 0 => pc + 1,
                _ => pc,
            };
            let Some(ahead) = flow.to_uncovered.get(pc) else { break };
            least = least.min(through.saturating_add(*ahead).saturating_add(1));
            through = through.saturating_add(flow.to_return[pc]);
            if through == FAR {
                break;
            }
        }
        least
    }

    fn compute(&mut self, code: &Code) {
        let bodies: Vec<_> = (0..code.module().function_count()).filter_map(|f| code.body(f)).collect();
        let mut entries: FxHashMap<u32, u32> = FxHashMap::default();
        self.functions.clear();
        // Callees may come after their callers, so this is repeated until no distance changes.
        loop {
            let mut changed = false;
            for body in &bodies {
                let flow = self.flow(code, body, &entries);
                let entry = flow.to_uncovered.first().copied().unwrap_or(FAR);
                if entries.insert(body.index, entry).unwrap_or(FAR) != entry {
                    changed = true;
                }
                self.functions.insert(body.index, flow);
            }
            if !changed {
                return;
            }
        }
    }

    fn flow(&self, code: &Code, body: &Body, entries: &FxHashMap<u32, u32>) -> Flow {
        let count = body.instructions.len();
        let mut sources: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        let mut to_uncovered = vec![FAR; count];
        let mut to_return = vec![FAR; count];
        for (pc, instruction) in body.instructions.iter().enumerate() {
            match instruction {
                Instruction::Return => to_return[pc] = 0,
                Instruction::Call(function) => {
                    to_uncovered[pc] = entries.get(function).copied().unwrap_or(FAR);
                }
                Instruction::CallIndirect { .. } => {
                    let targets = code.sections.tables.iter().flatten().flatten();
                    let nearest = targets.filter_map(|f| entries.get(f)).min();
                    to_uncovered[pc] = nearest.copied().unwrap_or(FAR);
                }
                _ => {}
            }
            for way in ways(instruction, pc as u32) {
                if way.edge.is_some_and(|edge| !self.covered.contains(edge as usize)) {
                    to_uncovered[pc] = 0;
                }
                if let Some(sources) = sources.get_mut(way.to as usize) {
                    sources.push((pc as u32, u32::from(way.edge.is_some())));
                }
            }
        }
        spread(&sources, &mut to_uncovered);
        spread(&sources, &mut to_return);
        Flow { to_uncovered, to_return }
    }
}

/// Spreads least distances backwards along ways of length 0 or 1.
fn spread(sources: &[Vec<(u32, u32)>], distances: &mut [u32]) {
    let mut queue: VecDeque<u32> =
        (0..distances.len() as u32).filter(|pc| distances[*pc as usize] != FAR).collect();
    while let Some(pc) = queue.pop_front() {
        let here = distances[pc as usize];
        for (source, length) in &sources[pc as usize] {
            let there = here.saturating_add(*length);
            if there < distances[*source as usize] {
                distances[*source as usize] = there;
                if *length == 0 { queue.push_front(*source) } else { queue.push_back(*source) }
            }
        }
    }
}

fn ways(instruction: &Instruction, pc: u32) -> Vec<Step> {
    let to = |to: u32| Step { to, edge: None };
    let by = |target: &Target, edge: u32| Step { to: target.pc, edge: Some(edge) };
    match instruction {
        Instruction::Unreachable | Instruction::Return | Instruction::Unsupported(_) => Vec::new(),
        Instruction::Goto(pc) => vec![to(*pc)],
        Instruction::Jump(target) => vec![to(target.pc)],
        Instruction::JumpIf(target, edge) => {
            vec![Step { to: pc + 1, edge: Some(*edge) }, by(target, edge + 1)]
        }
        Instruction::If(otherwise, edge) => {
            vec![Step { to: *otherwise, edge: Some(*edge) }, Step { to: pc + 1, edge: Some(edge + 1) }]
        }
        Instruction::Switch(switch) => {
            (switch.edge..).zip(&switch.targets).map(|(edge, target)| by(target, edge)).collect()
        }
        _ => vec![to(pc + 1)],
    }
}
