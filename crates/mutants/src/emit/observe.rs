//! Observation: at each instruction that some mutant changes, every change is evaluated beside the original. Notes record which
//! changes are reached, and which make the state differ.

use std::collections::BTreeMap;

use dodona_subject::wasmparser::{Operator, ValType};
use dodona_wasm::execute::{Additions, Original, Patch};
use wasm_encoder::{BlockType, Instruction as I, MemArg};

use super::frame::{Frame, leaves, pop, push, put, save};
use super::owned::owned;
use super::traps::{Traps, access, out_of_bounds, traps};
use crate::{Edit, Infection, Scanned, Slot, Step};

/// An edit to observe.
pub(crate) struct ObservedEdit<'a> {
    pub edit: &'a Edit,
    pub infection: &'a Infection,
    /// The bit that says whether the change infected.
    pub bit: u32,
    /// The local for what the change keeps.
    pub kept: Option<u32>,
}

/// A patch that makes notes and then runs the original. `reached` is the bit for the instruction being reached.
pub(crate) fn observe(
    frame: &mut Frame,
    scanned: &Scanned<'_>,
    at: u32,
    reached: u32,
    observed: &[ObservedEdit<'_>],
    additions: &Additions,
) -> Option<Patch> {
    let mut code = Vec::new();
    let operands = save(frame, scanned, at, &mut code);
    let mut site = Site { scanned, at, frame, additions, code, words: BTreeMap::new(), operands };
    site.words(reached, observed);
    let result = site.result(observed)?;
    for o in observed {
        site.infects(o, result.as_deref())?;
        site.set_bit(o.bit);
    }
    site.note();
    Some(site.finish(result))
}

/// A site being written.
struct Site<'a, 'm> {
    scanned: &'a Scanned<'m>,
    at: u32,
    frame: &'a mut Frame,
    additions: &'a Additions,
    code: Vec<I<'static>>,
    /// The bits so far, with one local for each word of notes.
    words: BTreeMap<u32, u32>,
    operands: Vec<u32>,
}

impl Site<'_, '_> {
    /// Makes a local for each word that the site writes notes into, and sets the bit for being reached.
    fn words(&mut self, reached: u32, observed: &[ObservedEdit<'_>]) {
        for bit in observed.iter().map(|o| o.bit).chain([reached]) {
            if !self.words.contains_key(&(bit / 64)) {
                let local = self.frame.local(ValType::I64);
                self.words.insert(bit / 64, local);
                let first = if reached / 64 == bit / 64 { 1u64 << (reached % 64) } else { 0 };
                self.code.extend([I::I64Const(first as i64), I::LocalSet(local)]);
            }
        }
    }

    /// Sets a bit where the `i32` on the operand stack is 1.
    fn set_bit(&mut self, bit: u32) {
        let Some(&word) = self.words.get(&(bit / 64)) else { return };
        self.code.extend([
            I::I64ExtendI32U,
            I::I64Const((bit % 64).into()),
            I::I64Shl,
            I::LocalGet(word),
            I::I64Or,
            I::LocalSet(word),
        ]);
    }

    /// Writes the bits found into the notes.
    fn note(&mut self) {
        for (&word, &local) in &self.words {
            let at = MemArg { offset: u64::from(word) * 8, align: 3, memory_index: self.additions.memory };
            self.code.extend([
                I::GlobalGet(self.additions.notes),
                I::GlobalGet(self.additions.notes),
                I::I64Load(at),
                I::LocalGet(local),
                I::I64Or,
                I::I64Store(at),
            ]);
        }
    }

    /// Runs the original if its result has to be compared; returns the locals that hold it. If it may trap, every change that
    /// makes a difference then is noted before, because a mutant may not trap.
    fn result(&mut self, observed: &[ObservedEdit<'_>]) -> Option<Option<Vec<u32>>> {
        let compares = |o: &&ObservedEdit<'_>| {
            o.edit.slot == Slot::Result
                && matches!(o.infection, Infection::Differs | Infection::DiffersOrTraps(_))
        };
        if !observed.iter().any(|o| compares(&o)) {
            return Some(None);
        }
        let operator = &self.scanned.at(self.at).operator;
        match traps(operator) {
            Traps::Never => {}
            Traps::When(steps) => {
                put(&steps, &self.operands, None, &mut self.code);
                self.code.push(I::If(BlockType::Empty));
                self.note_all(observed);
                self.code.push(I::End);
            }
            // Whether it returns is only known afterwards, which may be too late.
            Traps::Unknown => self.note_all(observed),
        }
        push(&self.operands, &mut self.code);
        self.code.push(owned(operator)?);
        let types = leaves(self.scanned, self.at, Slot::Result);
        let result: Vec<u32> = types.into_iter().map(|ty| self.frame.local(ty)).collect();
        pop(&result, &mut self.code);
        Some(Some(result))
    }

    /// Notes every observed change at once.
    fn note_all(&mut self, observed: &[ObservedEdit<'_>]) {
        for o in observed {
            self.code.push(I::I32Const(1));
            self.set_bit(o.bit);
        }
        self.note();
    }

    /// Leaves 1 where a change infects, else 0.
    fn infects(&mut self, o: &ObservedEdit<'_>, result: Option<&[u32]>) -> Option<()> {
        match o.infection {
            Infection::Reached => self.reached(o),
            Infection::Differs => self.differs(o, result),
            Infection::DiffersOrTraps(steps) => {
                put(steps, &self.operands, None, &mut self.code);
                self.code.push(I::If(BlockType::Result(wasm_encoder::ValType::I32)));
                self.code.push(I::I32Const(1));
                self.code.push(I::Else);
                self.differs(o, result);
                self.code.push(I::End);
            }
            Infection::Assigned(local) => {
                let ty = *self.scanned.locals.get(*local as usize)?;
                let value = *self.operands.first()?;
                self.unequal(ty, value, *local);
            }
            Infection::Stored => self.stored()?,
        }
        Some(())
    }

    /// A change that infects whenever it is reached may still keep a value for a later edit.
    fn reached(&mut self, o: &ObservedEdit<'_>) {
        if o.kept.is_some() && o.edit.code.iter().any(|step| matches!(step, Step::Keep)) {
            self.evaluate(o);
        }
        self.code.push(I::I32Const(1));
    }

    /// Evaluates a change; returns the locals that hold its results.
    fn evaluate(&mut self, o: &ObservedEdit<'_>) -> Vec<u32> {
        put(&o.edit.code, &self.operands, o.kept, &mut self.code);
        let types = leaves(self.scanned, self.at, o.edit.slot);
        let left: Vec<u32> = types.into_iter().map(|ty| self.frame.local(ty)).collect();
        pop(&left, &mut self.code);
        left
    }

    fn differs(&mut self, o: &ObservedEdit<'_>, result: Option<&[u32]>) {
        let left = self.evaluate(o);
        let types = leaves(self.scanned, self.at, o.edit.slot);
        self.code.push(I::I32Const(0));
        for (position, (&local, &ty)) in left.iter().zip(&types).enumerate() {
            match (o.edit.slot, self.is_condition(position)) {
                (Slot::Result, _) => self.unequal(ty, local, result.map_or(local, |r| r[position])),
                (Slot::Operands, true) => self.other_way(local, position),
                (Slot::Operands, false) => self.unequal(ty, local, self.operands[position]),
            }
            self.code.push(I::I32Or);
        }
        self.frame.give_back(&left);
    }

    /// Whether an operand only counts as zero or not.
    fn is_condition(&self, position: usize) -> bool {
        match self.scanned.at(self.at).operator {
            Operator::If { .. } | Operator::BrIf { .. } | Operator::Br { .. } => {
                position + 1 == leaves(self.scanned, self.at, Slot::Operands).len()
            }
            Operator::Select => position == 2,
            _ => false,
        }
    }

    /// Leaves 1 if exactly one of two conditions is true.
    fn other_way(&mut self, local: u32, position: usize) {
        self.code.extend([I::LocalGet(local), I::I32Eqz]);
        match self.operands.get(position) {
            Some(&operand) => self.code.extend([I::LocalGet(operand), I::I32Eqz]),
            // A jump is a branch on 1.
            None => self.code.push(I::I32Const(0)),
        }
        self.code.push(I::I32Ne);
    }

    /// Leaves 1 where two locals differ in a bit.
    fn unequal(&mut self, ty: ValType, left: u32, right: u32) {
        for local in [left, right] {
            self.code.push(I::LocalGet(local));
            match ty {
                ValType::F32 => self.code.push(I::I32ReinterpretF32),
                ValType::F64 => self.code.push(I::I64ReinterpretF64),
                _ => {}
            }
        }
        self.code.push(match ty {
            ValType::I64 | ValType::F64 => I::I64Ne,
            _ => I::I32Ne,
        });
    }

    /// Leaves 1 if memory holds another value than the one to be stored, or if the store traps.
    fn stored(&mut self) -> Option<()> {
        let operator = &self.scanned.at(self.at).operator;
        let (memarg, width) = access(operator)?;
        let value = *self.operands.get(1)?;
        let ty = self.scanned.at(self.at).operands.get(1)?.ty;
        put(&out_of_bounds(&memarg, width), &self.operands, None, &mut self.code);
        self.code.push(I::If(BlockType::Result(wasm_encoder::ValType::I32)));
        self.code.push(I::I32Const(1));
        self.code.push(I::Else);
        let at = MemArg { offset: memarg.offset, align: 0, memory_index: memarg.memory };
        self.code.push(I::LocalGet(self.operands[0]));
        self.code.push(match width {
            1 => I::I64Load8U(at),
            2 => I::I64Load16U(at),
            4 => I::I64Load32U(at),
            _ => I::I64Load(at),
        });
        self.code.push(I::LocalGet(value));
        match ty {
            ValType::I32 => self.code.push(I::I64ExtendI32U),
            ValType::F32 => self.code.extend([I::I32ReinterpretF32, I::I64ExtendI32U]),
            ValType::F64 => self.code.push(I::I64ReinterpretF64),
            _ => {}
        }
        if width < 8 {
            self.code.extend([I::I64Const((1i64 << (width * 8)) - 1), I::I64And]);
        }
        self.code.extend([I::I64Ne, I::End]);
        Some(())
    }

    /// Continues as the original does.
    fn finish(mut self, result: Option<Vec<u32>>) -> Patch {
        let original = match result {
            Some(result) => {
                push(&result, &mut self.code);
                Original::Left
            }
            None => {
                push(&self.operands, &mut self.code);
                Original::Kept
            }
        };
        Patch { at: self.at, code: self.code, original }
    }
}
