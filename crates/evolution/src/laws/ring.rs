//! The numbers that laws are checked with: floats up to rounding, integers modulo a prime, integers that wrap around.

use std::cmp::Ordering;

use super::rank;
use crate::ratio::Ratio;

/// Numbers that can be added and multiplied, in columns of recorded executions.
pub trait Ring {
    /// What was recorded.
    type Input: Copy;
    /// A number of the ring.
    type Element: Copy + std::fmt::Debug;
    /// Whether calls at special arguments, such as `f(x + pi)`, `f(x * y)` and `f(g(x))`, are of use only where they alone are a simple sum of others:
    /// products of such calls would only obey laws that hold by accident of rounding. Recurrences of integers are products of shifted calls.
    const SPECIAL_CALLS_ARE_SUMS: bool;

    /// A recorded number; `None` where it is none, such as NaN.
    fn element(&self, input: Self::Input) -> Option<Self::Element>;
    /// The absolute value of a recorded number.
    fn absolute(&self, input: Self::Input) -> Option<Self::Element>;
    /// Whether a recorded number is less than 0.
    fn is_negative(&self, input: Self::Input) -> bool;
    /// A fraction in the ring.
    fn fraction(&self, fraction: Ratio) -> Option<Self::Element>;
    /// The value of a constant that is no fraction.
    fn constant(&self, value: f64) -> Option<Self::Element>;
    /// The sum.
    fn plus(&self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// The product.
    fn times(&self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// A number to weight rows with, made of 64 random bits.
    fn weight(&self, bits: u64) -> Self::Element;
    /// How large rounding errors of a number may be, before the tolerance: its absolute value for floats, 0 where nothing is rounded.
    fn magnitude(&self, a: Self::Element) -> f64;
    /// The number or its negative, whichever is first: columns that differ in sign alone have one.
    fn without_sign(&self, a: Self::Element) -> Self::Element;
    /// An order, so that equal numbers are neighbours.
    fn order(&self, a: Self::Element, b: Self::Element) -> Ordering;
    /// Whether two numbers are equal up to rounding errors of numbers of these magnitudes together.
    fn is_near(&self, a: Self::Element, b: Self::Element, magnitudes: f64) -> bool;
    /// What two weighted sums of a column say of its direction: equal for columns that are multiples of each other. `None` where they say nothing.
    fn direction(&self, first: Self::Element, second: Self::Element) -> Option<Self::Element>;
    /// How often `b` is in `a`; `None` where that is no number that a law would be written with.
    fn quotient(&self, a: Self::Element, b: Self::Element) -> Option<Quotient>;
    /// The rank of columns.
    fn rank(&self, columns: &[&[Self::Element]]) -> usize;
}

/// A coefficient of a law that was solved for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quotient {
    /// A fraction with small numbers: its numerator and denominator.
    Fraction(i128, i128),
    /// Another number.
    Float(f64),
}

/// Floats, equal up to a tolerance that is relative to the terms of a sum.
#[derive(Clone, Copy, Debug)]
pub struct Floats {
    /// The tolerance of a law.
    pub tolerance: f64,
    /// The rounding error of one number: smooth functions are nearly sums of each other, so that the rank of columns needs to see small differences.
    pub rounding: f64,
}

impl Floats {
    /// Some thousand roundings of functions that are computed with double precision: more than libraries have, and far less than what differs.
    pub const DOUBLE: Floats = Floats { tolerance: 1e-11, rounding: 4.0 * f64::EPSILON };
    /// The same with single precision.
    pub const SINGLE: Floats = Floats { tolerance: 2e-5, rounding: 4.0 * f32::EPSILON as f64 };
}

/// The greatest numerator and denominator of a coefficient that is read as a fraction.
const LARGEST_NUMERATOR: i128 = 64;
const LARGEST_DENOMINATOR: i128 = 12;

impl Ring for Floats {
    type Input = f64;
    type Element = f64;
    const SPECIAL_CALLS_ARE_SUMS: bool = true;

    fn element(&self, input: f64) -> Option<f64> {
        // Squares of larger numbers leave the range.
        (input.abs() < 1e100).then_some(input)
    }

    fn is_negative(&self, input: f64) -> bool {
        input < 0.0
    }

    fn absolute(&self, input: f64) -> Option<f64> {
        self.element(input.abs())
    }

    fn fraction(&self, fraction: Ratio) -> Option<f64> {
        Some(fraction.value())
    }

    fn constant(&self, value: f64) -> Option<f64> {
        Some(value)
    }

