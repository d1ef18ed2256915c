//! Operators on values: the concrete arithmetic of WebAssembly.

mod bits;
mod floats;
#[cfg(test)]
mod tests;

use super::{Op, Sort};

/// The value of an operator whose operands are known: the bits of a value of `sort`, none above its width.
///
/// Never traps: what [`Op`] says of a zero divisor and of saturation holds. A float result of arithmetic is canonical
/// when it is NaN; operators that move bits keep its payload.
///
/// ```
/// use dodona_smt::term::{Op, Sort, evaluate_op};
/// let byte = |value| (Sort::Bits(8), value);
/// assert_eq!(evaluate_op(Op::Add, Sort::Bits(8), &[byte(250), byte(10)]), 4);
/// assert_eq!(evaluate_op(Op::SignedLess, Sort::Bool, &[byte(250), byte(10)]), 1);
/// ```
///
/// # Panics
/// For a variable, or too few operands.
#[inline]
pub fn evaluate_op(op: Op, sort: Sort, operands: &[(Sort, u128)]) -> u128 {
    let (of, a) = *operands.first().expect("a variable has no value of its own");
    match operands {
        [_] if from_float(op, of) => floats::unary(op, of, sort, a),
        [_] => bits::unary(op, of, sort, a),
        [_, (_, b)] if of.is_float() => floats::binary(op, of, a, *b),
        [_, (low, b)] => bits::binary(op, of, *low, a, *b),
        [_, (_, b), (_, c)] => {
            if a == 1 {
                *b
            } else {
                *c
            }
        }
        _ => unreachable!("operators take one to three operands"),
    }
}

/// Whether a unary operator is of the float theory.
fn from_float(op: Op, of: Sort) -> bool {
    of.is_float() || matches!(op, Op::FromSigned | Op::FromUnsigned | Op::FromBits)
}

/// Bits of a width as a signed number.
#[inline]
pub(crate) fn signed(width: u8, value: u128) -> i128 {
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}
