//! The numbers that laws are checked with: floats up to rounding, integers modulo a prime, integers that wrap around.

mod floats;
mod prime;
mod wrapping;

use std::cmp::Ordering;

use crate::ratio::Ratio;

pub use floats::Floats;
pub use prime::Prime;
pub use wrapping::Wrapping;

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

/// The greatest numerator and denominator of a coefficient that is read as a fraction.
const LARGEST_NUMERATOR: i128 = 64;
const LARGEST_DENOMINATOR: i128 = 12;
