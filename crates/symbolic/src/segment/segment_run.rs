//! Runs a block of code on terms from any state. Nothing is known of memory, except that equal loads of equal memory give equal
//! values.
//!
//! The paths of an exploration begin at a call, and every byte of memory is known there. A segment begins in the middle of a
//! function, so that its locals, its globals and the values that it loads are variables. If two versions of a segment make the
//! same accesses and calls, they get the same variables for the results. If an access differs, they get different variables,
//! about which nothing is claimed. What is proved for all values of the variables therefore holds for the values that memory
//! and calls really give.

use std::rc::Rc;

use dodona_smt::term::{Op, Sort, Term, Terms};
use dodona_target::Trap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::code::{Body, Code, Instruction, Load, Store};
use crate::end::End;
use crate::state::State;
use crate::step::{Machine, Pause, Then};

/// An access to memory, or a call of other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// A load of so many bytes: its address.
    Load { offset: u64, bytes: u8 },
    /// A store of the low bytes of a value: its address and its value.
    Store { offset: u64, bytes: u8 },
    /// A call of a function: its arguments, and the globals that may change.
    Call(u32),
    /// A call by a table: its arguments, the index, and the globals that may change.
    Indirect { ty: u32, table: u32 },
    /// Another instruction that reads or changes memory as a whole, with a number for its kind: its operands.
    Memory(u32),
}

/// A request with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Asked {
    pub request: Request,
    pub operands: SmallVec<[Term; 4]>,
}

/// A state of memory, given by the requests that were made since the start: the number of the last of them in [`Requests`].
pub(crate) type Memory = u32;

/// The memory at the start, of which nothing is known.
const AT_START: Memory = 0;

/// Every request with the memory on which it was made, and the variables that it gave. The same request on the same memory
/// gives the same variables.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    known: FxHashMap<(Memory, Asked), Memory>,
    /// For each memory the request that made it.
    made: Vec<Option<(Memory, Asked)>>,
    /// The variables for loaded values, and for results and globals by their index.
    given: FxHashMap<(Memory, Option<Asked>, u32), Term>,
}

impl Requests {
    /// The memory after a request that may change it.
    fn after(&mut self, memory: Memory, asked: &Asked) -> Memory {
        if self.made.is_empty() {
            self.made.push(None);
        }
        let next = self.made.len() as Memory;
        let key = (memory, asked.clone());
        let after = *self.known.entry(key.clone()).or_insert(next);
        if after == next {
            self.made.push(Some(key));
        }
        after
    }

    /// A new memory of which nothing is known.
    pub(crate) fn unknown(&mut self) -> Memory {
        if self.made.is_empty() {
            self.made.push(None);
        }
        self.made.push(None);
        self.made.len() as Memory - 1
    }

    /// The variable for one result of a request, given by its index.
    fn given(&mut self, terms: &mut Terms, key: (Memory, Option<Asked>, u32), sort: Sort) -> Term {
        let number = self.given.len();
        *self.given.entry(key).or_insert_with(|| unknown_value(terms, &format!("given{number}"), sort))
    }

    /// The value of a load: the value that was last stored at its address, if that is certain, otherwise a variable.
    fn loaded(&mut self, terms: &mut Terms, mut memory: Memory, asked: Asked, bytes: u8) -> Term {
        let width = 8 * bytes;
        while let Some(Some((
            before,
            Asked { request: Request::Store { offset, bytes: stored }, operands },
        ))) = self.made.get(memory as usize)
        {
            let Request::Load { offset: from, .. } = asked.request else { break };
            match (asked.operands[0] == operands[0], from == *offset && bytes == *stored) {
                (true, true) => return low_bits(terms, operands[1], width),
                (true, false)
                    if from + u64::from(bytes) <= *offset || offset + u64::from(*stored) <= from =>
                {
                    memory = *before;
                }
                _ => break,
            }
        }
        self.given(terms, (memory, Some(asked), 0), Sort::Bits(width))
    }
}

/// A variable of a sort. A float is made from bits, so that the payload of a NaN is kept.
pub(crate) fn unknown_value(terms: &mut Terms, name: &str, sort: Sort) -> Term {
    match sort {
        Sort::F32 | Sort::F64 => {
            let bits = terms.variable(name, Sort::Bits(sort.width()));
            terms.apply(Op::FromBits, sort, &[bits])
        }
        _ => terms.variable(name, sort),
    }
}

/// A value as bits.
pub(crate) fn bits(terms: &mut Terms, value: Term) -> Term {
    match value.sort() {
        Sort::F32 | Sort::F64 => terms.apply(Op::ToBits, Sort::Bits(value.sort().width()), &[value]),
        _ => value,
    }
}

fn low_bits(terms: &mut Terms, value: Term, width: u8) -> Term {
    let value = bits(terms, value);
    if value.sort().width() == width { value } else { terms.extract(value, 0, width) }
}

