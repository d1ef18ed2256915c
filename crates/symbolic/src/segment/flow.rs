//! The control flow of one function: its basic blocks, their dominators, which blocks can be executed repeatedly, and which
//! locals are still read.

use fixedbitset::FixedBitSet;
use petgraph::algo::dominators::{self, Dominators};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

use crate::code::{Body, Instruction};

/// A sequence of instructions that are executed one after the other. Only the last one may continue elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// The first instruction.
    pub start: u32,
    /// The index after the last instruction.
    pub end: u32,
    /// The blocks that may follow, each once.
    pub successors: Vec<usize>,
    /// The blocks that it may follow, each once.
    pub predecessors: Vec<usize>,
}

/// Where all paths from a block meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// At a block.
    Block(usize),
    /// Where the function ends.
    Function,
}

/// The control flow of a function.
#[derive(Debug)]
pub(crate) struct Flow {
    pub blocks: Vec<Block>,
    /// The block of each instruction.
    of: Vec<u32>,
    dominators: Dominators<NodeIndex>,
    /// Dominators of the reversed flow, which begins at the function's end: a node behind those of the blocks.
    post_dominators: Dominators<NodeIndex>,
    /// The blocks that can be executed more than once in a call.
    repeating: FixedBitSet,
    /// For each block the locals that may be read at or after its start before they are written.
    live: Vec<FixedBitSet>,
}

impl Flow {
    /// The control flow of a function.
    pub(crate) fn of(body: &Body) -> Flow {
        let (mut blocks, of) = split(body);
        for block in 0..blocks.len() {
            let last = blocks[block].end - 1;
            let mut successors: Vec<usize> =
                next(body, last).into_iter().map(|pc| of[pc as usize] as usize).collect();
            successors.sort_unstable();
            successors.dedup();
            for &successor in &successors {
                blocks[successor].predecessors.push(block);
            }
            blocks[block].successors = successors;
        }
        let mut graph = DiGraph::<(), ()>::with_capacity(blocks.len(), 2 * blocks.len());
        let nodes: Vec<NodeIndex> = blocks.iter().map(|_| graph.add_node(())).collect();
        for (block, node) in blocks.iter().zip(&nodes) {
            for &successor in &block.successors {
                graph.add_edge(*node, nodes[successor], ());
            }
        }
        let mut repeating = FixedBitSet::with_capacity(blocks.len());
        for component in kosaraju_scc(&graph) {
            let is_loop = component.len() > 1 || graph.contains_edge(component[0], component[0]);
            repeating.extend(component.iter().filter(|_| is_loop).map(|node| node.index()));
        }
        let dominators = dominators::simple_fast(&graph, nodes[0]);
        let post_dominators = post_dominators(graph, &blocks);
        let live = live(body, &blocks);
        Flow { blocks, of, dominators, post_dominators, repeating, live }
    }

    /// The block of an instruction.
    pub(crate) fn block(&self, instruction: u32) -> usize {
        self.of[instruction as usize] as usize
    }

    /// Whether a block can be executed more than once in a call.
    pub(crate) fn repeats(&self, block: usize) -> bool {
        self.repeating.contains(block)
    }

    /// The immediate dominator: the last block that every path to a block passes before it. `None` for the first block, and for
    /// a block that no path reaches.
    pub(crate) fn dominator(&self, block: usize) -> Option<usize> {
        self.dominators.immediate_dominator(NodeIndex::new(block)).map(NodeIndex::index)
    }

    /// The immediate post-dominator: the next place that every path from a block passes, unless it traps or never ends. `None` if no path from it
    /// ends.
    pub(crate) fn post_dominator(&self, block: usize) -> Option<Exit> {
        let next = self.post_dominators.immediate_dominator(NodeIndex::new(block))?.index();
        Some(if next == self.blocks.len() { Exit::Function } else { Exit::Block(next) })
    }

