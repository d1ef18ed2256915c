//! Instructions of the original that can be written again anywhere.

use dodona_subject::wasmparser::{self, Operator};
use wasm_encoder::Instruction;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};

/// An instruction that borrows nothing from its module; `None` for instructions with lists of labels or types.
pub(crate) fn owned(operator: &Operator<'_>) -> Option<Instruction<'static>> {
    RoundtripReencoder.instruction(unborrowed(operator)?).ok()
}

fn unborrowed(operator: &Operator<'_>) -> Option<Operator<'static>> {
    macro_rules! each {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($ann:tt)*))*) => {
            match operator {
                $(Operator::$op $({ $($arg),* })? => each!(one $op $($($arg)*)?),)*
                _ => None,
            }
        };
        (one BrTable $targets:ident) => {{
            // Its labels lie in the module's bytes.
            let _ = $targets;
            None
        }};
        (one $op:ident $($arg:ident)*) => { Some(Operator::$op { $($arg: $arg.clone()),* }) };
    }
    wasmparser::for_each_operator!(each)
}
