//! Steps memory instructions on terms.

use dodona_smt::term::{Op, Sort, Term};
use dodona_target::Trap;

use super::{Kind, Machine, Pause, Wanted};
use crate::code::{Instruction, Load, PAGE, Store};
use crate::end::{Cut, End};
use crate::state::State;
use crate::values;

/// The most bytes that one bulk instruction may move: more is no test.
const MOST_BULK: u64 = 16 << 20;

impl Machine {
    pub(super) fn load(&mut self, state: &mut State, load: &Load) -> Option<Pause> {
        let places = match self.places(state, 0, load.offset, load.bytes) {
            Ok(places) => places,
            Err(pause) => return Some(pause),
        };
        let address = state.pop();
        let mut value = None;
        for (at, place) in places.into_iter().rev() {
            let read = self.loaded(state, place, load);
            value = Some(match value {
                None => read,
                Some(other) => {
                    let here = self.terms.equal(address, Term::bits(32, at));
                    self.terms.ite(here, read, other)
                }
            });
        }
        state.push(value.unwrap_or(Term::Constant(load.to, 0)));
        None
    }

    fn loaded(&mut self, state: &State, place: u64, load: &Load) -> Term {
        let bits = state.memory.read(&mut self.terms, place, load.bytes);
        match load.to {
            Sort::Bits(width) if load.signed => self.terms.sign_extend(bits, width),
            Sort::Bits(width) => self.terms.zero_extend(bits, width),
            float => self.terms.apply(Op::FromBits, float, &[bits]),
        }
    }

    pub(super) fn store(&mut self, state: &mut State, store: &Store) -> Option<Pause> {
        let places = match self.places(state, 1, store.offset, store.bytes) {
            Ok(places) => places,
            Err(pause) => return Some(pause),
        };
        let (value, address) = (state.pop(), state.pop());
        let bits = match value.sort() {
            Sort::F32 => self.terms.apply(Op::ToBits, Sort::Bits(32), &[value]),
            Sort::F64 => self.terms.apply(Op::ToBits, Sort::Bits(64), &[value]),
            _ => value,
        };
        let narrow = match bits.sort().width() == 8 * store.bytes {
            true => bits,
            false => self.terms.extract(bits, 0, 8 * store.bytes),
        };
        if let [(_, place)] = places[..] {
            state.memory.write(&mut self.terms, place, store.bytes, narrow);
            return None;
        }
        for (at, place) in places {
            let here = self.terms.equal(address, Term::bits(32, at));
            let old = state.memory.read(&mut self.terms, place, store.bytes);
            let new = self.terms.ite(here, narrow, old);
            state.memory.write(&mut self.terms, place, store.bytes, new);
        }
        None
    }

    /// The addresses (as the operand has them, and with the offset added) that an access may go to, all inside memory.
    fn places(
        &mut self,
        state: &mut State,
        below: usize,
        offset: u64,
        bytes: u8,
    ) -> Result<Vec<(u128, u64)>, Pause> {
        let address = state.peek(below);
        let place = |at: u128| (at, at as u64 + offset);
        if let Some(at) = address.constant() {
            return match state.memory.holds(place(at).1, bytes.into()) {
                true => Ok(vec![place(at)]),
                false => Err(Pause::Ended(End::Trapped(Trap::MemoryOutOfBounds))),
            };
        }
        let few = values::few(&mut self.terms, address, self.limits.table);
        let inside = |at: &u128| state.memory.holds(place(*at).1, bytes.into());
        let sure = few.as_ref().is_some_and(|few| few.iter().all(inside));
        if state.excluded == 0 && !sure {
            let outside = self.outside(state, address, offset, bytes);
            if let Some(pause) = self.guard(state, outside, Trap::MemoryOutOfBounds) {
                return Err(pause);
            }
        }
        // What was found by the solver holds on this path alone; the form holds on all.
        let candidates = state.candidates.take().or(few);
        let Some(candidates) = candidates else {
            return Err(Pause::Value { what: Wanted::Operand(below), kind: Kind::Address });
        };
        let inside = |at: &u128| state.memory.holds(place(*at).1, bytes.into());
        Ok(candidates.into_iter().filter(inside).map(place).collect())
    }

    /// Whether an access at a symbolic address goes outside memory.
    fn outside(&mut self, state: &State, address: Term, offset: u64, bytes: u8) -> Term {
        match state.memory.size().checked_sub(offset + u64::from(bytes)) {
            None => Term::bool(true),
            Some(last) if last >= u64::from(u32::MAX) => Term::bool(false),
            Some(last) => self.terms.compare(Op::UnsignedLess, Term::bits(32, last.into()), address),
        }
    }

    pub(super) fn grow(&mut self, state: &mut State) -> Option<Pause> {
        let Some(pages) = state.peek(0).constant() else {
            return Some(Self::exact(Wanted::Operand(0)));
        };
        let old = state.memory.size() / PAGE;
        let most = self.code.sections.memory.and_then(|(_, most)| most).unwrap_or(1 << 16).min(1 << 16);
        let new = old + pages as u64;
        state.pop();
        if new > most {
            state.push(Term::bits(32, u128::MAX));
            return None;
        }
        if new * PAGE > self.limits.memory {
            return Some(Pause::Cut(Cut::Memory));
        }
        state.memory.grow_to(new * PAGE);
        state.push(Term::bits(32, old.into()));
        None
    }

    /// `memory.copy`, `memory.fill` and `memory.init`: places and sizes are made concrete.
    pub(super) fn bulk(&mut self, state: &mut State, instruction: &Instruction) -> Option<Pause> {
        let exact = |below: usize| Some(Self::exact(Wanted::Operand(below)));
        let (Some(size), Some(to)) = (state.peek(0).constant(), state.peek(2).constant()) else {
            return exact(if state.peek(0).constant().is_none() { 0 } else { 2 });
        };
        let (size, to) = (size as u64, to as u64);
        let filler = state.peek(1);
        let from = match instruction {
            Instruction::MemoryFill => 0,
            _ => match filler.constant() {
                Some(from) => from as u64,
                None => return exact(1),
            },
        };
        if size > MOST_BULK {
            return Some(Pause::Cut(Cut::Memory));
        }
        let trap = Some(Pause::Ended(End::Trapped(Trap::MemoryOutOfBounds)));
        if !state.memory.holds(to, size) {
            return trap;
        }
        match instruction {
            Instruction::MemoryFill => {
                let byte = self.terms.extract(filler, 0, 8);
                (to..to + size).for_each(|at| state.memory.set(at, byte));
            }
            Instruction::MemoryInit(segment) => {
                let data = &self.code.sections.data[*segment as usize];
                let gone = data.at.is_some() || state.dropped.contains(segment);
                let bytes = if gone { &[][..] } else { &data.bytes[..] };
                let Some(bytes) = bytes.get(from as usize..).and_then(|rest| rest.get(..size as usize))
                else {
                    return trap;
                };
                state.memory.set_all(to, bytes);
            }
            _ if !state.memory.holds(from, size) => return trap,
            _ => state.memory.copy(to, from, size),
        }
        for _ in 0..3 {
            state.pop();
        }
        None
    }
}
