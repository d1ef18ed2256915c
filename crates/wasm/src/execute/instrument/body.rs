//! The instrumented form of one function body.

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{Function, Instruction, ValType};
use wasmparser::{BinaryReaderError, FunctionBody, Operator};

use super::additions::Additions;
use super::copies::{Arm, switch};
use super::guard::{Guards, Scratch, Store, escape, escapes, guard_range, guard_store};
use super::marks::{lose, loses, mark_range, mark_store};
use super::{Added, Globals, fuel, growth};
use crate::execute::variants::{FunctionCopy, Original};

type Error = wasm_encoder::reencode::Error<std::convert::Infallible>;

/// A body to rewrite.
pub(super) struct Rewrite<'a> {
    pub body: &'a FunctionBody<'a>,
    /// The number of parameters.
    pub parameters: u32,
    pub guards: Guards,
    /// Whether it marks what it writes.
    pub is_marked: bool,
    /// The copies that may run in its place.
    pub arms: &'a [Arm],
    /// The copy to make; `None` for the original.
    pub copy: Option<&'a FunctionCopy>,
}

struct Body<'a> {
    function: Function,
    added: &'a Added,
    globals: &'a Globals,
    scratch: Scratch,
    guards: Guards,
    is_marked: bool,
    charges: fuel::Charges,
    loops: usize,
}

/// Re-encodes a body with fuel and, if asked for, guards and patches; with the offset of what was made of each
/// original instruction.
pub(super) fn instrument_body(
    rewrite: &Rewrite<'_>,
    additions: &Additions<'_>,
) -> Result<(Function, Vec<u32>), Error> {
    let operators = operators(rewrite.body)?;
    let (locals, own) = locals(rewrite)?;
    let mut out = Body {
        function: Function::new(locals),
        added: &additions.added,
        globals: &additions.globals,
        scratch: Scratch::at(rewrite.parameters + own),
        guards: rewrite.guards,
        is_marked: rewrite.is_marked,
        charges: fuel::Charges::of(&operators),
        loops: 0,
    };
    out.enter(rewrite);
    let mut patches = rewrite.copy.map_or(&[][..], |copy| &copy.patches).iter().peekable();
    let mut starts = Vec::with_capacity(operators.len());
    for (number, (operator, _)) in operators.into_iter().enumerate() {
        starts.push(out.function.byte_len() as u32);
        let patch = patches.next_if(|patch| patch.at as usize == number);
        let code = patch.map_or(&[][..], |patch| &patch.code);
        for instruction in code {
            out.instruction(instruction, code.len() as u64);
        }
        out.operator(operator, patch.map_or(Original::Kept, |patch| patch.original))?;
    }
    Ok((out.function, starts))
}

fn operators<'a>(body: &FunctionBody<'a>) -> Result<Vec<(Operator<'a>, usize)>, BinaryReaderError> {
    body.get_operators_reader()?.into_iter_with_offsets().collect()
}

/// The function's locals, then the copy's, then the scratch locals of guards, and how many come before these.
fn locals(rewrite: &Rewrite<'_>) -> Result<(Vec<(u32, ValType)>, u32), Error> {
    let mut locals = Vec::new();
    for pair in rewrite.body.get_locals_reader()? {
        let (n, ty) = pair?;
        locals.push((n, RoundtripReencoder.val_type(ty)?));
    }
    let added = rewrite.copy.map_or(&[][..], |copy| &copy.locals);
    locals.extend(added.iter().map(|ty| (1, *ty)));
    let count = locals.iter().map(|(n, _)| n).sum();
    locals.extend(Scratch::LOCALS);
    Ok((locals, count))
}

