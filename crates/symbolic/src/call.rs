//! Calls of functions under test with symbolic arguments. Arguments are placed in memory as in concrete runs, and outputs are
//! read back as terms.

use std::rc::Rc;

use dodona_smt::term::{Assignment, Op, Sort, Term};
use dodona_subject::{
    Allocator, Argument, ArgumentLayout, Function, Lowering, Passing, RECORD_SLOT, ResultLowering,
    element_bytes,
};
use dodona_target::{Scalar, Type};

use crate::end::{Cut, End};
use crate::state::State;
use crate::step::{Machine, Pause};

/// A value of a parameter or an output as terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A scalar, of the sort that WebAssembly passes it as (an `i8` as 32 bits).
    Scalar(Term),
    /// The elements of a sequence or the bytes of a text, each as wide as it is in memory: `[i32]` has 32 bits for each
    /// element, `[bool]` and text have 8; floats are floats.
    Elements(Vec<Term>),
}

/// An output of a call, in the order of [`Signature::outputs`](dodona_target::Signature::outputs).
pub type Output = Symbol;

/// Why a function cannot be called with symbolic arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SymbolicCallError {
    /// The module exports no such function.
    #[error("`{0}` is not exported")]
    NotExported(String),
    /// The module's start function, `_initialize` or its allocator did not return.
    #[error("{what} of the module ended before its time: {how}")]
    Start {
        /// Which of them.
        what: &'static str,
        /// How it ended.
        how: String,
    },
    /// Something that symbolic execution does not support.
    #[error("{0} is not supported by symbolic execution")]
    Unsupported(String),
}

/// Why an output cannot be read as terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Its address or length depends on the input.
    Symbolic,
    /// On some input of the path it is not a value of its type.
    Malformed,
}

/// Where the arguments of a call are in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    layout: ArgumentLayout,
    base: u64,
}

/// The state at the entry of a call, and where its arguments are.
pub(crate) fn prepare(
    machine: &mut Machine,
    function: &Function,
    symbols: &[Symbol],
    constraints: Vec<Term>,
    model: Rc<Assignment>,
) -> Result<(State, Placed), SymbolicCallError> {
    let code = Rc::clone(&machine.code);
    if let Some(what) = code.sections.unsupported.first() {
        return Err(SymbolicCallError::Unsupported(what.clone()));
    }
    let export = code.module.export_function(&function.export);
    let target = export.ok_or_else(|| SymbolicCallError::NotExported(function.export.clone()))?;
    let mut state = State::initial(&code, model);
    if let Some(start) = code.sections.start {
        run(machine, &mut state, start, &[], "the start function")?;
    }
    if let Some(initialize) = code.module.export_function("_initialize") {
        run(machine, &mut state, initialize, &[], "`_initialize`")?;
    }
    let mut placed = Placed::default();
    if function.is_command() {
        command(&mut state, function, symbols)?;
    } else {
        let length = |index: usize| match &symbols[index] {
            Symbol::Elements(elements) => elements.len(),
            Symbol::Scalar(_) => 0,
        };
        placed.layout.lay_out(function, length);
        match placed.layout.capacity() {
            0 => {}
            capacity => placed.base = arena(machine, &mut state, capacity)?,
        }
        write(machine, &mut state, symbols, &placed);
        for (index, argument) in function.arguments.iter().enumerate() {
            let value = self::argument(machine, function, argument, symbols, &placed, (target, index))?;
            state.push(value);
        }
    }
    state.constraints = constraints;
    state.steps = 0;
    match machine.call_from_outside(&mut state, target) {
        None => Ok((state, placed)),
        Some(pause) => Err(SymbolicCallError::Unsupported(describe(&pause))),
    }
}

fn describe(pause: &Pause) -> String {
    match pause {
        Pause::Ended(End::Trapped(trap)) => format!("a trap ({trap})"),
        Pause::Ended(End::Exited(_)) => "an exit".to_owned(),
        Pause::Ended(End::Returned(_)) => "a return".to_owned(),
        Pause::Cut(Cut::Unsupported(what, _)) => what.clone(),
        Pause::Cut(cut) | Pause::Ended(End::Left(cut)) => format!("a bound of symbolic execution ({cut:?})"),
        Pause::Choose(_) | Pause::Value { .. } => "a choice that depends on the input".to_owned(),
    }
}

