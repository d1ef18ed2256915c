//! Stepping: one instruction after the other until a path must choose, ends, or is cut.

mod control;
mod memory_instructions;
mod numeric_instructions;

use std::rc::Rc;

use dodona_smt::term::{Term, Terms};
use dodona_subject::{Allocator, CodePoint};
use dodona_target::{ImportName, Trap};
use fixedbitset::FixedBitSet;

use crate::code::{Code, Instruction, Target};
use crate::end::{Cut, End};
use crate::process::Answered;
use crate::state::State;

/// The module of the imports that are modelled.
const WASI: &str = "wasi_snapshot_preview1";

/// One way that a decision can fall.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    /// What it assumes.
    pub constraint: Term,
    pub then: Then,
}

/// What follows from a decision.
#[derive(Clone, Debug)]
pub(crate) enum Then {
    /// A branch leaves in the direction of an edge; its condition is popped.
    Branch { edge: u32, to: Way },
    /// The instruction traps.
    Trap(Trap),
    /// One more trap of the instruction is excluded.
    Exclude,
    /// What had to be known has this value.
    Known { what: Wanted, value: Term },
}

/// Where a branch goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// With the next instruction.
    Next,
    /// At an instruction of the same frame, with the operands as they are.
    To(u32),
    /// At a target.
    Target(Target),
}

/// Why stepping paused.
#[derive(Clone, Debug)]
pub(crate) enum Pause {
    /// The path must choose: exactly one alternative holds for each input.
    Choose(Vec<Alternative>),
    /// A value must be known; for an address, a few candidates do.
    Value {
        what: Wanted,
        kind: Kind,
    },
    Ended(End),
    Cut(Cut),
}

/// A value of a state that must be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The operand so far below the top.
    Operand(usize),
    /// The 32 bits in memory at an address.
    Word(u64),
}

/// What a value is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The address of a load or store: a choice among a few is made within the term.
    Address,
    /// A size, a function, an argument of an import: each value is a path of its own.
    Exact,
}

/// Bounds of stepping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepLimits {
    /// Turns of one loop that were a choice, and depth of recursion by choice.
    pub loop_bound: u32,
    /// Instructions of one state.
    pub steps: u64,
    /// Frames of one state.
    pub frames: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Values of an address that become one term.
    pub table: usize,
}

impl Default for StepLimits {
    /// 30 turns (as the path-directed study has it), a million instructions, 1,000 frames, 64 MiB, 256 values.
    fn default() -> Self {
        StepLimits { loop_bound: 30, steps: 1_000_000, frames: 1_000, memory: 64 << 20, table: 256 }
    }
}

/// Steps states of one module.
pub(crate) struct Machine {
    pub code: Rc<Code>,
    pub terms: Terms,
    pub limits: StepLimits,
    /// The edges that some path has taken which ended.
    pub covered: FixedBitSet,
    /// Instructions stepped by all states.
    pub steps: u64,
    /// How the module gives memory for arguments.
    pub allocator: Allocator,
    /// Functions behind the entries of the first table, for pointers to functions that are in none.
    pub pointers: Vec<u32>,
}

impl Machine {
    pub(crate) fn new(code: Rc<Code>, limits: StepLimits) -> Machine {
        let covered = FixedBitSet::with_capacity(code.branches.edges() as usize);
        let allocator = Allocator::usual(&code.module);
        Machine { code, terms: Terms::new(), limits, covered, steps: 0, allocator, pointers: Vec::new() }
    }

    /// Enters a function whose arguments are the whole stack.
    pub(crate) fn call_from_outside(&mut self, state: &mut State, function: u32) -> Option<Pause> {
        self.call(state, function)
    }

    /// Steps a state until it pauses.
    pub(crate) fn run(&mut self, state: &mut State) -> Pause {
        loop {
            if state.steps >= self.limits.steps {
                return Pause::Cut(Cut::Steps);
            }
            if let Some(pause) = self.step(state) {
                return pause;
            }
            state.steps += 1;
            self.steps += 1;
        }
    }

    /// Steps one instruction. A pause leaves the state before it.
    pub(crate) fn step(&mut self, state: &mut State) -> Option<Pause> {
        let frame = state.frame();
        let (body, pc) = (Rc::clone(&frame.body), frame.pc);
        let locals = frame.locals as usize;
        match &body.instructions[pc as usize] {
            Instruction::Nothing => {}
            Instruction::Loop => state.enter_loop(pc + 1),
            Instruction::Constant(value) => state.push(*value),
            Instruction::LocalGet(local) => state.push(state.stack[locals + *local as usize]),
            Instruction::LocalSet(local) => {
                let value = state.pop();
                state.stack[locals + *local as usize] = value;
            }
            Instruction::LocalTee(local) => state.stack[locals + *local as usize] = state.peek(0),
            Instruction::GlobalGet(global) => state.push(state.globals[*global as usize]),
            Instruction::GlobalSet(global) => state.globals[*global as usize] = state.pop(),
            Instruction::Drop => {
                state.pop();
            }
            Instruction::Select => self.select(state),
            Instruction::Numeric(numeric) => return advanced(self.numeric(state, *numeric), state),
            Instruction::Load(load) => return advanced(self.load(state, load), state),
            Instruction::Store(store) => return advanced(self.store(state, store), state),
            Instruction::MemorySize => {
                state.push(Term::bits(32, u128::from(state.memory.size() / crate::code::PAGE)));
            }
            Instruction::MemoryGrow => return advanced(self.grow(state), state),
            bulk @ (Instruction::MemoryCopy | Instruction::MemoryFill | Instruction::MemoryInit(_)) => {
                return advanced(self.bulk(state, bulk), state);
            }
            Instruction::DataDrop(segment) => state.dropped.push(*segment),
            control => return self.control(state, control),
        }
        state.advance();
        None
    }