impl Body<'_> {
    fn enter(&mut self, rewrite: &Rewrite<'_>) {
        let mut code = self.function.instructions();
        if self.guards == Guards::Outside {
            escape(&mut code, self.added);
        }
        // Before the charge: a copy charges for itself.
        switch(&mut code, self.added, rewrite.parameters, rewrite.arms);
        fuel::charge(&mut code, self.added, self.charges.entry);
    }

    fn operator(&mut self, operator: Operator<'_>, original: Original) -> Result<(), Error> {
        let mut turn = 0;
        if matches!(operator, Operator::Loop { .. }) {
            turn = self.charges.loops[self.loops];
            self.loops += 1;
        }
        if original == Original::Kept {
            self.instruction(&RoundtripReencoder.instruction(operator)?, turn);
        }
        Ok(())
    }

    /// Adds an instruction with what belongs around it. A loop is charged `turn` at its header.
    fn instruction(&mut self, instruction: &Instruction<'_>, turn: u64) {
        self.before(instruction);
        let (is_limited, scratch) = (self.limits(0), self.scratch);
        let mut code = self.function.instructions();
        match instruction {
            Instruction::MemorySize(0) if is_limited => growth::size(&mut code, self.added),
            Instruction::MemoryGrow(0) if is_limited => growth::grow(&mut code, self.added, scratch),
            other => _ = self.function.instruction(other),
        }
        if matches!(instruction, Instruction::Loop(_)) {
            fuel::charge(&mut self.function.instructions(), self.added, turn);
        }
    }

    fn before(&mut self, instruction: &Instruction<'_>) {
        if self.guards == Guards::Confined && escapes(instruction, self.added) {
            escape(&mut self.function.instructions(), self.added);
        }
        if self.is_marked && loses(instruction, self.added, self.globals) {
            lose(&mut self.function.instructions(), self.added);
        }
        match instruction {
            Instruction::MemoryFill(memory) | Instruction::MemoryInit { mem: memory, .. } => {
                self.bulk(*memory, None)
            }
            Instruction::MemoryCopy { dst_mem, src_mem } => self.bulk(*dst_mem, Some(*src_mem)),
            Instruction::TableFill(_) | Instruction::TableCopy { .. } | Instruction::TableInit { .. } => {
                let length = self.scratch.length();
                let mut code = self.function.instructions();
                code.local_tee(length);
                fuel::charge_length(&mut code, self.added, length);
            }
            _ => self.access(instruction),
        }
    }

    /// Whether stores to this memory are checked.
    fn guards(&self, memory: u32) -> bool {
        self.is_own(memory) && matches!(self.guards, Guards::Stores | Guards::Confined)
    }

    /// Whether stores to this memory are marked.
    fn marks(&self, memory: u32) -> bool {
        self.is_own(memory) && self.is_marked
    }

    /// Whether accesses of this memory have a limit.
    fn limits(&self, memory: u32) -> bool {
        self.marks(memory) && self.added.limits_memory
    }

    /// Whether it is the module's own first memory. In a module without memory the notes of patches have index 0.
    fn is_own(&self, memory: u32) -> bool {
        memory == 0 && self.added.columns > 0
    }

    fn access(&mut self, instruction: &Instruction<'_>) {
        if let Some(load) = growth::Load::of(instruction)
            && self.limits(load.memory)
        {
            growth::check_load(&mut self.function.instructions(), self.added, self.scratch, load);
        }
        if let Some(store) = Store::of(instruction) {
            self.store(store);
        }
    }

    /// Guards and marks a store whose operands are on the operand stack, and leaves them there.
    fn store(&mut self, store: Store) {
        let (guards, marks, limits) =
            (self.guards(store.memory), self.marks(store.memory), self.limits(store.memory));
        if !guards && !marks {
            return;
        }
        let (address, value) = (self.scratch.address(), self.scratch.value(store.value));
        let mut code = self.function.instructions();
        code.local_set(value).local_set(address);
        if guards {
            guard_store(&mut code, self.added, address, store);
        }
        if limits {
            growth::check(&mut code, self.added, address, store.offset, store.width);
        }
        if marks {
            mark_store(&mut code, self.added, address, store);
        }
        code.local_get(address).local_get(value);
    }

    /// Charges a bulk operation by its length, and guards and marks its destination. A copy has a memory for its source.
    fn bulk(&mut self, memory: u32, source: Option<u32>) {
        let scratch = self.scratch;
        let (guards, marks) = (self.guards(memory), self.marks(memory));
        let (limits, limits_source) = (self.limits(memory), source.is_some_and(|source| self.limits(source)));
        let mut code = self.function.instructions();
        if !guards && !marks && !limits_source {
            code.local_tee(scratch.length());
            return fuel::charge_length(&mut code, self.added, scratch.length());
        }
        let middle = scratch.value(ValType::I32);
        code.local_set(scratch.length()).local_set(middle).local_set(scratch.address());
        fuel::charge_length(&mut code, self.added, scratch.length());
        if guards {
            guard_range(&mut code, self.added, scratch);
        }
        for (is_limited, address) in [(limits, scratch.address()), (limits_source, middle)] {
            if is_limited {
                code.local_get(address).local_get(scratch.length()).call(self.added.within);
            }
        }
        if marks {
            mark_range(&mut code, self.added, scratch);
        }
        code.local_get(scratch.address()).local_get(middle).local_get(scratch.length());
    }
}