/// What is known at the beginning of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub locals: Vec<Term>,
    pub globals: Vec<Term>,
    pub memory: Memory,
    /// Facts that are true there.
    pub facts: Vec<Term>,
}

impl Entry {
    /// The beginning of a function: nothing is known of its parameters, of the globals that may change, and of memory. Its
    /// other locals are 0.
    pub(crate) fn of_function(terms: &mut Terms, code: &Code, body: &Body) -> Entry {
        let mut locals: Vec<Term> = Vec::new();
        for (local, sort) in body.locals.iter().enumerate() {
            locals.push(match local < body.parameters {
                true => unknown_value(terms, &format!("parameter{local}"), *sort),
                false => Term::Constant(*sort, 0),
            });
        }
        let globals = code.module().globals().iter().zip(&code.sections.globals).enumerate();
        let globals = globals.map(|(global, (declared, value))| match declared.ty.mutable {
            true => unknown_value(terms, &format!("global{global}"), value.sort()),
            false => *value,
        });
        let globals = globals.collect();
        Entry { locals, globals, memory: AT_START, facts: Vec::new() }
    }
}

/// How a segment ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It continues after its last instruction, or with a jump.
    Goes,
    /// A branch decides by this truth value.
    Branches(Term),
    /// A `br_table` decides by this index.
    Switches(Term),
    /// The function returns these values.
    Returns(Vec<Term>),
    /// It traps in any case.
    Traps,
}

/// The effect of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub asked: Vec<Asked>,
    /// The conditions under which it traps, in order, each with the number of requests that were made before, and the trap.
    pub traps: Vec<(usize, Trap, Term)>,
    pub ending: Ending,
    pub locals: Vec<Term>,
    pub globals: Vec<Term>,
    pub memory: Memory,
}

/// Runs segments.
pub(crate) struct Segment<'a> {
    pub machine: &'a mut Machine,
    pub requests: &'a mut Requests,
    pub code: &'a Code,
    /// The globals that may change.
    pub changing: &'a [usize],
}

