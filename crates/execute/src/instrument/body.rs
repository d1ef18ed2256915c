//! The instrumented form of one function body.

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{Function, ValType};
use wasmparser::{BinaryReaderError, FunctionBody, Operator};

use super::guard::{Scratch, Store, guard_range, guard_store};
use super::{Added, fuel};

type Error = wasm_encoder::reencode::Error<std::convert::Infallible>;

/// Whether the stores of a function are checked at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guards {
    Absent,
    Present,
}

struct Body<'a> {
    function: Function,
    added: &'a Added,
    scratch: Scratch,
    guards: Guards,
    charges: fuel::Charges,
    loops: usize,
}

/// Re-encodes a body with fuel and, if asked for, guards; with the offset of each original instruction.
pub(super) fn instrument_body(
    body: &FunctionBody<'_>,
    parameters: u32,
    added: &Added,
    guards: Guards,
) -> Result<(Function, Vec<u32>), Error> {
    let operators = operators(body)?;
    let (locals, count) = locals(body)?;
    let mut out = Body {
        function: Function::new(locals),
        added,
        scratch: Scratch::at(parameters + count),
        guards,
        charges: fuel::Charges::of(&operators),
        loops: 0,
    };
    let entry = out.charges.entry;
    fuel::charge(&mut out.function.instructions(), added, entry);
    let mut starts = Vec::with_capacity(operators.len());
    for (operator, _) in operators {
        starts.push(out.function.byte_len() as u32);
        out.operator(operator)?;
    }
    Ok((out.function, starts))
}

fn operators<'a>(body: &FunctionBody<'a>) -> Result<Vec<(Operator<'a>, usize)>, BinaryReaderError> {
    body.get_operators_reader()?.into_iter_with_offsets().collect()
}

/// The function's locals with the scratch locals behind them, and how many are its own.
fn locals(body: &FunctionBody<'_>) -> Result<(Vec<(u32, ValType)>, u32), Error> {
    let mut locals = Vec::new();
    let mut count = 0;
    for pair in body.get_locals_reader()? {
        let (n, ty) = pair?;
        count += n;
        locals.push((n, RoundtripReencoder.val_type(ty)?));
    }
    locals.extend(Scratch::LOCALS);
    Ok((locals, count))
}

impl Body<'_> {
    fn operator(&mut self, operator: Operator<'_>) -> Result<(), Error> {
        self.before(&operator);
        let is_loop = matches!(operator, Operator::Loop { .. });
        self.function.instruction(&RoundtripReencoder.instruction(operator)?);
        if is_loop {
            let units = self.charges.loops[self.loops];
            self.loops += 1;
            fuel::charge(&mut self.function.instructions(), self.added, units);
        }
        Ok(())
    }

    fn before(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::MemoryFill { mem } => self.bulk(*mem),
            Operator::MemoryCopy { dst_mem, .. } => self.bulk(*dst_mem),
            Operator::MemoryInit { mem, .. } => self.bulk(*mem),
            Operator::TableFill { .. } | Operator::TableCopy { .. } | Operator::TableInit { .. } => {
                let length = self.scratch.length();
                let mut code = self.function.instructions();
                code.local_tee(length);
                fuel::charge_length(&mut code, self.added, length);
            }
            _ => self.store(operator),
        }
    }

    fn store(&mut self, operator: &Operator<'_>) {
        if self.guards == Guards::Absent {
            return;
        }
        if let Some(store) = Store::of(operator)
            && store.memory == 0
        {
            guard_store(&mut self.function.instructions(), self.added, self.scratch, store);
        }
    }

    /// Charges a bulk operation by its length and guards its destination.
    fn bulk(&mut self, memory: u32) {
        let scratch = self.scratch;
        let mut code = self.function.instructions();
        if self.guards == Guards::Absent || memory != 0 {
            code.local_tee(scratch.length());
            return fuel::charge_length(&mut code, self.added, scratch.length());
        }
        let middle = scratch.value(ValType::I32);
        code.local_set(scratch.length()).local_set(middle).local_set(scratch.address());
        fuel::charge_length(&mut code, self.added, scratch.length());
        guard_range(&mut code, self.added, scratch);
        code.local_get(scratch.address()).local_get(middle).local_get(scratch.length());
    }
}