    /// The blocks to which some path leads from a block.
    pub(crate) fn reached_from(&self, from: usize) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.blocks.len());
        let mut open = self.blocks[from].successors.clone();
        while let Some(block) = open.pop() {
            if !reached.put(block) {
                open.extend(&self.blocks[block].successors);
            }
        }
        reached
    }

    /// Whether some path leads to a block.
    pub(crate) fn is_reachable(&self, block: usize) -> bool {
        block == 0 || self.dominator(block).is_some()
    }

    /// The locals that may be read after an instruction that ends a block, before they are written.
    pub(crate) fn live_behind(&self, block: usize) -> FixedBitSet {
        let mut live = FixedBitSet::new();
        for &successor in &self.blocks[block].successors {
            live.union_with(&self.live[successor]);
        }
        live
    }

    /// The blocks on paths from one block to another that it dominates, without the first. The second is included if it can be
    /// executed repeatedly on these paths.
    pub(crate) fn between(&self, from: usize, to: usize) -> Vec<usize> {
        let mut seen = FixedBitSet::with_capacity(self.blocks.len());
        let mut open = self.blocks[to].predecessors.clone();
        let mut between = Vec::new();
        while let Some(block) = open.pop() {
            if block == from || !self.is_reachable(block) || seen.put(block) {
                continue;
            }
            between.push(block);
            open.extend(&self.blocks[block].predecessors);
        }
        between
    }
}

/// Dominators of the reversed flow. Blocks that nothing follows lead to one more node, at which it begins.
fn post_dominators(mut graph: DiGraph<(), ()>, blocks: &[Block]) -> Dominators<NodeIndex> {
    let end = graph.add_node(());
    for (block, _) in blocks.iter().enumerate().filter(|(_, block)| block.successors.is_empty()) {
        graph.add_edge(NodeIndex::new(block), end, ());
    }
    dominators::simple_fast(Reversed(&graph), end)
}

/// The blocks of a function, without their successors, and the block of each instruction.
fn split(body: &Body) -> (Vec<Block>, Vec<u32>) {
    let count = body.instructions.len();
    let mut leaders = FixedBitSet::with_capacity(count + 1);
    leaders.insert(0);
    for at in 0..count as u32 {
        let next = next(body, at);
        if next != [at + 1] {
            leaders.extend(next.into_iter().map(|pc| pc as usize));
            leaders.insert(at as usize + 1);
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut of = Vec::with_capacity(count);
    for at in 0..count {
        if leaders.contains(at) {
            blocks.push(Block { start: at as u32, ..Block::default() });
        }
        let last = blocks.len() - 1;
        blocks[last].end = at as u32 + 1;
        of.push(last as u32);
    }
    (blocks, of)
}

/// The instructions that may be executed after one.
fn next(body: &Body, at: u32) -> Vec<u32> {
    match &body.instructions[at as usize] {
        Instruction::JumpIf(target, _) => vec![at + 1, target.pc],
        Instruction::If(otherwise, _) => vec![at + 1, *otherwise],
        Instruction::Goto(pc) => vec![*pc],
        Instruction::Jump(target) => vec![target.pc],
        Instruction::Switch(switch) => switch.targets.iter().map(|target| target.pc).collect(),
        Instruction::Return | Instruction::Unreachable | Instruction::Unsupported(_) => Vec::new(),
        _ => vec![at + 1],
    }
}

/// For each block the locals that may be read before they are written.
fn live(body: &Body, blocks: &[Block]) -> Vec<FixedBitSet> {
    let locals = body.locals.len();
    let empty = || FixedBitSet::with_capacity(locals);
    let (mut read, mut written) = (vec![empty(); blocks.len()], vec![empty(); blocks.len()]);
    for (block, of) in blocks.iter().enumerate() {
        for at in of.start..of.end {
            match body.instructions[at as usize] {
                Instruction::LocalGet(local) if !written[block].contains(local as usize) => {
                    read[block].insert(local as usize);
                }
                Instruction::LocalSet(local) | Instruction::LocalTee(local) => {
                    written[block].insert(local as usize);
                }
                _ => {}
            }
        }
    }
    let mut live = read.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..blocks.len()).rev() {
            let mut behind = empty();
            blocks[block].successors.iter().for_each(|&next| behind.union_with(&live[next]));
            behind.difference_with(&written[block]);
            behind.union_with(&read[block]);
            changed |= behind != live[block];
            live[block] = behind;
        }
    }
    live
}