/// Runs a function of the module to its end with concrete arguments; returns its results.
fn run(
    machine: &mut Machine,
    state: &mut State,
    function: u32,
    arguments: &[Term],
    what: &'static str,
) -> Result<Vec<Term>, SymbolicCallError> {
    state.stack.extend_from_slice(arguments);
    let pause = match machine.call_from_outside(state, function) {
        Some(pause) => pause,
        None => machine.run(state),
    };
    match pause {
        Pause::Ended(End::Returned(results)) => {
            state.frames.clear();
            state.stack.clear();
            // Decisions that the module makes before the call do not belong to the path.
            state.path = dodona_subject::PathId::START;
            state.fresh.clear();
            Ok(results)
        }
        other => Err(SymbolicCallError::Start { what, how: describe(&other) }),
    }
}

/// Allocates memory for the arguments, as concrete runs do.
fn arena(machine: &mut Machine, state: &mut State, capacity: u64) -> Result<u64, SymbolicCallError> {
    let what = "the allocator";
    let size = Term::bits(32, u128::from(capacity) + 16);
    let word = |value: u128| Term::bits(32, value);
    let given = match machine.allocator {
        Allocator::Pages => {
            let base = state.memory.size();
            state.memory.grow_to(base + capacity);
            return Ok(base);
        }
        Allocator::Malloc(function) => run(machine, state, function, &[size], what)?,
        Allocator::Realloc(function) => {
            run(machine, state, function, &[word(0), word(0), word(16), size], what)?
        }
    };
    let base = given.first().and_then(|base| base.constant()).unwrap_or(0) as u64;
    let low = base.next_multiple_of(16);
    if base == 0 || !state.memory.holds(low, capacity) {
        return Err(SymbolicCallError::Start { what, how: "it gave no memory".to_owned() });
    }
    for at in low..low + capacity {
        if state.memory.byte(at) != Term::bits(8, 0) {
            state.memory.set(at, Term::bits(8, 0));
        }
    }
    Ok(low)
}

fn write(machine: &mut Machine, state: &mut State, symbols: &[Symbol], placed: &Placed) {
    for (symbol, (offset, _)) in symbols.iter().zip(&placed.layout.parameters) {
        let Symbol::Elements(elements) = symbol else { continue };
        let mut at = placed.base + offset;
        for element in elements {
            let bytes = element.sort().width() / 8;
            let bits = bits(machine, *element);
            state.memory.write(&mut machine.terms, at, bytes, bits);
            at += u64::from(bytes);
        }
    }
}

fn bits(machine: &mut Machine, element: Term) -> Term {
    match element.sort() {
        sort if sort.is_float() => machine.terms.apply(Op::ToBits, Sort::Bits(sort.width()), &[element]),
        _ => element,
    }
}

fn argument(
    machine: &mut Machine,
    function: &Function,
    argument: &Argument,
    symbols: &[Symbol],
    placed: &Placed,
    (target, index): (u32, usize),
) -> Result<Term, SymbolicCallError> {
    let address = |offset: u64| Ok(Term::bits(32, u128::from(placed.base + offset)));
    match argument {
        Argument::Value(parameter) => match &symbols[*parameter] {
            Symbol::Scalar(term) => Ok(*term),
            Symbol::Elements(_) => {
                Err(SymbolicCallError::Unsupported("a sequence passed by value".to_owned()))
            }
        },
        Argument::Pointer(parameter) => address(placed.layout.parameters[*parameter].0),
        Argument::Length(parameter) => Ok(Term::bits(32, placed.layout.parameters[*parameter].1 as u128)),
        Argument::ReturnPointer => address(placed.layout.pair),
        Argument::OutPointer => address(placed.layout.out),
        Argument::OutCapacity => match function.result {
            ResultLowering::OutBuffer { capacity, .. } => Ok(Term::bits(32, capacity.into())),
            _ => Ok(Term::bits(32, 0)),
        },
        Argument::Constant(value) => constant(machine, target, index, *value),
        Argument::FunctionPointer(name) => pointer(machine, name),
    }
}

/// A constant of the type that the function takes in this place.
fn constant(machine: &Machine, target: u32, index: usize, value: i64) -> Result<Term, SymbolicCallError> {
    let ty = machine.code.module.function_type(target).and_then(|ty| ty.params().get(index).copied());
    let ty = ty.and_then(dodona_subject::WasmType::of);
    Ok(match ty.map(crate::code::sort) {
        Some(Sort::Bits(64)) => Term::bits(64, u128::from(value as u64)),
        Some(Sort::F32) => Term::Constant(Sort::F32, u128::from((value as f32).to_bits())),
        Some(Sort::F64) => Term::Constant(Sort::F64, u128::from((value as f64).to_bits())),
        _ => Term::bits(32, u128::from(value as u32)),
    })
}

