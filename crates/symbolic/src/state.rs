//! The state of one path: frames, operands, memory, and the assumptions on the way.

use std::rc::Rc;

use dodona_smt::term::{Assignment, Term, Terms, Variable};
use dodona_subject::{CodePoint, PathId};
use smallvec::SmallVec;

use crate::code::{Body, Code, Target};
use crate::end::End;
use crate::memory::Memory;
use crate::process::Process;
use crate::values;

/// A function that was entered and has not returned.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub body: Rc<Body>,
    pub pc: u32,
    /// Where its locals start on the stack.
    pub locals: u32,
    /// Where its operands start on the stack.
    pub operands: u32,
    /// For each loop that it is in, by program counter: how many turns were taken by choice, and the number of choices when the
    /// last turn began.
    pub loops: SmallVec<[Turns; 2]>,
    /// The number of choices when it was entered.
    pub choices: u32,
}

/// How often a loop went round by choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns {
    pub pc: u32,
    pub count: u32,
    pub choices: u32,
}

/// The state of one path.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub frames: Vec<Frame>,
    /// Locals and operands of all frames.
    pub stack: Vec<Term>,
    pub globals: Vec<Term>,
    pub memory: Memory,
    /// Data segments that were dropped.
    pub dropped: SmallVec<[u32; 2]>,
    pub process: Process,
    /// The path constraint: the start's assumptions, then a constraint for each choice.
    pub constraints: Vec<Term>,
    /// Values of the variables that satisfy the constraints.
    pub model: Rc<Assignment>,
    /// The branch decisions of the call.
    pub path: PathId,
    /// The number of choices: decisions that could have had another result.
    pub choices: u32,
    /// Instructions stepped.
    pub steps: u64,
    /// How many traps the instruction at the program counter was shown not to cause.
    pub excluded: u8,
    /// Values that the address of the instruction at the program counter can take, found by a solver. They are the state's own: where
    /// the exploration stops before that instruction, whatever runs next must not take them for the values of its address.
    pub candidates: Option<Vec<u128>>,
    /// Which start it began from.
    pub start: u32,
    /// How many of the constraints are the start's.
    pub assumptions: u32,
    /// The edges that it took and that no finished path had taken.
    pub fresh: SmallVec<[u32; 4]>,
    /// How it ended, if a decision ended it.
    pub ended: Option<End>,
    /// Variables that can have only one value under the constraints.
    pub fixed: SmallVec<[Variable; 2]>,
    /// Whether it is followed by its concrete values, beyond the bounds of loops and without the other sides of its choices.
    pub following: bool,
}

impl State {
    /// The frame that runs.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    /// The frame that runs.
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The place of the next instruction.
    pub(crate) fn point(&self) -> Option<CodePoint> {
        let frame = self.frames.last()?;
        Some(CodePoint { function: frame.body.index, instruction: frame.pc })
    }

    pub(crate) fn push(&mut self, value: Term) {
        self.stack.push(value);
    }

    /// Pops the topmost operand.
    pub(crate) fn pop(&mut self) -> Term {
        // The module validated: there is an operand.
        self.stack.pop().unwrap_or(Term::bits(32, 0))
    }

    /// The operand at this depth below the top.
    pub(crate) fn peek(&self, below: usize) -> Term {
        self.stack[self.stack.len() - 1 - below]
    }

    /// Replaces the operand at this depth below the top.
    pub(crate) fn poke(&mut self, below: usize, value: Term) {
        let at = self.stack.len() - 1 - below;
        self.stack[at] = value;
    }

    /// Continues after the current instruction.
    pub(crate) fn advance(&mut self) {
        self.excluded = 0;
        self.frame_mut().pc += 1;
    }

