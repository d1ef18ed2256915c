//! The number of branches between a state and an edge that is not covered yet.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

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
    flows: Vec<Flow>,
    /// The place of each function among the flows.
    places: FxHashMap<u32, usize>,
}

/// The control flow of a function, which stays the same, and the distances in it.
struct Flow {
    function: u32,
    /// The edges of branches, each with its instruction.
    edges: Vec<(u32, u32)>,
    /// The calls, each with the function that is called; `None` for an indirect call.
    calls: Vec<(u32, Option<u32>)>,
    ways: WaysBack,
    /// For each instruction, branches to a return.
    to_return: Vec<u32>,
    /// For each instruction, branches to an edge that is not covered, in the function or in what it calls.
    to_uncovered: Vec<u32>,
}

/// For each instruction, those that lead to it, each with 1 if a branch decides on that and 0 if not.
struct WaysBack {
    /// Where the list of each instruction starts, and the end of the last.
    starts: Vec<u32>,
    from: Vec<(u32, u32)>,
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
            let Some(flow) = self.places.get(&frame.body.index).map(|place| &self.flows[*place]) else {
                break;
            };
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
        if self.flows.is_empty() {
            let bodies = (0..code.module().function_count()).filter_map(|function| code.body(function));
            self.flows = bodies.map(|body| Flow::new(body)).collect();
            self.places = self.flows.iter().enumerate().map(|(place, flow)| (flow.function, place)).collect();
        }
        let addressed: FxHashSet<u32> = code.sections.tables.iter().flatten().flatten().copied().collect();
        let mut entries: FxHashMap<u32, u32> = FxHashMap::default();
        let mut is_due = vec![true; self.flows.len()];
        // Callees may come after their callers, so the callers of those whose distance has changed are computed again.
        while is_due.contains(&true) {
            let mut nearer: FxHashSet<u32> = FxHashSet::default();
            for (flow, _) in self.flows.iter_mut().zip(&is_due).filter(|(_, is_due)| **is_due) {
                let entry = flow.update(&self.covered, &entries, &addressed);
                if entries.insert(flow.function, entry).unwrap_or(FAR) != entry {
                    nearer.insert(flow.function);
                }
            }
            let is_addressed = nearer.iter().any(|function| addressed.contains(function));
            let calls_nearer = |flow: &Flow| {
                flow.calls.iter().any(|(_, callee)| callee.map_or(is_addressed, |f| nearer.contains(&f)))
            };
            is_due = self.flows.iter().map(calls_nearer).collect();
        }
    }
}

impl Flow {
    fn new(body: &Body) -> Flow {
        let count = body.instructions.len();
        let (mut edges, mut calls, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let mut to_return = vec![FAR; count];
        for (pc, instruction) in (0..).zip(&body.instructions) {
            match instruction {
                Instruction::Return => to_return[pc as usize] = 0,
                Instruction::Call(function) => calls.push((pc, Some(*function))),
                Instruction::CallIndirect { .. } => calls.push((pc, None)),
                _ => {}
            }
            for step in ways(instruction, pc) {
                edges.extend(step.edge.map(|edge| (pc, edge)));
                if (step.to as usize) < count {
                    steps.push((step.to, pc, u32::from(step.edge.is_some())));
                }
            }
        }
        let ways = WaysBack::new(count, steps);
        ways.spread(&mut to_return);
        Flow { function: body.index, edges, calls, ways, to_return, to_uncovered: vec![FAR; count] }
    }

    /// Computes the distances to what is not covered, with those from the entries of functions; returns that from its own entry.
    fn update(
        &mut self,
        covered: &FixedBitSet,
        entries: &FxHashMap<u32, u32>,
        addressed: &FxHashSet<u32>,
    ) -> u32 {
        self.to_uncovered.fill(FAR);
        let entry = |function: &u32| entries.get(function).copied().unwrap_or(FAR);
        let mut nearest_addressed = None;
        for (pc, callee) in &self.calls {
            self.to_uncovered[*pc as usize] = match callee {
                Some(function) => entry(function),
                None => {
                    *nearest_addressed.get_or_insert_with(|| addressed.iter().map(entry).min().unwrap_or(FAR))
                }
            };
        }
        for (pc, _) in self.edges.iter().filter(|(_, edge)| !covered.contains(*edge as usize)) {
            self.to_uncovered[*pc as usize] = 0;
        }
        self.ways.spread(&mut self.to_uncovered);
        self.to_uncovered.first().copied().unwrap_or(FAR)
    }
}

impl WaysBack {
    /// `steps` are an instruction, one that leads to it, and whether a branch decides on that.
    fn new(count: usize, mut steps: Vec<(u32, u32, u32)>) -> WaysBack {
        steps.sort_by_key(|(to, _, _)| *to);
        let starts =
            (0..=count as u32).map(|pc| steps.partition_point(|(to, _, _)| *to < pc) as u32).collect();
        WaysBack { starts, from: steps.into_iter().map(|(_, from, length)| (from, length)).collect() }
    }

    /// Spreads least distances backwards.
    fn spread(&self, distances: &mut [u32]) {
        let mut queue: VecDeque<u32> =
            (0..distances.len() as u32).filter(|pc| distances[*pc as usize] != FAR).collect();
        while let Some(pc) = queue.pop_front() {
            let here = distances[pc as usize];
            let [start, end] = [0, 1].map(|after| self.starts[pc as usize + after] as usize);
            for (source, length) in &self.from[start..end] {
                let there = here.saturating_add(*length);
                if there < distances[*source as usize] {
                    distances[*source as usize] = there;
                    if *length == 0 { queue.push_front(*source) } else { queue.push_back(*source) }
                }
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
