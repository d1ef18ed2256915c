//! Constants as text, and how bits are read.

use super::super::fold::signed;
use super::super::{Op, Sort, Term, Terms};
use super::{Binding, Text, atom};

/// A constant, read as the other operand suggests: as a character, as a signed or unsigned number, or as a float.
pub(super) fn number(terms: &Terms, constant: Term, beside: Term) -> Text {
    let value = constant.constant().unwrap_or_default();
    let text = match constant.sort() {
        Sort::Bool => (value == 1).to_string(),
        Sort::F32 => format!("{:?}", f32::from_bits(value as u32)),
        Sort::F64 => format!("{:?}", f64::from_bits(value as u64)),
        Sort::Bits(_) if value < 0x80 && is_character(terms, beside) => character(value as u8),
        Sort::Bits(_) if is_unsigned(terms, beside) => value.to_string(),
        Sort::Bits(width) => signed(width, value).to_string(),
    };
    if text.starts_with('-') { Text { text, binding: Binding::Sign } } else { atom(text) }
}

fn character(byte: u8) -> String {
    match byte {
        0 => "'\\0'".to_owned(),
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ if byte.is_ascii() => format!("'{}'", byte.escape_ascii()),
        _ => format!("{byte:#x}"),
    }
}

/// Bits that are used as a mask.
pub(super) fn mask(constant: Term) -> String {
    match constant.constant() {
        Some(value) if value > 9 => format!("{value:#x}"),
        value => value.unwrap_or_default().to_string(),
    }
}

/// Whether a term is a character, perhaps extended.
pub(super) fn is_character(terms: &Terms, term: Term) -> bool {
    let before = [Op::ZeroExtend, Op::SignExtend].iter().find_map(|op| terms.as_one(term, *op));
    let term = before.unwrap_or(term);
    matches!(terms.op_of(term), Some(Op::Variable(variable)) if terms.is_character(variable))
}

/// Whether bits are read as an unsigned number: bytes, parts, and what is computed from such.
pub(super) fn is_unsigned(terms: &Terms, term: Term) -> bool {
    is_unsigned_within(terms, term, 6)
}

fn is_unsigned_within(terms: &Terms, term: Term, depth: u32) -> bool {
    match terms.op_of(term) {
        Some(Op::Variable(variable)) => terms.is_unsigned(variable) || terms.is_character(variable),
        Some(
            Op::Extract { .. } | Op::ZeroExtend | Op::UnsignedDivide | Op::UnsignedRemainder | Op::ToUnsigned,
        ) => true,
        Some(op @ (Op::Add | Op::Mul | Op::BitAnd | Op::BitOr | Op::ShiftRight)) if depth > 0 => {
            let is = |t: Term| t.constant().is_some() || is_unsigned_within(terms, t, depth - 1);
            terms.as_two(term, op).is_some_and(|(a, b)| is(a) && is(b))
        }
        _ => false,
    }
}