/// The table index of an exported function. If it is in no table, it is added after the first table's entries.
fn pointer(machine: &mut Machine, name: &str) -> Result<Term, SymbolicCallError> {
    let code = Rc::clone(&machine.code);
    let function = code.module.export_function(name);
    let function = function.ok_or_else(|| SymbolicCallError::NotExported(name.to_owned()))?;
    let entries = code.sections.tables.first().map_or(&[][..], Vec::as_slice);
    let known = entries.iter().position(|entry| *entry == Some(function));
    let index = known.unwrap_or_else(|| {
        let pointers = &mut machine.pointers;
        let behind = pointers.iter().position(|pointer| *pointer == function).unwrap_or_else(|| {
            pointers.push(function);
            pointers.len() - 1
        });
        entries.len() + behind
    });
    Ok(Term::bits(32, index as u128))
}

/// Sets up the process of a command.
fn command(state: &mut State, function: &Function, symbols: &[Symbol]) -> Result<(), SymbolicCallError> {
    let name = function.name.bytes().map(|b| Term::bits(8, b.into())).collect();
    let mut words = vec![name];
    for ((parameter, lowering), symbol) in function.lowered().zip(symbols) {
        let text = match symbol {
            Symbol::Elements(bytes) if parameter.ty == Type::Text => bytes.clone(),
            _ => {
                let what = format!("a command's word of type {} (`{}`)", parameter.ty, parameter.name);
                return Err(SymbolicCallError::Unsupported(what));
            }
        };
        match lowering {
            Lowering::Stdin => state.process.stdin = Rc::new(text),
            Lowering::Word => words.push(text),
            _ => {
                let what = format!("a command's file (`{}`)", parameter.name);
                return Err(SymbolicCallError::Unsupported(what));
            }
        }
    }
    state.process.words = Rc::new(words);
    Ok(())
}

/// The outputs of a call that returned or exited, as terms.
pub(crate) fn outputs(
    machine: &mut Machine,
    state: &State,
    end: &End,
    function: &Function,
    placed: &Placed,
) -> Result<Vec<Output>, Unreadable> {
    let results = match end {
        End::Exited(code) => {
            return Ok(vec![
                Symbol::Elements(state.process.stdout.clone()),
                Symbol::Elements(state.process.stderr.clone()),
                Symbol::Scalar(*code),
            ]);
        }
        End::Returned(_) if function.is_command() => {
            let code = Term::bits(32, 0);
            let ended = End::Exited(code);
            return outputs(machine, state, &ended, function, placed);
        }
        End::Returned(results) => results,
        End::Trapped(_) => return Err(Unreadable::Malformed),
        End::Left(_) => return Err(Unreadable::Symbolic),
    };
    let mut reader = Reader { machine, state };
    let mut outputs: Vec<Output> = match &function.result {
        ResultLowering::Record(outputs) => {
            let slots = (placed.base + placed.layout.pair..).step_by(RECORD_SLOT as usize);
            outputs
                .iter()
                .zip(slots)
                .map(|(output, at)| reader.slot(at, output.ty))
                .collect::<Result<_, _>>()?
        }
        ResultLowering::MultiValue(_) => results.iter().map(|value| Symbol::Scalar(*value)).collect(),
        result => reader.result(result, results.first(), placed)?.into_iter().collect(),
    };
    for ((parameter, lowering), (offset, length)) in function.lowered().zip(&placed.layout.parameters) {
        let at = placed.base + offset;
        match lowering {
            Lowering::PointerLength(Passing::InOut) => {
                outputs.push(reader.elements(at, *length as u64, parameter.ty)?);
            }
            Lowering::NulTerminated(Passing::InOut) => outputs.push(reader.terminated(at, parameter.ty)?),
            _ => {}
        }
    }
    Ok(outputs)
}

struct Reader<'a> {
    machine: &'a mut Machine,
    state: &'a State,
}

