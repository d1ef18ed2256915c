//! Integers that wrap around at a number of bits.

use std::cmp::Ordering;

use super::{Quotient, Ring};
use crate::ratio::Ratio;

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

    fn absolute(&self, input: i128) -> Option<u64> {
        self.element(input.checked_abs()?)
    }

    fn parity(&self, input: i128) -> Option<u64> {
        self.fraction(Ratio::whole(if input % 2 == 0 { 1 } else { -1 }))
    }

    fn fraction(&self, fraction: Ratio) -> Option<u64> {
        (fraction.denominator() == 1).then(|| fraction.numerator() as u64 & self.mask())
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

    fn without_sign(&self, a: u64) -> u64 {
        a.min(a.wrapping_neg() & self.mask())
    }

    fn order(&self, a: u64, b: u64) -> Ordering {
        a.cmp(&b)
    }

    /// Not every number has an inverse here. So only columns that are equal, or the negatives of each other, count as having
    /// one direction.
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
        rank(columns.iter().map(|column| column.to_vec()).collect(), self.bits)
    }
}

/// The rank of columns of integers that wrap around: the number of entries other than 0 that elimination leaves on the
/// diagonal. The pivot is always an entry with the fewest factors 2, because such an entry divides all others.
fn rank(mut columns: Vec<Vec<u64>>, bits: u32) -> usize {
    let mask = u64::MAX >> (64 - bits);
    let rows = columns.first().map_or(0, Vec::len);
    let mut free: Vec<usize> = (0..rows).collect();
    let mut rank = 0;
    while rank < columns.len() {
        let place = (rank..columns.len())
            .flat_map(|column| (0..free.len()).map(move |at| (column, at)))
            .filter(|&(column, at)| columns[column][free[at]] != 0)
            .min_by_key(|&(column, at)| columns[column][free[at]].trailing_zeros());
        let Some((column, at)) = place else { break };
        columns.swap(rank, column);
        let row = free.swap_remove(at);
        let (done, rest) = columns.split_at_mut(rank + 1);
        let pivot = &done[rank];
        let twos = pivot[row].trailing_zeros();
        let inverse = inverse_of_odd(pivot[row] >> twos);
        for column in rest.iter_mut().filter(|column| column[row] != 0) {
            let times = (column[row] >> twos).wrapping_mul(inverse);
            for &other in free.iter().chain([&row]) {
                column[other] = column[other].wrapping_sub(pivot[other].wrapping_mul(times)) & mask;
            }
        }
        rank += 1;
    }
    rank
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the number of bits that are right.
fn inverse_of_odd(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiple_of_two_is_no_unit_where_numbers_wrap_around() {
        assert_eq!(rank(vec![vec![2, 4], vec![1, 2]], 32), 1);
        assert_eq!(rank(vec![vec![2, 0], vec![1, 1 << 31]], 32), 1, "twice the second is the first");
        assert_eq!(rank(vec![vec![2, 0], vec![1, 1 << 31]], 64), 2);
        assert_eq!(rank(vec![vec![0, 0], vec![4, 4], vec![4, 0]], 8), 2);
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1_u64, 3, 5, 0x1234_5678_9abc_def1, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse_of_odd(odd)), 1, "{odd}");
        }
    }
}
