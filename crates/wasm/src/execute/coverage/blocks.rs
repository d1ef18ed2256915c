//! Basic blocks: stretches of instructions that run one after the other once the first of them runs.

use std::ops::Range;

use dodona_subject::{Branches, CodePoint, Module};
use wasmparser::Operator;

/// A basic block: instructions of a function that run one after the other, unless one of them traps. It ends behind a
/// branch and behind what need not come back: a call, or an operation that uses fuel by its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The function's index in the module.
    pub function: u32,
    /// The instructions' numbers in the function's body. What only opens, divides or ends a block of the bytecode
    /// stands in no range by itself; the function's final `end` does, where control falls to it.
    pub instructions: Range<u32>,
    pub(super) count: Count,
}

impl Block {
    /// Its first instruction.
    pub fn point(&self) -> CodePoint {
        CodePoint { function: self.function, instruction: self.instructions.start }
    }
}

/// Where the number of a block's runs is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// In a counter of its own.
    Counter(u32),
    /// It is that of the only edge that leads to it.
    Edge(u32),
}

/// Finds the blocks of a function in code order, with counters from `counters` on. Code that cannot be reached is in
/// none.
pub(super) fn blocks(module: &Module, branches: &Branches, function: u32, counters: &mut u32) -> Vec<Block> {
    let start = Flow::Before(None);
    let mut finder = Finder { branches, function, counters, frames: vec![], flow: start, blocks: vec![] };
    for (at, (operator, _)) in (0..).zip(module.operators(function)) {
        finder.step(at, &operator);
    }
    finder.blocks
}

/// Where control is.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    /// Nowhere: the code cannot be reached.
    Dead,
    /// Before the first instruction of a block: the edge that leads there, if it is only one.
    Before(Option<u32>),
    /// In the last block found.
    Inside,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Block,
    Loop,
    If,
    Else,
}

/// A block of the bytecode that is open.
struct Frame {
    kind: Kind,
    /// Whether its start can be reached.
    entered: bool,
    /// Whether a branch goes to its end.
    targeted: bool,
    /// Whether control falls out of the first arm of an `if` with two.
    falls: bool,
    /// The edge to where the condition of an `if` is zero.
    otherwise: Option<u32>,
}

struct Finder<'a> {
    branches: &'a Branches,
    function: u32,
    counters: &'a mut u32,
    frames: Vec<Frame>,
    flow: Flow,
    blocks: Vec<Block>,
}

impl Finder<'_> {
    fn step(&mut self, at: u32, operator: &Operator<'_>) {
        use Operator as O;
        match operator {
            O::Block { .. } => self.open(Kind::Block, None),
            O::TryTable { .. } => {
                // Whatever is thrown inside may go on behind any open block.
                self.frames.iter_mut().for_each(|frame| frame.targeted = true);
                self.open(Kind::Block, None);
            }
            O::Loop { .. } => {
                self.open(Kind::Loop, None);
                self.go_on(None);
            }
            O::If { .. } => {
                self.run(at);
                self.open(Kind::If, self.edge(at, 0));
                self.go_on(self.edge(at, 1));
            }
            O::Else => self.divide(),
            O::End if self.frames.is_empty() => self.run(at),
            O::End => self.close(),
            _ => self.instruction(at, operator),
        }
    }

    /// An instruction that does something.
    fn instruction(&mut self, at: u32, operator: &Operator<'_>) {
        use Operator as O;
        self.run(at);
        match operator {
            O::BrIf { relative_depth } => {
                self.target(*relative_depth);
                self.go_on(self.edge(at, 0));
            }
            O::Br { relative_depth } => {
                self.target(*relative_depth);
                self.flow = Flow::Dead;
            }
            O::BrTable { targets } => {
                // The module validated, so every target reads.
                targets.targets().flatten().for_each(|depth| self.target(depth));
                self.target(targets.default());
                self.flow = Flow::Dead;
            }
            O::BrOnNull { relative_depth }
            | O::BrOnNonNull { relative_depth }
            | O::BrOnCast { relative_depth, .. }
            | O::BrOnCastFail { relative_depth, .. } => {
                self.target(*relative_depth);
                self.go_on(None);
            }
            O::Call { .. }
            | O::CallIndirect { .. }
            | O::CallRef { .. }
            | O::MemoryFill { .. }
            | O::MemoryCopy { .. }
            | O::MemoryInit { .. }
            | O::TableFill { .. }
            | O::TableCopy { .. }
            | O::TableInit { .. } => self.go_on(None),
            O::Return
            | O::Unreachable
            | O::ReturnCall { .. }
            | O::ReturnCallIndirect { .. }
            | O::ReturnCallRef { .. }
            | O::Throw { .. }
            | O::ThrowRef => self.flow = Flow::Dead,
            _ => {}
        }
    }

    fn edge(&self, instruction: u32, direction: u32) -> Option<u32> {
        let site = self.branches.site(CodePoint { function: self.function, instruction })?;
        Some(self.branches.edge(site, direction))
    }

    /// An instruction is in the block that control is in, or begins one.
    fn run(&mut self, at: u32) {
        match self.flow {
            Flow::Dead => {}
            Flow::Inside => {
                if let Some(block) = self.blocks.last_mut() {
                    block.instructions.end = at + 1;
                }
            }
            Flow::Before(edge) => {
                let count = edge.map_or(Count::Counter(*self.counters), Count::Edge);
                *self.counters += u32::from(edge.is_none());
                self.blocks.push(Block { function: self.function, instructions: at..at + 1, count });
                self.flow = Flow::Inside;
            }
        }
    }

    /// Another block begins, if control comes here at all.
    fn go_on(&mut self, edge: Option<u32>) {
        if self.flow != Flow::Dead {
            self.flow = Flow::Before(edge);
        }
    }

    fn target(&mut self, depth: u32) {
        // A branch out of the outermost block returns.
        let frame = self.frames.len().checked_sub(depth as usize + 1);
        if let (Some(frame), true) = (frame, self.flow != Flow::Dead) {
            self.frames[frame].targeted = true;
        }
    }

    fn open(&mut self, kind: Kind, otherwise: Option<u32>) {
        let entered = self.flow != Flow::Dead;
        self.frames.push(Frame { kind, entered, targeted: false, falls: false, otherwise });
    }

    fn divide(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.kind = Kind::Else;
        frame.falls = self.flow != Flow::Dead;
        self.flow = if frame.entered { Flow::Before(frame.otherwise) } else { Flow::Dead };
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let others = frame.targeted || self.flow != Flow::Dead;
        match frame.kind {
            // Branches to a loop go to its start.
            Kind::Loop => {}
            Kind::If if frame.entered && !others => self.flow = Flow::Before(frame.otherwise),
            Kind::If if frame.entered => self.flow = Flow::Before(None),
            Kind::Block | Kind::If if !frame.targeted => {}
            Kind::Else if !frame.targeted && !frame.falls => {}
            Kind::Block | Kind::If | Kind::Else => self.flow = Flow::Before(None),
        }
    }
}