impl Segment<'_> {
    /// Runs from an instruction to the first one that decides where to continue, or to the end of its block. `None` if an
    /// instruction is not supported, or takes operands of another block.
    pub(crate) fn run(&mut self, body: &Rc<Body>, entry: &Entry, from: u32, end: u32) -> Option<Outcome> {
        let mut state = State::nowhere();
        state.stack.extend(&entry.locals);
        // A changed version may have additional locals, which are 0 until it writes them.
        let more = body.locals.iter().skip(entry.locals.len());
        state.stack.extend(more.map(|sort| Term::Constant(*sort, 0)));
        state.globals.clone_from(&entry.globals);
        let locals = state.stack.len();
        state.frames.push(crate::state::Frame {
            body: Rc::clone(body),
            pc: from,
            locals: 0,
            operands: locals as u32,
            loops: SmallVec::new(),
            choices: 0,
        });
        if body.heights[from as usize] != 0 {
            return None;
        }
        let mut outcome = Outcome {
            asked: Vec::new(),
            traps: Vec::new(),
            ending: Ending::Goes,
            locals: Vec::new(),
            globals: Vec::new(),
            memory: entry.memory,
        };
        while state.frame().pc < end {
            if let Some(ending) = self.instruction(body, &mut state, &mut outcome)? {
                outcome.ending = ending;
                break;
            }
        }
        // Values that stay on the stack for the next block would have to be compared as well.
        let is_over = matches!(outcome.ending, Ending::Returns(_) | Ending::Traps);
        if state.stack.len() != locals && !is_over {
            return None;
        }
        outcome.locals = state.stack[..locals].to_vec();
        outcome.globals = state.globals;
        Some(outcome)
    }

    /// Runs one instruction: `None` if it is not supported, otherwise the end, if the segment ends here.
    fn instruction(
        &mut self,
        body: &Body,
        state: &mut State,
        outcome: &mut Outcome,
    ) -> Option<Option<Ending>> {
        let pc = state.frame().pc;
        match &body.instructions[pc as usize] {
            Instruction::Load(load) => self.load(state, outcome, load),
            Instruction::Store(store) => self.store(state, outcome, store),
            Instruction::Call(function) => {
                let ty = self.code.module().function_type(*function)?;
                let of = (ty.params().len(), sorts(ty.results())?);
                self.opaque(state, outcome, Request::Call(*function), of);
            }
            Instruction::CallIndirect { ty, table } => {
                let of = self.code.module().type_at(*ty)?;
                let of = (of.params().len() + 1, sorts(of.results())?);
                self.opaque(state, outcome, Request::Indirect { ty: *ty, table: *table }, of);
            }
            Instruction::MemorySize => {
                self.opaque(state, outcome, Request::Memory(0), (0, vec![Sort::Bits(32)]))
            }
            Instruction::MemoryGrow => {
                self.opaque(state, outcome, Request::Memory(1), (1, vec![Sort::Bits(32)]))
            }
            Instruction::MemoryCopy => self.opaque(state, outcome, Request::Memory(2), (3, Vec::new())),
            Instruction::MemoryFill => self.opaque(state, outcome, Request::Memory(3), (3, Vec::new())),
            Instruction::JumpIf(..) | Instruction::If(..) => {
                let condition = state.pop();
                return Some(Some(Ending::Branches(self.machine.truth(condition))));
            }
            Instruction::Switch(_) => return Some(Some(Ending::Switches(state.pop()))),
            Instruction::Jump(_) | Instruction::Goto(_) => return Some(Some(Ending::Goes)),
            Instruction::Return => {
                let results = state.stack.len() - body.results;
                return Some(Some(Ending::Returns(state.stack[results..].to_vec())));
            }
            Instruction::MemoryInit(_) | Instruction::DataDrop(_) | Instruction::Unsupported(_) => {
                return None;
            }
            _ => return self.step(state, outcome),
        }
        Some(None)
    }

    /// Runs an instruction that only computes values. Traps are noted, and execution continues.
    fn step(&mut self, state: &mut State, outcome: &mut Outcome) -> Option<Option<Ending>> {
        let ended = |outcome: &mut Outcome, trap| {
            outcome.traps.push((outcome.asked.len(), trap, Term::bool(true)));
            Some(Some(Ending::Traps))
        };
        match self.machine.step(state) {
            None => Some(None),
            Some(Pause::Ended(End::Trapped(trap))) => ended(outcome, trap),
            Some(Pause::Choose(alternatives)) => {
                let [trapping, _] = &alternatives[..] else { return None };
                let Then::Trap(trap) = trapping.then else { return None };
                outcome.traps.push((outcome.asked.len(), trap, trapping.constraint));
                state.excluded += 1;
                Some(None)
            }
            Some(_) => None,
        }
    }

    fn load(&mut self, state: &mut State, outcome: &mut Outcome, load: &Load) {
        let request = Request::Load { offset: load.offset, bytes: load.bytes };
        let asked = Asked { request, operands: SmallVec::from_slice(&[state.pop()]) };
        outcome.asked.push(asked.clone());
        let terms = &mut self.machine.terms;
        let value = self.requests.loaded(terms, outcome.memory, asked, load.bytes);
        let value = match load.to {
            Sort::Bits(width) if load.signed => terms.sign_extend(value, width),
            Sort::Bits(width) => terms.zero_extend(value, width),
            float => terms.apply(Op::FromBits, float, &[value]),
        };
        state.push(value);
        state.advance();
    }

    fn store(&mut self, state: &mut State, outcome: &mut Outcome, store: &Store) {
        let (value, address) = (state.pop(), state.pop());
        let value = low_bits(&mut self.machine.terms, value, 8 * store.bytes);
        let request = Request::Store { offset: store.offset, bytes: store.bytes };
        let asked = Asked { request, operands: SmallVec::from_slice(&[address, value]) };
        outcome.memory = self.requests.after(outcome.memory, &asked);
        outcome.asked.push(asked);
        state.advance();
    }

    /// Runs a call, or an instruction that accesses memory as a whole. Its results, the globals and the memory after it are
    /// unknown, but equal for equal operands, globals and memory.
    fn opaque(
        &mut self,
        state: &mut State,
        outcome: &mut Outcome,
        request: Request,
        (operands, results): (usize, Vec<Sort>),
    ) {
        let from = state.stack.len() - operands;
        let mut operands: SmallVec<[Term; 4]> = state.stack.drain(from..).collect();
        let calls = matches!(request, Request::Call(_) | Request::Indirect { .. });
        if calls {
            operands.extend(self.changing.iter().map(|global| state.globals[*global]));
        }
        let asked = Asked { request, operands };
        outcome.memory = self.requests.after(outcome.memory, &asked);
        outcome.asked.push(asked);
        let terms = &mut self.machine.terms;
        for (place, sort) in results.iter().enumerate() {
            let given = self.requests.given(terms, (outcome.memory, None, place as u32), *sort);
            state.push(given);
        }
        for global in self.changing.iter().filter(|_| calls) {
            let (place, sort) = ((results.len() + global) as u32, state.globals[*global].sort());
            state.globals[*global] = self.requests.given(terms, (outcome.memory, None, place), sort);
        }
        state.advance();
    }
}

fn sorts(types: &[dodona_subject::wasmparser::ValType]) -> Option<Vec<Sort>> {
    types.iter().map(|ty| dodona_subject::WasmType::of(*ty).map(crate::code::sort)).collect()
}
