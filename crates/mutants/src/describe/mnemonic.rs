//! The text format's names of instructions.

use dodona_subject::wasmparser::{self, Operator};

macro_rules! visitors {
    ($(@$proposal:ident $operator:ident $({ $($field:ident: $ty:ty),* })? => $visit:ident ($($shape:tt)*))*) => {
        /// The name of the parser's visiting method: `visit_i32_lt_s`.
        fn visitor(operator: &Operator<'_>) -> &'static str {
            match operator {
                $(Operator::$operator { .. } => stringify!($visit),)*
                _ => "visit_unknown",
            }
        }
    };
}

wasmparser::for_each_operator!(visitors);

/// The name of an instruction without its dot: `i32_lt_s`, `local_get`.
pub(super) fn name(operator: &Operator<'_>) -> &'static str {
    visitor(operator).trim_start_matches("visit_")
}

/// An instruction as the text format writes it, without its immediates: `i32.lt_s`.
pub(crate) fn mnemonic(operator: &Operator<'_>) -> String {
    let name = name(operator);
    match name.split_once('_') {
        Some((prefix @ ("i32" | "i64" | "f32" | "f64" | "v128" | "local" | "global" | "memory"), rest)) => {
            format!("{prefix}.{rest}")
        }
        _ => name.to_owned(),
    }
}