impl Reader<'_> {
    /// What a function returned, by its first WebAssembly result; `None` where it returns nothing.
    fn result(
        &mut self,
        lowering: &ResultLowering,
        first: Option<&Term>,
        placed: &Placed,
    ) -> Result<Option<Output>, Unreadable> {
        Ok(Some(match (lowering, first) {
            (ResultLowering::Value(_), Some(value)) => Symbol::Scalar(*value),
            (ResultLowering::ReturnPointer(ty), _) => {
                let at = placed.base + placed.layout.pair;
                let (address, length) = (self.word(at)?, self.word(at + 4)?);
                self.elements(address, length, *ty)?
            }
            (ResultLowering::OutBuffer { ty, capacity }, Some(length)) => {
                let length = length.constant().ok_or(Unreadable::Symbolic)? as u32 as u64;
                if length > u64::from(*capacity) {
                    return Err(Unreadable::Malformed);
                }
                self.elements(placed.base + placed.layout.out, length, *ty)?
            }
            (ResultLowering::NulTerminated(ty), Some(address)) => {
                let address = address.constant().ok_or(Unreadable::Symbolic)? as u64;
                self.terminated(address, *ty)?
            }
            _ => return Ok(None),
        }))
    }

    /// One of several outputs that the callee wrote.
    fn slot(&mut self, at: u64, ty: Type) -> Result<Symbol, Unreadable> {
        let Type::Scalar(scalar) = ty else {
            let (address, length) = (self.word(at)?, self.word(at + 4)?);
            return self.elements(address, length, ty);
        };
        // As wide as WebAssembly returns it: a narrow integer fills 32 bits.
        let bytes = scalar.bytes().max(4) as u8;
        if !self.state.memory.holds(at, RECORD_SLOT) {
            return Err(Unreadable::Malformed);
        }
        let bits = self.state.memory.read(&mut self.machine.terms, at, bytes);
        Ok(Symbol::Scalar(match scalar {
            Scalar::F32 => self.machine.terms.apply(Op::FromBits, Sort::F32, &[bits]),
            Scalar::F64 => self.machine.terms.apply(Op::FromBits, Sort::F64, &[bits]),
            _ => bits,
        }))
    }

    fn word(&mut self, at: u64) -> Result<u64, Unreadable> {
        if !self.state.memory.holds(at, 4) {
            return Err(Unreadable::Malformed);
        }
        let word = self.state.memory.read(&mut self.machine.terms, at, 4);
        word.constant().map(|word| word as u64).ok_or(Unreadable::Symbolic)
    }

    fn elements(&mut self, at: u64, length: u64, ty: Type) -> Result<Symbol, Unreadable> {
        let bytes = element_bytes(ty) as u64;
        if length > 0 && !self.state.memory.holds(at, length.saturating_mul(bytes)) {
            return Err(Unreadable::Malformed);
        }
        Ok(Symbol::Elements((0..length).map(|i| self.element(at + i * bytes, ty)).collect()))
    }

    fn element(&mut self, at: u64, ty: Type) -> Term {
        let bits = self.state.memory.read(&mut self.machine.terms, at, element_bytes(ty) as u8);
        match ty {
            Type::Sequence(Scalar::F32) => self.machine.terms.apply(Op::FromBits, Sort::F32, &[bits]),
            Type::Sequence(Scalar::F64) => self.machine.terms.apply(Op::FromBits, Sort::F64, &[bits]),
            _ => bits,
        }
    }

    /// Elements up to the first one that is zero, if this one is concrete and no element before it can be zero.
    fn terminated(&mut self, address: u64, ty: Type) -> Result<Symbol, Unreadable> {
        let bytes = element_bytes(ty) as u64;
        let mut elements = Vec::new();
        let mut at = address;
        if address == 0 {
            return Err(Unreadable::Malformed);
        }
        while self.state.memory.holds(at, bytes) {
            let element = self.element(at, ty);
            match element.constant() {
                Some(0) => return Ok(Symbol::Elements(elements)),
                Some(_) => {}
                None => {
                    // The path constraint says that it is not zero, or else the length of the sequence is not known.
                    let zero = Term::Constant(element.sort(), 0);
                    if !self.is_excluded(element, zero) {
                        return Err(Unreadable::Symbolic);
                    }
                }
            }
            elements.push(element);
            at += bytes;
        }
        Err(Unreadable::Malformed)
    }

    fn is_excluded(&mut self, element: Term, value: Term) -> bool {
        if element.sort().is_float() {
            return false;
        }
        let is = self.machine.terms.equal(element, value);
        let is_not = self.machine.terms.not(is);
        is_not.is(true) || self.state.constraints.contains(&is_not)
    }
}
