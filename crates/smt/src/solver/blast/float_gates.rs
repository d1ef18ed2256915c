//! Gates of floats. A float has the wires of its bits: the fraction first, then the exponent, the sign last.

use super::circuit::Wire;
use super::wires::{Bits, with_sign};
use crate::term::Op;

/// The bits of the fraction of a float that has so many bits.
fn fraction(width: usize) -> usize {
    if width == 32 { 23 } else { 52 }
}

/// Everything but the sign.
pub(super) fn magnitude(a: &[Wire]) -> &[Wire] {
    &a[..a.len() - 1]
}

/// The sign.
pub(super) fn sign(a: &[Wire]) -> Wire {
    a[a.len() - 1]
}

/// A float with the other sign.
pub(super) fn negated(a: &[Wire]) -> Vec<Wire> {
    with_sign(a, !sign(a))
}

impl Bits<'_> {
    /// The result of an operator that compares floats or chooses one of them.
    pub(super) fn float(&mut self, op: Op, a: &[Wire], b: &[Wire]) -> Option<Vec<Wire>> {
        Some(match op {
            Op::FloatLess => vec![self.float_less(a, b)],
            Op::FloatLessEqual => {
                let (ordered, greater) = (self.ordered(a, b), self.float_less(b, a));
                vec![self.circuit.and(ordered, !greater)]
            }
            Op::FloatEqual => {
                let (ordered, same) = (self.ordered(a, b), self.equal(a, b));
                let (zero_a, zero_b) = (self.is_zero(a), self.is_zero(b));
                let zeros = self.circuit.and(zero_a, zero_b);
                let equal = self.circuit.or(same, zeros);
                vec![self.circuit.and(ordered, equal)]
            }
            Op::FloatMin | Op::FloatMax => {
                let (ordered, less) = (self.ordered(a, b), self.below(a, b));
                let (if_less, if_greater) = if op == Op::FloatMin { (a, b) } else { (b, a) };
                let extreme = self.choose(less, if_less, if_greater);
                let nan = self.canonical_nan(a.len());
                self.choose(ordered, &extreme, &nan)
            }
            _ => return None,
        })
    }

    /// A float with the canonical bits if it is NaN.
    pub(super) fn canonical(&mut self, a: &[Wire]) -> Vec<Wire> {
        let (is_nan, nan) = (self.is_nan(a), self.canonical_nan(a.len()));
        self.choose(is_nan, &nan, a)
    }

    pub(super) fn canonical_nan(&self, width: usize) -> Vec<Wire> {
        let ones = fraction(width) - 1..width - 1;
        (0..width).map(|bit| self.circuit.constant(ones.contains(&bit))).collect()
    }

    /// The number 1.
    pub(super) fn float_one(&self, width: usize) -> Vec<Wire> {
        let ones = fraction(width)..width - 2;
        (0..width).map(|bit| self.circuit.constant(ones.contains(&bit))).collect()
    }

    pub(super) fn is_zero(&mut self, a: &[Wire]) -> Wire {
        !self.any_of(magnitude(a))
    }

    pub(super) fn is_nan(&mut self, a: &[Wire]) -> Wire {
        let (fraction, exponent) = magnitude(a).split_at(fraction(a.len()));
        let (largest, some) = (self.all_of(exponent), self.any_of(fraction));
        self.circuit.and(largest, some)
    }

    pub(super) fn is_infinite(&mut self, a: &[Wire]) -> Wire {
        let (fraction, exponent) = magnitude(a).split_at(fraction(a.len()));
        let (largest, some) = (self.all_of(exponent), self.any_of(fraction));
        self.circuit.and(largest, !some)
    }

    /// Whether one float is less than another: not if one is NaN, and not of two zeros.
    pub(super) fn float_less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let (ordered, below) = (self.ordered(a, b), self.below(a, b));
        let (zero_a, zero_b) = (self.is_zero(a), self.is_zero(b));
        let zeros = self.circuit.and(zero_a, zero_b);
        let less = self.circuit.and(below, !zeros);
        self.circuit.and(ordered, less)
    }

    /// Whether none of two floats is NaN.
    fn ordered(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        self.circuit.and(!nan_a, !nan_b)
    }

    /// Whether one float is less than another, where -0 is less than +0 and none is NaN.
    fn below(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let (smaller, larger) =
            (self.less(magnitude(a), magnitude(b)), self.less(magnitude(b), magnitude(a)));
        let of_one_sign = self.circuit.choose(sign(a), larger, smaller);
        let signs_differ = self.circuit.xor(sign(a), sign(b));
        self.circuit.choose(signs_differ, sign(a), of_one_sign)
    }

    pub(super) fn all_of(&mut self, wires: &[Wire]) -> Wire {
        let yes = self.circuit.constant(true);
        wires.iter().fold(yes, |all, wire| self.circuit.and(all, *wire))
    }

    pub(super) fn any_of(&mut self, wires: &[Wire]) -> Wire {
        let no = self.circuit.constant(false);
        wires.iter().fold(no, |any, wire| self.circuit.or(any, *wire))
    }
}
