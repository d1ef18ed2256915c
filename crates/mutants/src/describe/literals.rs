//! Numbers as they are written in the source.

use super::expression::{Constant, Expression, Kind};

/// Whether a number as written is this constant.
pub(super) fn equal(text: &str, value: &Expression) -> bool {
    let Kind::Constant(constant) = &value.kind else { return false };
    let plain = text.replace(['_', '\''], "");
    match constant {
        // Unsigned literals are the same bits as negative constants.
        Constant::Int(value) => integer(&plain).is_some_and(|n| {
            n == *value
                || (i32::try_from(*value).is_ok() && n as u32 as i32 == *value as i32 && n <= u32::MAX.into())
        }),
        Constant::Single(value) => float(&plain).is_some_and(|n| n as f32 == *value),
        Constant::Double(value) => float(&plain) == Some(*value),
    }
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, &lower[2..]),
        Some("0b") => (2, &lower[2..]),
        Some("0o") => (8, &lower[2..]),
        _ => (10, lower.as_str()),
    };
    // Any text after the digits is a suffix: `u`, `ull`, `i32`, `usize`.
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    if !digits[end..].is_empty() && !digits[end..].starts_with(['u', 'l', 'i', 'z']) {
        return None;
    }
    let value = u64::from_str_radix(&digits[..end], radix).ok()? as i64;
    Some(if negative { value.wrapping_neg() } else { value })
}

fn float(text: &str) -> Option<f64> {
    let digits = text.strip_suffix("f32").or_else(|| text.strip_suffix("f64")).unwrap_or(text);
    digits.trim_end_matches(['f', 'F', 'l', 'L', '_']).parse().ok()
}
