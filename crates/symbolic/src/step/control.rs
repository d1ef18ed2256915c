//! Control instructions.

use std::rc::Rc;

use dodona_smt::term::{Op, Term};
use dodona_target::Trap;

use super::{Alternative, Machine, Pause, Then, Wanted, Way};
use crate::code::{Instruction, Switch};
use crate::end::{Cut, End};
use crate::state::State;

impl Machine {
    /// Steps an instruction that goes elsewhere than to the next one.
    pub(super) fn control(&mut self, state: &mut State, instruction: &Instruction) -> Option<Pause> {
        match instruction {
            Instruction::Unreachable => Some(Pause::Ended(End::Trapped(Trap::Unreachable))),
            Instruction::Goto(pc) => {
                state.frame_mut().pc = *pc;
                None
            }
            Instruction::Jump(target) => self.jump(state, *target),
            Instruction::JumpIf(target, edge) => self.decide(state, *edge, Way::Next, Way::Target(*target)),
            Instruction::If(otherwise, edge) => self.decide(state, *edge, Way::To(*otherwise), Way::Next),
            Instruction::Switch(switch) => self.switch(state, switch),
            Instruction::Return => self.leave(state),
            Instruction::Call(function) => self.call(state, *function),
            Instruction::CallIndirect { ty, table } => self.call_indirect(state, *ty, *table),
            Instruction::Unsupported(name) => {
                Some(Self::unsupported(state, format!("the instruction `{name}`")))
            }
            other => Some(Self::unsupported(state, format!("{other:?}"))),
        }
    }

    /// A branch on the i32 on top: direction 0 where it is zero, 1 where it is not.
    fn decide(&mut self, state: &mut State, edge: u32, zero: Way, other: Way) -> Option<Pause> {
        let holds = self.truth(state.peek(0));
        let ways = [(zero, edge), (other, edge + 1)];
        if let Some(value) = holds.constant() {
            state.pop();
            let (to, edge) = ways[value as usize];
            return self.branch(state, edge, to);
        }
        let fails = self.terms.not(holds);
        let alternative =
            |constraint, (to, edge)| Alternative { constraint, then: Then::Branch { edge, to } };
        Some(Pause::Choose(vec![alternative(fails, ways[0]), alternative(holds, ways[1])]))
    }

    fn switch(&mut self, state: &mut State, switch: &Switch) -> Option<Pause> {
        let index = state.peek(0);
        let default = switch.table.len() - 1;
        if let Some(index) = index.constant() {
            state.pop();
            let direction = switch.table[(index as usize).min(default)];
            let to = Way::Target(switch.targets[direction as usize]);
            return self.branch(state, switch.edge + direction, to);
        }
        let alternatives = (0..switch.targets.len() as u32).map(|direction| Alternative {
            constraint: self.selects(switch, index, direction),
            then: Then::Branch {
                edge: switch.edge + direction,
                to: Way::Target(switch.targets[direction as usize]),
            },
        });
        Some(Pause::Choose(alternatives.collect()))
    }

    /// Whether an index selects a direction of a `br_table`.
    fn selects(&mut self, switch: &Switch, index: Term, direction: u32) -> Term {
        let default = switch.table.len() - 1;
        let number = |i: usize| Term::bits(32, i as u128);
        let mut selects = match switch.table[default] == direction {
            // Past the table.
            true => self.terms.compare(Op::UnsignedLessEqual, number(default), index),
            false => Term::bool(false),
        };
        let mut first = 0;
        while first < default {
            // A run of indices is one comparison.
            let run = switch.table[first..default].iter().take_while(|d| **d == direction).count();
            if run > 0 {
                let inside = self.within(index, first as u32, run as u32);
                selects = self.terms.or(selects, inside);
            }
            first += run + 1;
        }
        selects
    }

    /// Whether an index is one of `count` from `first`.
    fn within(&mut self, index: Term, first: u32, count: u32) -> Term {
        let number = |i: u32| Term::bits(32, i.into());
        if count == 1 {
            return self.terms.equal(index, number(first));
        }
        let least = self.terms.compare(Op::UnsignedLessEqual, number(first), index);
        let most = self.terms.compare(Op::UnsignedLessEqual, index, number(first + count - 1));
        self.terms.and(least, most)
    }

    fn leave(&mut self, state: &mut State) -> Option<Pause> {
        if state.frames.len() == 1 {
            let results = state.stack.len() - state.frame().body.results;
            return Some(Pause::Ended(End::Returned(state.stack[results..].to_vec())));
        }
        state.leave();
        state.advance();
        None
    }

    /// Calls a function with its arguments on the stack.
    pub(super) fn call(&mut self, state: &mut State, function: u32) -> Option<Pause> {
        let code = Rc::clone(&self.code);
        let Some(body) = code.body(function) else { return self.import(state, function) };
        if state.frames.len() >= self.limits.frames {
            return Some(Pause::Cut(Cut::CallDepth));
        }
        if !state.following && state.recursion(function) > self.limits.loop_bound {
            return Some(Pause::Cut(Cut::RecursionBound));
        }
        state.enter(body);
        state.excluded = 0;
        None
    }

    /// The entry of a table: outside, empty, or a function.
    fn entry(&self, table: u32, index: usize) -> Option<Option<u32>> {
        let entries = self.code.sections.tables.get(table as usize)?;
        match index.checked_sub(entries.len()) {
            None => Some(entries[index]),
            Some(behind) if table == 0 => self.pointers.get(behind).map(|function| Some(*function)),
            Some(_) => None,
        }
    }

    fn outside_table(&mut self, table: u32, index: Term) -> Term {
        let entries = self.code.sections.tables.get(table as usize).map_or(0, Vec::len);
        let behind = if table == 0 { self.pointers.len() } else { 0 };
        self.terms.compare(Op::UnsignedLessEqual, Term::bits(32, (entries + behind) as u128), index)
    }

    fn call_indirect(&mut self, state: &mut State, ty: u32, table: u32) -> Option<Pause> {
        let index = state.peek(0);
        if state.excluded == 0 {
            // All indices outside are one way to trap.
            let outside = self.outside_table(table, index);
            if let Some(pause) = self.guard(state, outside, Trap::TableOutOfBounds) {
                return Some(pause);
            }
        }
        let Some(index) = index.constant() else { return Some(Self::exact(Wanted::Operand(0))) };
        let trap = |trap| Some(Pause::Ended(End::Trapped(trap)));
        let function = match self.entry(table, index as usize) {
            None => return trap(Trap::TableOutOfBounds),
            Some(None) => return trap(Trap::IndirectCallToNull),
            Some(Some(function)) => function,
        };
        let wanted = self.code.module.type_at(ty);
        if self.code.module.function_type(function) != wanted {
            return trap(Trap::BadSignature);
        }
        state.pop();
        self.call(state, function)
    }
}