    fn select(&mut self, state: &mut State) {
        let condition = state.pop();
        let (b, a) = (state.pop(), state.pop());
        let holds = self.truth(condition);
        let value = self.terms.ite(holds, a, b);
        state.push(value);
    }

    /// Whether an i32 is not zero.
    pub(crate) fn truth(&mut self, value: Term) -> Term {
        if let Some(value) = value.constant() {
            return Term::bool(value != 0);
        }
        let zero = Term::Constant(value.sort(), 0);
        let is_zero = self.terms.equal(value, zero);
        self.terms.not(is_zero)
    }

    /// Follows a decision of a state.
    pub(crate) fn follow(&mut self, state: &mut State, then: &Then) -> Option<Pause> {
        match *then {
            Then::Branch { edge, to } => {
                state.pop();
                self.branch(state, edge, to)
            }
            Then::Trap(trap) => Some(Pause::Ended(End::Trapped(trap))),
            Then::Exclude => {
                state.excluded += 1;
                None
            }
            Then::Known { what, value } => {
                match what {
                    Wanted::Operand(below) => state.poke(below, value),
                    Wanted::Word(address) => state.memory.write(&mut self.terms, address, 4, value),
                }
                None
            }
        }
    }

    /// Takes a branch whose condition was popped.
    fn branch(&mut self, state: &mut State, edge: u32, to: Way) -> Option<Pause> {
        if !self.covered.contains(edge as usize) && !state.fresh.contains(&edge) {
            state.fresh.push(edge);
        }
        state.path = state.path.extend(edge);
        match to {
            Way::Next => state.advance(),
            Way::To(pc) => {
                state.excluded = 0;
                state.frame_mut().pc = pc;
            }
            Way::Target(target) => return self.jump(state, target),
        }
        None
    }

    fn jump(&mut self, state: &mut State, target: Target) -> Option<Pause> {
        state.jump(target);
        if target.back && state.turn(target.pc) > self.limits.loop_bound && !state.following {
            return Some(Pause::Cut(Cut::LoopBound));
        }
        None
    }

    /// Calls an import with its arguments on the stack.
    fn import(&mut self, state: &mut State, function: u32) -> Option<Pause> {
        let code = Rc::clone(&self.code);
        let imports = code.module.imports().iter();
        let mut functions = imports.filter(|i| matches!(i.kind, dodona_subject::ImportKind::Function(_)));
        let import = functions.nth(function as usize);
        let Some(import) = import.filter(|import| import.module == WASI) else {
            // What the function would do elsewhere is not known, so nothing is proved of a call that comes here.
            let name = import.map(|import| ImportName::new(&import.module, &import.name).to_string());
            let name = name.unwrap_or_default();
            return Some(Self::unsupported(state, format!("the import `{name}`")));
        };
        let ty = code.module.function_type(function);
        let (parameters, results) = ty.map_or((0, 0), |ty| (ty.params().len(), ty.results().len()));
        if import.name != "proc_exit"
            && let Some(below) = (0..parameters).find(|i| state.peek(*i).constant().is_none())
        {
            return Some(Self::exact(Wanted::Operand(below)));
        }
        let arguments = state.stack.split_off(state.stack.len() - parameters);
        match state.process.call(&import.name, &arguments, &mut state.memory, &mut self.terms) {
            Answered::Errno(errno) => {
                if results == 1 {
                    state.push(Term::bits(32, errno.into()));
                }
                state.advance();
                None
            }
            Answered::End(end) => Some(Pause::Ended(end)),
            Answered::Unsupported(what) => {
                state.stack.extend(arguments);
                Some(Self::unsupported(state, what))
            }
            Answered::Symbolic(address) => {
                state.stack.extend(arguments);
                Some(Self::exact(Wanted::Word(address)))
            }
        }
    }

    fn exact(what: Wanted) -> Pause {
        Pause::Value { what, kind: Kind::Exact }
    }

    /// The value that must be known.
    pub(crate) fn wanted(&mut self, state: &State, what: Wanted) -> Term {
        match what {
            Wanted::Operand(below) => state.peek(below),
            Wanted::Word(address) => state.memory.read(&mut self.terms, address, 4),
        }
    }

    fn unsupported(state: &State, what: String) -> Pause {
        let point = state.point().unwrap_or(CodePoint { function: 0, instruction: 0 });
        Pause::Cut(Cut::Unsupported(what, point))
    }
}

/// Goes on behind an instruction that did not pause.
#[inline]
fn advanced(pause: Option<Pause>, state: &mut State) -> Option<Pause> {
    if pause.is_none() {
        state.advance();
    }
    pause
}
