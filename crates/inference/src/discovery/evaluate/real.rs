//! Loops over blocks of numbers in `f64`: floats, and integers that all lie within 2^52.

use crate::discovery::Operator;
use crate::discovery::column::{Block, EXACT, block, length};

/// Applies a function to each row. Each caller passes a closure that is inlined, so that the loop itself makes no choice.
#[inline(always)]
pub(super) fn map(a: &[Block<f64>], f: impl Fn(f64) -> f64) -> Vec<Block<f64>> {
    a.iter().map(|a| std::array::from_fn(|lane| f(a[lane]))).collect()
}

/// Applies a function to the two numbers of each row.
#[inline(always)]
pub(super) fn zip(a: &[Block<f64>], b: &[Block<f64>], f: impl Fn(f64, f64) -> f64) -> Vec<Block<f64>> {
    let blocks = (0..length(a, b)).map(|i| (block(a, i), block(b, i)));
    blocks.map(|(a, b)| std::array::from_fn(|lane| f(a[lane], b[lane]))).collect()
}

/// A bit for each row. The flags are bytes first; one multiplication gathers the bits of eight of them.
#[inline(always)]
pub(super) fn word<A: Copy, B: Copy>(a: &Block<A>, b: &Block<B>, f: impl Fn(A, B) -> bool) -> u64 {
    let mut flags = [0u8; 64];
    for ((flag, &a), &b) in flags.iter_mut().zip(a).zip(b) {
        *flag = u8::from(f(a, b));
    }
    let (bytes, _) = flags.as_chunks::<8>();
    let gather = |bytes: [u8; 8]| u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    bytes.iter().rev().fold(0, |word, &bytes| word << 8 | gather(bytes))
}

/// A bit for each row of two columns, over `blocks` words.
#[inline(always)]
pub(super) fn words<A: Copy, B: Copy>(
    blocks: usize,
    a: &[Block<A>],
    b: &[Block<B>],
    f: impl Fn(A, B) -> bool,
) -> Vec<u64> {
    (0..blocks).map(|i| word(block(a, i), block(b, i), &f)).collect()
}

/// Whether every number is within 2^52.
pub(super) fn is_exact(blocks: &[Block<f64>]) -> bool {
    let inexact = |block: &Block<f64>| block.iter().fold(0u64, |bad, x| bad | u64::from(x.abs() > EXACT));
    blocks.iter().fold(0, |bad, block| bad | inexact(block)) == 0
}

/// `+ - * min max` of floats.
pub(super) fn float(operator: Operator, a: &[Block<f64>], b: &[Block<f64>]) -> Vec<Block<f64>> {
    match operator {
        Operator::Add => zip(a, b, |a, b| a + b),
        Operator::Subtract => zip(a, b, |a, b| a - b),
        Operator::Multiply => zip(a, b, |a, b| a * b),
        Operator::Min => zip(a, b, min),
        Operator::Max => zip(a, b, max),
        other => unreachable!("{other:?} is not of two floats"),
    }
}

/// `+ - * div mod min max` of integers; [`is_exact`] tells whether the result is exact. Rows with a zero divisor have arbitrary values.
pub(super) fn integer(operator: Operator, a: &[Block<f64>], b: &[Block<f64>]) -> Vec<Block<f64>> {
    // Adding zero turns -0 into 0, as integers have no -0.
    match operator {
        Operator::Multiply => zip(a, b, |a, b| a * b + 0.0),
        Operator::Quotient => zip(a, b, |a, b| quotient(a, b) + 0.0),
        Operator::Remainder => zip(a, b, |a, b| a - b * quotient(a, b) + 0.0),
        _ => float(operator, a, b),
    }
}

/// The integer quotient. The float quotient of integers within 2^52 is never rounded up to the next integer, so truncating it is exact.
#[inline(always)]
fn quotient(a: f64, b: f64) -> f64 {
    let quotient = a / if b == 0.0 { 1.0 } else { b };
    let size = quotient.abs();
    // Adding 2^52 to a number up to 2^52 rounds it to an integer. This works as `trunc` does, but as vector code on any machine.
    let rounded = (size + EXACT) - EXACT;
    let whole = if rounded > size { rounded - 1.0 } else { rounded };
    whole.copysign(quotient)
}

/// The smaller number; NaN if either is NaN; of two zeros the negative one.
#[inline(always)]
pub(super) fn min(a: f64, b: f64) -> f64 {
    let lesser = if a < b { a } else { b };
    let chosen = if a == b { f64::from_bits(a.to_bits() | b.to_bits()) } else { lesser };
    if a.is_nan() | b.is_nan() { f64::NAN } else { chosen }
}

/// The larger number; NaN if either is NaN; of two zeros the positive one.
#[inline(always)]
pub(super) fn max(a: f64, b: f64) -> f64 {
    -min(-a, -b)
}

/// `~=` of the relation language without `within`, where rounding may change the numbers by `rounding`.
#[inline(always)]
pub(super) fn near(a: f64, b: f64, rounding: f64) -> bool {
    let difference = (a - b).abs();
    let larger = if a.abs() > b.abs() { a.abs() } else { b.abs() };
    let within = (difference <= rounding + 1e-9 * larger) & (difference < f64::INFINITY);
    within | same(a, b)
}

/// `==` of floats: NaN equals NaN.
#[inline(always)]
pub(super) fn same(a: f64, b: f64) -> bool {
    (a == b) | (a.is_nan() & b.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_near_within_the_tolerance_or_the_rounding() {
        let holds = |rounding| move |a, b| near(a, b, rounding);
        for rounding in [0.0, 1e-13] {
            let near = holds(rounding);
            assert!(
                near(1.0, 1.0 + 9e-10) && near(f64::NAN, f64::NAN) && near(-f64::INFINITY, -f64::INFINITY)
            );
            assert!(!near(1.0, 1.0 + 2e-9) && !near(f64::NAN, 0.0) && !near(f64::INFINITY, 1e308));
            assert_eq!(near(5e-14, 0.0), rounding > 0.0);
        }
    }

    #[test]
    fn the_lesser_zero_is_the_negative_one() {
        for (a, b) in [(0.0, -0.0), (-0.0, 0.0)] {
            assert!(min(a, b).is_sign_negative() && max(a, b).is_sign_positive());
        }
        assert!(min(f64::NAN, 1.0).is_nan() && max(1.0, f64::NAN).is_nan());
        assert_eq!((min(-2.0, -2.0), max(-2.0, 3.0)), (-2.0, 3.0));
    }

    #[test]
    fn quotients_truncate_up_to_the_greatest() {
        for (a, b) in
            [(EXACT, 1.0), (EXACT - 1.0, EXACT), (-7.0, 2.0), (7.0, -2.0), (EXACT - 1.0, 2.0), (-1.0, EXACT)]
        {
            assert_eq!(quotient(a, b), (a as i64 / b as i64) as f64, "{a} / {b}");
        }
    }
}
