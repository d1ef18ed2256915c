//! Evaluates operations on truth values and bit vectors.

use super::{Op, Sort, signed};

#[inline]
pub(super) fn unary(op: Op, of: Sort, sort: Sort, a: u128) -> u128 {
    let width = of.width();
    match op {
        Op::Not => a ^ 1,
        Op::Extract { low } => (a >> low) & sort.mask(),
        Op::ZeroExtend => a,
        Op::SignExtend => signed(width, a) as u128 & sort.mask(),
        Op::CountLeadingZeros => u128::from(a.leading_zeros() - (128 - u32::from(width))),
        Op::CountTrailingZeros => u128::from(a.trailing_zeros().min(width.into())),
        Op::CountOnes => u128::from(a.count_ones()),
        _ => unreachable!("{op:?} does not take one operand of {of:?}"),
    }
}

#[inline]
pub(super) fn binary(op: Op, of: Sort, low: Sort, a: u128, b: u128) -> u128 {
    let mask = of.mask();
    match op {
        Op::And | Op::BitAnd => a & b,
        Op::Or | Op::BitOr => a | b,
        Op::BitXor => a ^ b,
        Op::Equal => u128::from(a == b),
        Op::Add => a.wrapping_add(b) & mask,
        Op::Sub => a.wrapping_sub(b) & mask,
        Op::Mul => a.wrapping_mul(b) & mask,
        Op::UnsignedLess => u128::from(a < b),
        Op::UnsignedLessEqual => u128::from(a <= b),
        Op::SignedLess => u128::from(signed(of.width(), a) < signed(of.width(), b)),
        Op::SignedLessEqual => u128::from(signed(of.width(), a) <= signed(of.width(), b)),
        Op::Concat => a << low.width() | b,
        Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightSigned => shift(op, of, a, b),
        _ => divide(op, of, a, b),
    }
}

fn shift(op: Op, of: Sort, a: u128, b: u128) -> u128 {
    let width = of.width();
    let inside = b < u128::from(width);
    match op {
        Op::ShiftLeft if inside => (a << b) & of.mask(),
        Op::ShiftRight if inside => a >> b,
        Op::ShiftRightSigned => {
            let by = b.min(u128::from(width) - 1);
            (signed(width, a) >> by) as u128 & of.mask()
        }
        _ => 0,
    }
}

fn divide(op: Op, of: Sort, a: u128, b: u128) -> u128 {
    let (width, mask) = (of.width(), of.mask());
    match op {
        Op::UnsignedRemainder | Op::SignedRemainder if b == 0 => a,
        Op::UnsignedDivide if b == 0 => mask,
        Op::SignedDivide if b == 0 => {
            if signed(width, a) < 0 {
                1
            } else {
                mask
            }
        }
        Op::UnsignedDivide => unsigned(a, b, |a, b| a / b, |a, b| a / b),
        Op::UnsignedRemainder => unsigned(a, b, |a, b| a % b, |a, b| a % b),
        Op::SignedDivide => signed(width, a).wrapping_div(signed(width, b)) as u128 & mask,
        Op::SignedRemainder => signed(width, a).wrapping_rem(signed(width, b)) as u128 & mask,
        _ => unreachable!("{op:?} does not take two operands of {of:?}"),
    }
}

/// Division of 128 bits is a library call, and most operands fit into 64 bits.
#[inline]
fn unsigned(a: u128, b: u128, short: fn(u64, u64) -> u64, long: fn(u128, u128) -> u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => short(a, b).into(),
        _ => long(a, b),
    }
}
