//! Random expressions of WebAssembly's four types, in the text format.

use super::Scope;
use crate::choices::Choices;

/// A WebAssembly type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    I32,
    I64,
    F32,
    F64,
}

use Ty::{F32, F64, I32, I64};

impl Ty {
    pub(crate) const ALL: [Ty; 4] = [I32, I64, F32, F64];

    pub(crate) fn name(self) -> &'static str {
        ["i32", "i64", "f32", "f64"][self as usize]
    }
}

const INTEGER: &[&str] = &[
    "add", "sub", "mul", "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr", "div_s", "div_u",
    "rem_s", "rem_u",
];
const FLOAT: &[&str] = &["add", "sub", "mul", "div", "min", "max", "copysign"];
const FLOAT_UNARY: &[&str] = &["abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"];
const INTEGER_ORDER: &[&str] = &["eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"];
const FLOAT_ORDER: &[&str] = &["eq", "ne", "lt", "gt", "le", "ge"];

/// Operators of one operand, from a type to a type.
const CONVERSIONS: &[(Ty, &str, Ty)] = &[
    (I32, "i32.wrap_i64", I64),
    (I32, "i32.eqz", I32),
    (I32, "i32.trunc_sat_f32_s", F32),
    (I32, "i32.trunc_sat_f64_u", F64),
    (I32, "i32.trunc_f64_s", F64),
    (I32, "i32.trunc_f32_u", F32),
    (I32, "i32.reinterpret_f32", F32),
    (I32, "i32.extend8_s", I32),
    (I32, "i32.extend16_s", I32),
    (I32, "i32.clz", I32),
    (I32, "i32.ctz", I32),
    (I32, "i32.popcnt", I32),
    (I32, "i64.eqz", I64),
    (I64, "i64.extend_i32_s", I32),
    (I64, "i64.extend_i32_u", I32),
    (I64, "i64.trunc_sat_f64_s", F64),
    (I64, "i64.trunc_sat_f32_u", F32),
    (I64, "i64.trunc_f32_u", F32),
    (I64, "i64.trunc_f64_s", F64),
    (I64, "i64.reinterpret_f64", F64),
    (I64, "i64.extend8_s", I64),
    (I64, "i64.extend32_s", I64),
    (I64, "i64.ctz", I64),
    (I64, "i64.clz", I64),
    (I64, "i64.popcnt", I64),
    (F32, "f32.convert_i32_s", I32),
    (F32, "f32.convert_i64_u", I64),
    (F32, "f32.demote_f64", F64),
    (F32, "f32.reinterpret_i32", I32),
    (F64, "f64.promote_f32", F32),
    (F64, "f64.convert_i32_u", I32),
    (F64, "f64.convert_i64_s", I64),
    (F64, "f64.reinterpret_i64", I64),
];

/// Floats of either precision near which much changes, as the text format writes them.
const FLOATS: [&str; 14] = [
    "0",
    "1",
    "-0",
    "-1.5",
    "inf",
    "-inf",
    "nan",
    "-nan",
    "2147483648",
    "-2147483649",
    "0.1",
    "1e-30",
    "0.5",
    "3",
];

/// A great number of single precision, and the least whole number that it cannot say.
const GREAT_F32: [&str; 2] = ["1e38", "16777217"];

/// The same of double precision.
const GREAT_F64: [&str; 2] = ["1e300", "9007199254740993"];

/// A constant near which much changes.
pub(crate) fn constant(choices: &mut Choices<'_>, ty: Ty) -> String {
    let value = match ty {
        I32 => i64::from(integer(choices, i32::MIN.into(), i32::MAX.into()) as i32),
        I64 => integer(choices, i64::MIN, i64::MAX),
        F32 => return format!("(f32.const {})", float(choices, GREAT_F32)),
        F64 => return format!("(f64.const {})", float(choices, GREAT_F64)),
    };
    format!("({}.const {value})", ty.name())
}

fn float(choices: &mut Choices<'_>, great: [&'static str; 2]) -> &'static str {
    let at = choices.below(FLOATS.len() + great.len());
    FLOATS.get(at).copied().unwrap_or_else(|| great[at - FLOATS.len()])
}

fn integer(choices: &mut Choices<'_>, least: i64, greatest: i64) -> i64 {
    match choices.below(8) {
        0 => 0,
        1 => 1,
        2 => -1,
        3 => least,
        4 => greatest,
        5 => 1i64.wrapping_shl(choices.below(64) as u32),
        6 => i64::from(choices.byte() as i8),
        _ => choices.bits() as i64,
    }
}

