//! What instructions compute, by their names in the text format.

use dodona_subject::wasmparser::Operator as Wasm;

use super::expression::{Binary, Expression, Kind, Numbers, OPAQUE, Operator, Unary, assign, popped};
use super::mnemonic::name;

/// Arithmetic, comparisons, conversions, loads and stores, by their names in the text format.
pub(super) fn numeric(operator: &Wasm<'_>, stack: &mut Vec<Expression>) -> Kind {
    let name = name(operator);
    let Some((ty, what)) = name.split_once('_') else { return Kind::Opaque };
    if let Some(binary) = binary(ty, what) {
        let (right, left) = (pop(stack), pop(stack));
        return Kind::Binary(binary, Box::new(left), Box::new(right));
    }
    if let Some((width, offset)) = access(operator, what) {
        let value = what.starts_with("store").then(|| pop(stack));
        let load = Kind::Load { width, offset, address: Box::new(pop(stack)) };
        return match value {
            Some(value) => assign(load, value),
            None => load,
        };
    }
    if let Some(unary) = unary(ty, what) {
        let inner = pop(stack);
        return match (unary, &inner.kind) {
            // Twice not makes a condition of a number.
            (Unary::Not, Kind::Unary(Unary::Not, truth)) => truth.as_condition().kind,
            _ => Kind::Unary(unary, Box::new(inner)),
        };
    }
    match what {
        "min" | "max" | "copysign" | "rotl" | "rotr" => Kind::Call(what.into(), popped(stack, 2)),
        "clz" | "ctz" | "popcnt" | "abs" | "sqrt" | "floor" | "ceil" | "trunc" | "nearest" => {
            Kind::Call(what.into(), popped(stack, 1))
        }
        _ if what.starts_with("reinterpret") => Kind::Call("bits".into(), popped(stack, 1)),
        _ => Kind::Opaque,
    }
}

fn pop(stack: &mut Vec<Expression>) -> Expression {
    stack.pop().unwrap_or(OPAQUE)
}

/// The operator of `i32_lt_s`, given as `i32` and `lt_s`.
fn binary(ty: &str, what: &str) -> Option<Binary> {
    let (stem, sign) = match what.strip_suffix("_u") {
        Some(stem) => (stem, Numbers::Unsigned),
        None => (what.strip_suffix("_s").unwrap_or(what), Numbers::Signed),
    };
    let operator = match stem {
        "mul" => Operator::Multiply,
        "div" => Operator::Divide,
        "rem" => Operator::Remainder,
        "add" => Operator::Add,
        "sub" => Operator::Subtract,
        "shl" => Operator::ShiftLeft,
        "shr" => Operator::ShiftRight,
        "and" => Operator::And,
        "xor" => Operator::Xor,
        "or" => Operator::Or,
        "lt" => Operator::Less,
        "le" => Operator::LessEqual,
        "gt" => Operator::Greater,
        "ge" => Operator::GreaterEqual,
        "eq" => Operator::Equal,
        "ne" => Operator::NotEqual,
        _ => return None,
    };
    let numbers = match ty {
        "f32" | "f64" => Numbers::Float,
        "i32" | "i64" => sign,
        _ => return None,
    };
    Some(Binary { operator, numbers })
}

fn unary(ty: &str, what: &str) -> Option<Unary> {
    let converted = |signed: bool| match ty {
        "i32" => Some(Unary::Convert(if signed { "int32" } else { "uint32" })),
        "i64" => Some(Unary::Convert(if signed { "int64" } else { "uint64" })),
        "f32" => Some(Unary::Convert("float")),
        "f64" => Some(Unary::Convert("double")),
        _ => None,
    };
    match what {
        "eqz" => Some(Unary::Not),
        "neg" => Some(Unary::Negate),
        "extend8_s" => Some(Unary::Convert("int8")),
        "extend16_s" => Some(Unary::Convert("int16")),
        "extend32_s" => Some(Unary::Convert("int32")),
        "promote_f32" | "demote_f64" | "wrap_i64" => converted(true),
        _ if what.starts_with("convert") || what.starts_with("trunc_") || what.starts_with("extend_") => {
            converted(what.ends_with("_s") || ty.starts_with('f'))
        }
        _ => None,
    }
}

/// The bytes that a load or store touches, and its constant offset.
fn access(operator: &Wasm<'_>, what: &str) -> Option<(u32, u64)> {
    let digits =
        |from: &str| from.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>();
    let rest = what.strip_prefix("load").or_else(|| what.strip_prefix("store"))?;
    let memarg = memarg(operator)?;
    let whole =
        if name(operator).starts_with(['i', 'f']) && name(operator)[1..].starts_with("64") { 8 } else { 4 };
    Some((digits(rest).map_or(whole, |bits| bits / 8), memarg.offset))
}

pub(crate) fn memarg(operator: &Wasm<'_>) -> Option<dodona_subject::wasmparser::MemArg> {
    match operator {
        Wasm::I32Load { memarg }
        | Wasm::I64Load { memarg }
        | Wasm::F32Load { memarg }
        | Wasm::F64Load { memarg }
        | Wasm::I32Load8S { memarg }
        | Wasm::I32Load8U { memarg }
        | Wasm::I32Load16S { memarg }
        | Wasm::I32Load16U { memarg }
        | Wasm::I64Load8S { memarg }
        | Wasm::I64Load8U { memarg }
        | Wasm::I64Load16S { memarg }
        | Wasm::I64Load16U { memarg }
        | Wasm::I64Load32S { memarg }
        | Wasm::I64Load32U { memarg }
        | Wasm::I32Store { memarg }
        | Wasm::I64Store { memarg }
        | Wasm::F32Store { memarg }
        | Wasm::F64Store { memarg }
        | Wasm::I32Store8 { memarg }
        | Wasm::I32Store16 { memarg }
        | Wasm::I64Store8 { memarg }
        | Wasm::I64Store16 { memarg }
        | Wasm::I64Store32 { memarg } => Some(*memarg),
        _ => None,
    }
}
