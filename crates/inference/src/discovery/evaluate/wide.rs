//! Loops over blocks of integers in `i64`, for integers that `f64` cannot hold exactly.

use crate::discovery::Operator;
use crate::discovery::column::{Block, EXACT, block, length};

/// `+ - * div mod min max`, with the words of the rows in which the result is defined: no zero divisor, no overflow.
pub(super) fn zip(operator: Operator, a: &[Block<i64>], b: &[Block<i64>]) -> (Vec<Block<i64>>, Vec<u64>) {
    match operator {
        Operator::Add => checked(a, b, i64::checked_add),
        Operator::Subtract => checked(a, b, i64::checked_sub),
        Operator::Multiply => checked(a, b, i64::checked_mul),
        Operator::Quotient => checked(a, b, i64::checked_div),
        // The least integer divided by -1 overflows, but the remainder is 0.
        Operator::Remainder => checked(a, b, |a, b| (b != 0).then(|| a.wrapping_rem(b))),
        Operator::Min => checked(a, b, |a, b| Some(a.min(b))),
        Operator::Max => checked(a, b, |a, b| Some(a.max(b))),
        other => unreachable!("{other:?} is not of two integers"),
    }
}

/// Unary minus and `abs`.
pub(super) fn map(operator: Operator, a: &[Block<i64>]) -> (Vec<Block<i64>>, Vec<u64>) {
    match operator {
        Operator::Negate => checked(a, a, |a, _| a.checked_neg()),
        Operator::Abs => checked(a, a, |a, _| a.checked_abs()),
        other => unreachable!("{other:?} is not of one integer"),
    }
}

#[inline(always)]
fn checked(
    a: &[Block<i64>],
    b: &[Block<i64>],
    f: impl Fn(i64, i64) -> Option<i64>,
) -> (Vec<Block<i64>>, Vec<u64>) {
    let mut out = vec![[0; 64]; length(a, b)];
    let mut defined = vec![0; out.len()];
    for (i, (out, defined)) in out.iter_mut().zip(&mut defined).enumerate() {
        let (a, b) = (block(a, i), block(b, i));
        for lane in 0..64 {
            if let Some(value) = f(a[lane], b[lane]) {
                out[lane] = value;
                *defined |= 1 << lane;
            }
        }
    }
    (out, defined)
}

/// `/` of integers. A quotient that is an integer is computed exactly and then rounded to `f64`. A zero divisor gives an arbitrary value.
pub(super) fn divide(a: &[Block<i64>], b: &[Block<i64>]) -> Vec<Block<f64>> {
    let divide = |a: i64, b: i64| match a.checked_rem(b) {
        Some(0) => (a / b) as f64,
        _ => a as f64 / b as f64,
    };
    let row = |i: usize| {
        let (a, b) = (block(a, i), block(b, i));
        std::array::from_fn(|lane| divide(a[lane], b[lane]))
    };
    (0..length(a, b)).map(row).collect()
}

/// The integers that a column holds as `f64`.
pub(super) fn widen(a: &[Block<f64>]) -> Vec<Block<i64>> {
    a.iter().map(|block| block.map(|x| x as i64)).collect()
}

/// The integers rounded to `f64`.
pub(super) fn round(a: &[Block<i64>]) -> Vec<Block<f64>> {
    a.iter().map(|block| block.map(|x| x as f64)).collect()
}

/// The integers as `f64`, if that is exact for all of them.
pub(super) fn narrow(a: &[Block<i64>]) -> Option<Vec<Block<f64>>> {
    let limit = EXACT as u64;
    let beyond = |block: &Block<i64>| block.iter().any(|x| x.unsigned_abs() > limit);
    (!a.iter().any(beyond)).then(|| round(a))
}