impl Scope {
    /// An expression of a type, up to a depth.
    pub(crate) fn expression(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        if depth == 0 || !choices.has_more() {
            return self.leaf(choices, ty);
        }
        match choices.below(14) {
            0 => self.leaf(choices, ty),
            1..=5 => self.arithmetic(choices, ty, depth - 1),
            6 | 7 => self.converted(choices, ty, depth - 1),
            8 => self.unary(choices, ty, depth - 1),
            9 => {
                let condition = self.condition(choices, depth - 1);
                let (a, b) =
                    (self.expression(choices, ty, depth - 1), self.expression(choices, ty, depth - 1));
                format!("(select {a} {b} {condition})")
            }
            10 => {
                let condition = self.condition(choices, depth - 1);
                let (a, b) =
                    (self.expression(choices, ty, depth - 1), self.expression(choices, ty, depth - 1));
                format!("(if (result {}) {condition} (then {a}) (else {b}))", ty.name())
            }
            11 => self.loaded(choices, ty, depth - 1),
            12 => self.called(choices, ty, depth - 1),
            _ => self.through_memory(choices, ty, depth - 1),
        }
    }

    fn leaf(&self, choices: &mut Choices<'_>, ty: Ty) -> String {
        let known: Vec<&str> =
            self.variables.iter().filter(|(_, t)| *t == ty).map(|(n, _)| n.as_str()).collect();
        if known.is_empty() || choices.one_in(4) {
            return constant(choices, ty);
        }
        format!("(local.get {})", choices.one_of(&known))
    }

    fn arithmetic(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        let operator = match ty {
            I32 | I64 => choices.one_of(INTEGER),
            F32 | F64 => choices.one_of(FLOAT),
        };
        let (a, b) = (self.expression(choices, ty, depth), self.expression(choices, ty, depth));
        format!("({}.{operator} {a} {b})", ty.name())
    }

    fn converted(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        let all: Vec<_> = CONVERSIONS.iter().filter(|(to, ..)| *to == ty).copied().collect();
        let (_, operator, from) = choices.one_of(&all);
        format!("({operator} {})", self.expression(choices, from, depth))
    }

    fn unary(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        if matches!(ty, I32 | I64) {
            return self.converted(choices, ty, depth);
        }
        let operator = choices.one_of(FLOAT_UNARY);
        format!("({}.{operator} {})", ty.name(), self.expression(choices, ty, depth))
    }

    /// A truth value.
    pub(crate) fn condition(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let ty = choices.one_of(&[I32, I32, I64, F32, F64]);
        let operator = match ty {
            I32 | I64 => choices.one_of(INTEGER_ORDER),
            F32 | F64 => choices.one_of(FLOAT_ORDER),
        };
        let (a, b) = (self.expression(choices, ty, depth), self.expression(choices, ty, depth));
        format!("({}.{operator} {a} {b})", ty.name())
    }

    /// The element of the sequence at an index, taken modulo the length; where there is no sequence, from a small table in memory.
    fn loaded(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        let index = self.expression(choices, I32, depth);
        if let Some(sequence) = &self.sequence {
            return converted_from(sequence.element, ty, sequence.load(&index));
        }
        let address = format!("(i32.shl (i32.and {index} (i32.const 3)) (i32.const 3))");
        match (ty, choices.below(4)) {
            (I32, 1) => format!("(i32.load8_s offset=64 {address})"),
            (I32, 2) => format!("(i32.load16_u offset=64 {address})"),
            (I64, 1) => format!("(i64.load32_s offset=64 {address})"),
            (I64, 2) => format!("(i64.load8_u offset=64 {address})"),
            _ => format!("({}.load offset=64 {address})", ty.name()),
        }
    }

    /// A helper's result.
    fn called(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        let known: Vec<&super::Helper> = self.helpers.iter().filter(|h| h.result == ty).collect();
        if known.is_empty() {
            return self.leaf(choices, ty);
        }
        let helper = choices.one_of(&known);
        let arguments: Vec<String> =
            helper.parameters.iter().map(|ty| self.expression(choices, *ty, depth)).collect();
        format!("(call {} {})", helper.name, arguments.join(" "))
    }

    /// Stored and loaded from two bytes further on, over what lay there.
    fn through_memory(&self, choices: &mut Choices<'_>, ty: Ty, depth: u32) -> String {
        let (a, name) = (self.expression(choices, ty, depth), ty.name());
        let at = if self.has_frame { "(global.get $__stack_pointer)" } else { "(i32.const 256)" };
        let load = choices.one_of(&["8", "8", "6", "10"]);
        format!("(block (result {name}) ({name}.store offset=8 {at} {a}) ({name}.load offset={load} {at}))")
    }
}

/// A value of one type as one of another, by the shortest way there is.
fn converted_from(from: Ty, to: Ty, value: String) -> String {
    let direct =
        CONVERSIONS.iter().find(|(t, operator, f)| *t == to && *f == from && !operator.ends_with("eqz"));
    match direct {
        _ if from == to => value,
        Some((_, operator, _)) => format!("({operator} {value})"),
        None => converted_from(I64, to, converted_from(from, I64, value)),
    }
}
