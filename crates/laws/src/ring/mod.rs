//! The rings of numbers over which laws are checked: floats up to rounding, integers modulo a prime, and integers that wrap
//! around.

mod floats;
mod prime;
mod wrapping;

use std::cmp::Ordering;

use crate::ratio::Ratio;

pub use floats::Floats;
pub use prime::Prime;
pub use wrapping::Wrapping;

/// A ring of numbers in which the columns of recorded executions are computed. What has a default is right where nothing is
/// rounded, and where constants are fractions.
pub trait Ring {
    /// What was recorded.
    type Input: Copy + Default + PartialOrd;
    /// A number of the ring.
    type Element: Copy + PartialEq + std::fmt::Debug;
    /// Whether a call at a special argument, such as `f(x + pi)`, `f(x * y)` or `f(g(x))`, is only used if a law says that it
    /// alone is a simple sum of other calls. With floats, products of other such calls would obey laws that hold only by
    /// accident of rounding. With integers they are needed: recurrences have products of shifted calls.
    const SPECIAL_CALLS_ARE_SUMS: bool;

    /// A recorded number as an element. `None` for NaN, and for other numbers that cannot be computed with.
    fn element(&self, input: Self::Input) -> Option<Self::Element>;
    /// The absolute value of a recorded number.
    fn absolute(&self, input: Self::Input) -> Option<Self::Element>;
    /// 1 for an even recorded number and -1 for an odd one. `None` for floats.
    fn parity(&self, input: Self::Input) -> Option<Self::Element>;
    /// Whether a recorded number is less than 0.
    fn is_negative(&self, input: Self::Input) -> bool {
        input < Self::Input::default()
    }
    /// A fraction in the ring.
    fn fraction(&self, fraction: Ratio) -> Option<Self::Element>;
    /// The value of a constant that is no fraction.
    fn constant(&self, _value: f64) -> Option<Self::Element> {
        None
    }
    /// The sum.
    fn plus(&self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// The product.
    fn times(&self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// A weight for the rows of a column, made of 64 random bits.
    fn weight(&self, bits: u64) -> Self::Element;
    /// The scale of a number's rounding error: its absolute value for floats, 0 where nothing is rounded.
    fn magnitude(&self, _a: Self::Element) -> f64 {
        0.0
    }
    /// The same element for a number and its negative: columns that differ only in sign have one value.
    fn without_sign(&self, a: Self::Element) -> Self::Element;
    /// A total order. Elements that are equal, or nearly so, are neighbours in it.
    fn order(&self, a: Self::Element, b: Self::Element) -> Ordering;
    /// Whether two numbers are equal up to rounding errors on the scale of `magnitudes`.
    fn is_near(&self, a: Self::Element, b: Self::Element, _magnitudes: f64) -> bool {
        a == b
    }
    /// The direction of a column, given two weighted sums of it: columns that are multiples of each other have the same one.
    /// `None` where the sums do not tell.
    fn direction(&self, first: Self::Element, second: Self::Element) -> Option<Self::Element>;
    /// The quotient of two numbers. `None` where it is not a number that a law would be written with.
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