    /// Enters a function whose arguments are on the stack.
    pub(crate) fn enter(&mut self, body: &Rc<Body>) {
        let locals = self.stack.len() - body.parameters;
        for sort in &body.locals[body.parameters..] {
            self.stack.push(Term::Constant(*sort, 0));
        }
        self.frames.push(Frame {
            body: Rc::clone(body),
            pc: 0,
            locals: locals as u32,
            operands: self.stack.len() as u32,
            loops: SmallVec::new(),
            choices: self.choices,
        });
    }

    /// Leaves the function that runs; its results stay on the stack.
    pub(crate) fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            let results = self.stack.len() - frame.body.results;
            self.stack.drain(frame.locals as usize..results);
        }
        self.excluded = 0;
    }

    /// Jumps within the function that runs.
    pub(crate) fn jump(&mut self, target: Target) {
        let bottom = (self.frame().operands + target.height) as usize;
        let kept = self.stack.len() - target.keep as usize;
        self.stack.drain(bottom..kept);
        self.frame_mut().pc = target.pc;
        self.excluded = 0;
    }

    /// How often the loop at a target has gone round by choice, counting the turn that starts now.
    pub(crate) fn turn(&mut self, pc: u32) -> u32 {
        let choices = self.choices;
        let frame = self.frame_mut();
        let Some(turns) = frame.loops.iter_mut().find(|turns| turns.pc == pc) else {
            frame.loops.push(Turns { pc, count: 1, choices });
            return 1;
        };
        if choices > turns.choices {
            turns.count += 1;
            turns.choices = choices;
        }
        turns.count
    }

    /// A loop is entered from above.
    pub(crate) fn enter_loop(&mut self, pc: u32) {
        let choices = self.choices;
        let frame = self.frame_mut();
        frame.loops.retain(|turns| turns.pc != pc);
        frame.loops.push(Turns { pc, count: 0, choices });
    }

    /// How many frames of a function stand above one another with a choice between each two: how deep it recursed by choice.
    pub(crate) fn recursion(&self, function: u32) -> u32 {
        let mut deep = 0;
        let mut choices = self.choices;
        for frame in self.frames.iter().rev().filter(|frame| frame.body.index == function) {
            if frame.choices < choices {
                deep += 1;
                choices = frame.choices;
            }
        }
        deep
    }

    /// The state before a module does anything: memory and globals as they start.
    pub(crate) fn initial(code: &Code, model: Rc<Assignment>) -> State {
        let pages = code.sections.memory.map_or(0, |(initial, _)| initial);
        let mut memory = Memory::new(pages * crate::code::PAGE);
        for segment in &code.sections.data {
            if let Some(at) = segment.at
                && memory.holds(at.into(), segment.bytes.len() as u64)
            {
                memory.set_all(at.into(), &segment.bytes);
            }
        }
        State { globals: code.sections.globals.clone(), memory, model, ..State::nowhere() }
    }

    /// The state of nothing: no frame, no operand, no memory.
    pub(crate) fn nowhere() -> State {
        State {
            frames: Vec::new(),
            stack: Vec::new(),
            globals: Vec::new(),
            memory: Memory::new(0),
            dropped: SmallVec::new(),
            process: Process::default(),
            constraints: Vec::new(),
            model: Rc::default(),
            path: PathId::START,
            choices: 0,
            steps: 0,
            excluded: 0,
            candidates: None,
            start: 0,
            assumptions: 0,
            fresh: SmallVec::new(),
            ended: None,
            fixed: SmallVec::new(),
            following: false,
        }
    }

    /// Assumes one side of a choice.
    pub(crate) fn assume(&mut self, terms: &Terms, constraint: Term) {
        self.constraints.push(constraint);
        self.choices += 1;
        self.fixed.extend(values::fixed(terms, constraint));
    }

    /// Whether the constraints leave all variables of a term one value.
    pub(crate) fn fixes(&self, terms: &Terms, term: Term) -> bool {
        !self.fixed.is_empty() && terms.variables_of(term).iter().all(|v| self.fixed.contains(v))
    }
}