    fn plus(&self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn times(&self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn weight(&self, bits: u64) -> f64 {
        // From -1 to 1.
        (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn magnitude(&self, a: f64) -> f64 {
        a.abs()
    }

    fn without_sign(&self, a: f64) -> f64 {
        a.abs()
    }

    fn order(&self, a: f64, b: f64) -> Ordering {
        a.total_cmp(&b)
    }

    fn is_near(&self, a: f64, b: f64, magnitudes: f64) -> bool {
        (a - b).abs() <= self.tolerance * magnitudes
    }

    fn direction(&self, first: f64, second: f64) -> Option<f64> {
        let quotient = second / first;
        quotient.is_finite().then_some(quotient)
    }

    fn quotient(&self, a: f64, b: f64) -> Option<Quotient> {
        let quotient = a / b;
        for denominator in 1..=LARGEST_DENOMINATOR {
            let numerator = (quotient * denominator as f64).round();
            let is_small = numerator != 0.0 && numerator.abs() <= LARGEST_NUMERATOR as f64;
            // Both sums have errors of their own.
            let slack = 100.0 * self.tolerance * quotient.abs();
            if is_small && (numerator / denominator as f64 - quotient).abs() <= slack {
                return Some(Quotient::Fraction(numerator as i128, denominator));
            }
        }
        quotient.is_finite().then_some(Quotient::Float(quotient))
    }

    fn rank(&self, columns: &[&[f64]]) -> usize {
        rank::of_floats(columns, self.rounding)
    }
}

/// Integers modulo 2^61 - 1. What is equal modulo this prime for hundreds of random inputs is equal, unless numbers are multiples of it.
#[derive(Clone, Copy, Debug)]
pub struct Prime;

impl Prime {
    /// The prime.
    pub const MODULUS: u64 = (1 << 61) - 1;

    pub(super) fn inverse(self, a: u64) -> Option<u64> {
        (a != 0).then(|| self.power(a, Prime::MODULUS - 2))
    }

    fn power(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = 1;
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = self.times(power, base);
            }
            base = self.times(base, base);
            exponent /= 2;
        }
        power
    }

    pub(super) fn of(self, a: i128) -> u64 {
        a.rem_euclid(i128::from(Prime::MODULUS)) as u64
    }
}

impl Ring for Prime {
    type Input = i128;
    type Element = u64;
    const SPECIAL_CALLS_ARE_SUMS: bool = false;

    fn element(&self, input: i128) -> Option<u64> {
        Some(self.of(input))
    }

    fn is_negative(&self, input: i128) -> bool {
        input < 0
    }

    fn absolute(&self, input: i128) -> Option<u64> {
        self.element(input.checked_abs()?)
    }

    fn fraction(&self, fraction: Ratio) -> Option<u64> {
        let inverse = self.inverse(self.of(fraction.denominator()))?;
        Some(self.times(self.of(fraction.numerator()), inverse))
    }

    fn constant(&self, _: f64) -> Option<u64> {
        None
    }

    fn plus(&self, a: u64, b: u64) -> u64 {
        (a + b) % Prime::MODULUS
    }

    fn times(&self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(Prime::MODULUS)) as u64
    }

    fn weight(&self, bits: u64) -> u64 {
        bits % Prime::MODULUS
    }

    fn magnitude(&self, _: u64) -> f64 {
        0.0
    }

    fn without_sign(&self, a: u64) -> u64 {
        a.min((Prime::MODULUS - a) % Prime::MODULUS)
    }

    fn order(&self, a: u64, b: u64) -> Ordering {
        a.cmp(&b)
    }

    fn is_near(&self, a: u64, b: u64, _: f64) -> bool {
        a == b
    }

    fn direction(&self, first: u64, second: u64) -> Option<u64> {
        Some(self.times(second, self.inverse(first)?))
    }

    fn quotient(&self, a: u64, b: u64) -> Option<Quotient> {
        let quotient = self.times(a, self.inverse(b)?);
        for denominator in 1..=LARGEST_DENOMINATOR {
            let numerator = self.times(quotient, denominator as u64);
            let size = self.without_sign(numerator);
            if size > 0 && i128::from(size) <= LARGEST_NUMERATOR {
                let sign = if size == numerator { 1 } else { -1 };
                return Some(Quotient::Fraction(sign * i128::from(size), denominator));
            }
        }
        None
    }

    fn rank(&self, columns: &[&[u64]]) -> usize {
        rank::of_primes(columns.iter().map(|column| column.to_vec()).collect())
    }
}

/// Integers that wrap around at a number of bits.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping {
    /// How many bits.
    pub bits: u32,
}

impl Wrapping {
    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
}

impl Ring for Wrapping {
    type Input = i128;
    type Element = u64;
    const SPECIAL_CALLS_ARE_SUMS: bool = false;

    fn element(&self, input: i128) -> Option<u64> {
        Some(input as u64 & self.mask())
    }

    fn is_negative(&self, input: i128) -> bool {
        input < 0
    }

    fn absolute(&self, input: i128) -> Option<u64> {
        self.element(input.checked_abs()?)
    }

    fn fraction(&self, fraction: Ratio) -> Option<u64> {
        (fraction.denominator() == 1).then(|| fraction.numerator() as u64 & self.mask())
    }

    fn constant(&self, _: f64) -> Option<u64> {
        None
    }

    fn plus(&self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b) & self.mask()
    }

    fn times(&self, a: u64, b: u64) -> u64 {
        a.wrapping_mul(b) & self.mask()
    }

    fn weight(&self, bits: u64) -> u64 {
        (bits | 1) & self.mask()
    }

    fn magnitude(&self, _: u64) -> f64 {
        0.0
    }

    fn without_sign(&self, a: u64) -> u64 {
        a.min(a.wrapping_neg() & self.mask())
    }

    fn order(&self, a: u64, b: u64) -> Ordering {
        a.cmp(&b)
    }

    fn is_near(&self, a: u64, b: u64, _: f64) -> bool {
        a == b
    }

    /// Not every number has an inverse here, so that only equal and opposite columns have one direction.
    fn direction(&self, first: u64, _: u64) -> Option<u64> {
        (first != 0).then(|| self.without_sign(first))
    }

    fn quotient(&self, a: u64, b: u64) -> Option<Quotient> {
        if a == b {
            return Some(Quotient::Fraction(1, 1));
        }
        (a == b.wrapping_neg() & self.mask()).then_some(Quotient::Fraction(-1, 1))
    }

    fn rank(&self, columns: &[&[u64]]) -> usize {
        rank::of_wrapping(columns.iter().map(|column| column.to_vec()).collect(), self.bits)
    }
}
