//! Random statements as a C compiler writes them: assignments, decisions, counted loops, switches, stores, early returns.

use super::Scope;
use super::expression::Ty;
use crate::choices::Choices;

/// Loops are never deeper than this: a loop in a loop in a loop takes long and shows nothing more.
const DEEPEST_LOOP: usize = 2;

impl Scope {
    /// Some statements, one after the other.
    pub(crate) fn statements(&mut self, choices: &mut Choices<'_>, most: usize, depth: u32) -> String {
        let count = choices.below(most + 1);
        (0..count).map(|_| self.statement(choices, depth)).collect::<Vec<_>>().join("\n")
    }

    fn statement(&mut self, choices: &mut Choices<'_>, depth: u32) -> String {
        if depth == 0 || !choices.has_more() {
            return self.assignment(choices);
        }
        match choices.below(10) {
            0..=2 => self.assignment(choices),
            3 | 4 => {
                let condition = self.condition(choices, 2);
                let then = self.statements(choices, 2, depth - 1);
                let otherwise = self.statements(choices, 2, depth - 1);
                format!("(if {condition} (then {then}) (else {otherwise}))")
            }
            5 | 6 => self.counted_loop(choices, depth),
            7 => self.switch(choices, depth),
            8 => self.store(choices),
            _ => self.leave(choices),
        }
    }

    fn assignment(&mut self, choices: &mut Choices<'_>) -> String {
        let (name, ty) = self.assignable[choices.below(self.assignable.len())].clone();
        format!("(local.set {name} {})", self.expression(choices, ty, 2))
    }

    /// `for (k = 0; k < n; k++)`, where `n` is a constant, decided by an input, or a length.
    fn counted_loop(&mut self, choices: &mut Choices<'_>, depth: u32) -> String {
        if self.open_loops == DEEPEST_LOOP {
            return self.assignment(choices);
        }
        let limit = match choices.below(3) {
            0 => format!("(i32.const {})", 1 + choices.below(3)),
            1 => format!("(i32.and {} (i32.const 3))", self.expression(choices, Ty::I32, 1)),
            _ if self.sequence.is_some() => "(local.get $length)".to_owned(),
            _ => "(i32.const 2)".to_owned(),
        };
        let counter = format!("$k{}", self.open_loops);
        self.open_loops += 1;
        self.variables.push((counter.clone(), Ty::I32));
        let body = self.statements(choices, 2, depth - 1);
        let leaves = choices
            .one_in(3)
            .then(|| format!("(br_if $out{} {})", self.open_loops, self.condition(choices, 1)));
        self.variables.pop();
        let number = self.open_loops;
        self.open_loops -= 1;
        format!(
            "(local.set {counter} (i32.const 0))
            (block $out{number} (loop $again{number}
                (br_if $out{number} (i32.ge_s (local.get {counter}) {limit}))
                {body} {leaves}
                (local.set {counter} (i32.add (local.get {counter}) (i32.const 1)))
                (br $again{number})))",
            leaves = leaves.unwrap_or_default()
        )
    }

    /// `switch (x) { case 0: …; break; case 1: …; default: … }`
    fn switch(&mut self, choices: &mut Choices<'_>, depth: u32) -> String {
        let on = self.expression(choices, Ty::I32, 2);
        let cases: Vec<String> = (0..2).map(|_| self.statements(choices, 1, depth - 1)).collect();
        let breaks = if choices.one_in(2) { "(br 1)" } else { "" };
        let default = self.statements(choices, 1, depth - 1);
        format!(
            "(block (block (block (block (br_table 0 1 1 2 {on})) {} {breaks}) {}) {default})",
            cases[0], cases[1]
        )
    }

    /// Into the sequence, the frame, or the table that loads read.
    fn store(&mut self, choices: &mut Choices<'_>) -> String {
        let index = self.expression(choices, Ty::I32, 1);
        if let Some(sequence) = self.sequence.clone().filter(|sequence| sequence.is_written) {
            let value = self.expression(choices, sequence.element, 2);
            return format!("(if (local.get $length) (then {}))", sequence.store(&index, &value));
        }
        let ty = choices.one_of(&Ty::ALL);
        let value = self.expression(choices, ty, 2);
        let address = format!("(i32.shl (i32.and {index} (i32.const 3)) (i32.const 3))");
        if self.has_frame {
            return format!(
                "({}.store (i32.add (global.get $__stack_pointer) {address}) {value})",
                ty.name()
            );
        }
        format!("({}.store offset=64 {address} {value})", ty.name())
    }

    /// An early return, or the end of the program, where a condition says so.
    fn leave(&mut self, choices: &mut Choices<'_>) -> String {
        let condition = self.condition(choices, 2);
        if choices.one_in(4) {
            return format!("(if {condition} (then unreachable))");
        }
        let value = self.result.map(|ty| self.expression(choices, ty, 2)).unwrap_or_default();
        format!("(if {condition} (then {} (return {value})))", self.epilogue())
    }
}
