//! Floats as numbers of laws: equal up to rounding.

use std::cmp::Ordering;

use nalgebra::DMatrix;

use super::{LARGEST_DENOMINATOR, LARGEST_NUMERATOR, Quotient, Ring};
use crate::ratio::Ratio;

/// Floats. Two of them are equal if they differ by less than a tolerance, relative to the terms of the sum that was computed.
#[derive(Clone, Copy, Debug)]
pub struct Floats {
    /// The tolerance of a law.
    pub tolerance: f64,
    /// The rounding error of one number, relative to it. It is much smaller than the tolerance: columns of smooth functions are
    /// nearly sums of each other, and only small differences show that they are independent.
    pub rounding: f64,
}

impl Floats {
    /// The tolerance is some thousand times the rounding error of double precision: more than the error of library functions,
    /// and far less than the difference of functions that differ.
    pub const DOUBLE: Floats = Floats { tolerance: 1e-11, rounding: 4.0 * f64::EPSILON };
    /// The same with single precision.
    pub const SINGLE: Floats = Floats { tolerance: 2e-5, rounding: 4.0 * f32::EPSILON as f64 };
}

impl Ring for Floats {
    type Input = f64;
    type Element = f64;
    const SPECIAL_CALLS_ARE_SUMS: bool = true;

    fn element(&self, input: f64) -> Option<f64> {
        // The square of a larger number might be infinite.
        (input.abs() < 1e100).then_some(input)
    }

    fn absolute(&self, input: f64) -> Option<f64> {
        self.element(input.abs())
    }

    fn parity(&self, _: f64) -> Option<f64> {
        None
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
            // Both sums have rounding errors of their own.
            let slack = 100.0 * self.tolerance * quotient.abs();
            if is_small && (numerator / denominator as f64 - quotient).abs() <= slack {
                return Some(Quotient::Fraction(numerator as i128, denominator));
            }
        }
        quotient.is_finite().then_some(Quotient::Float(quotient))
    }

    fn rank(&self, columns: &[&[f64]]) -> usize {
        rank(columns, self.rounding)
    }
}

/// The rank of columns of floats, by a QR decomposition with pivots. Columns are scaled to length 1, so that large ones do not
/// hide small ones. What is left of a column after its projection on the others is removed counts as rounding if it is shorter
/// than `rounding` times the number of columns.
fn rank(columns: &[&[f64]], rounding: f64) -> usize {
    let rows = columns.first().map_or(0, |column| column.len());
    if rows == 0 {
        return 0;
    }
    let mut matrix = DMatrix::from_fn(rows, columns.len(), |row, column| columns[column][row]);
    for mut column in matrix.column_iter_mut() {
        let length = column.norm();
        if length > 0.0 {
            column /= length;
        }
    }
    let slack = rounding * columns.len() as f64;
    let factors = matrix.col_piv_qr().unpack_r();
    (0..rows.min(columns.len())).filter(|&i| factors[(i, i)].abs() > slack).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_depend_on_others_do_not_count() {
        let rows: Vec<f64> = (0..50).map(|i| 0.1 * f64::from(i)).collect();
        let columns: Vec<Vec<f64>> = [
            &(|x: f64| x.sin().powi(2)) as &dyn Fn(f64) -> f64,
            &|x| x.cos().powi(2),
            &|_| 1.0,
            &|x| (2.0 * x).cos() * 1e6,
            &|x| x,
        ]
        .iter()
        .map(|f| rows.iter().map(|&x| f(x)).collect())
        .collect();
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        assert_eq!(rank(&views, 1e-11), 3, "sin² + cos² = 1 and cos 2x = 2 cos² - 1");
        assert_eq!(rank(&[], 1e-11), 0);
    }
}
