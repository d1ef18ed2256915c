//! Integers modulo a prime, in which laws of integers are exact.

use std::cmp::Ordering;

use super::{LARGEST_DENOMINATOR, LARGEST_NUMERATOR, Quotient, Ring};
use crate::ratio::Ratio;

/// Integers modulo 2^61 - 1. If two expressions are equal modulo this prime for hundreds of random inputs, they are almost
/// certainly equal.
#[derive(Clone, Copy, Debug)]
pub struct Prime;

impl Prime {
    /// The prime.
    pub const MODULUS: u64 = (1 << 61) - 1;

    fn inverse(self, a: u64) -> Option<u64> {
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

    fn of(self, a: i128) -> u64 {
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

    fn absolute(&self, input: i128) -> Option<u64> {
        self.element(input.checked_abs()?)
    }

    fn parity(&self, input: i128) -> Option<u64> {
        self.fraction(Ratio::whole(if input % 2 == 0 { 1 } else { -1 }))
    }

    fn fraction(&self, fraction: Ratio) -> Option<u64> {
        let inverse = self.inverse(self.of(fraction.denominator()))?;
        Some(self.times(self.of(fraction.numerator()), inverse))
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

    fn without_sign(&self, a: u64) -> u64 {
        a.min((Prime::MODULUS - a) % Prime::MODULUS)
    }

    fn order(&self, a: u64, b: u64) -> Ordering {
        a.cmp(&b)
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
        rank(columns.iter().map(|column| column.to_vec()).collect())
    }
}

/// The rank of columns modulo the prime, by Gaussian elimination.
fn rank(mut columns: Vec<Vec<u64>>) -> usize {
    let ring = Prime;
    let rows = columns.first().map_or(0, Vec::len);
    let mut rank = 0;
    for row in 0..rows {
        let Some(pivot) = (rank..columns.len()).find(|&column| columns[column][row] != 0) else { continue };
        columns.swap(rank, pivot);
        let (done, rest) = columns.split_at_mut(rank + 1);
        let pivot = &done[rank];
        let inverse = ring.inverse(pivot[row]).unwrap_or_default();
        for column in rest.iter_mut().filter(|column| column[row] != 0) {
            let times = ring.times(column[row], inverse);
            for (value, &from) in column[row..].iter_mut().zip(&pivot[row..]) {
                *value = (*value + Prime::MODULUS - ring.times(from, times)) % Prime::MODULUS;
            }
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact() {
        let column = |f: fn(u64) -> u64| (1..20).map(f).collect::<Vec<u64>>();
        let of = |last| vec![column(|x| x), column(|x| x * x), column(|_| 1), last];
        assert_eq!(rank(of(column(|x| (x + 1) * (x + 1)))), 3);
        assert_eq!(rank(of(column(|x| x * x * x))), 4);
    }
}
