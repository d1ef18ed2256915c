//! Ranks of columns: how many of them are independent.

use nalgebra::DMatrix;

use super::ring::{Prime, Ring as _};

/// The rank of columns of floats. Columns are scaled to length 1, so that large ones do not hide small ones; what is left of a column after the others are
/// taken out of it counts as rounding where it is shorter than the rounding error of one number, times the number of columns whose errors add up in it.
pub(super) fn of_floats(columns: &[&[f64]], rounding: f64) -> usize {
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

/// The rank of columns of integers modulo the prime, by elimination.
pub(super) fn of_primes(mut columns: Vec<Vec<u64>>) -> usize {
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

/// The rank of columns of integers that wrap around: how many numbers other than 0 elimination leaves on the diagonal. The pivot is always the number with
/// the fewest factors 2, for it divides all others.
pub(super) fn of_wrapping(mut columns: Vec<Vec<u64>>, bits: u32) -> usize {
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
        assert_eq!(of_floats(&views, 1e-11), 3, "sin² + cos² = 1 and cos 2x = 2 cos² - 1");
        assert_eq!(of_floats(&[], 1e-11), 0);
    }

    #[test]
    fn integers_are_exact() {
        let column = |f: fn(u64) -> u64| (1..20).map(f).collect::<Vec<u64>>();
        let of = |last| vec![column(|x| x), column(|x| x * x), column(|_| 1), last];
        assert_eq!(of_primes(of(column(|x| (x + 1) * (x + 1)))), 3);
        assert_eq!(of_primes(of(column(|x| x * x * x))), 4);
    }

    #[test]
    fn a_multiple_of_two_is_no_unit_where_numbers_wrap_around() {
        assert_eq!(of_wrapping(vec![vec![2, 4], vec![1, 2]], 32), 1);
        assert_eq!(of_wrapping(vec![vec![2, 0], vec![1, 1 << 31]], 32), 1, "twice the second is the first");
        assert_eq!(of_wrapping(vec![vec![2, 0], vec![1, 1 << 31]], 64), 2);
        assert_eq!(of_wrapping(vec![vec![0, 0], vec![4, 4], vec![4, 0]], 8), 2);
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1_u64, 3, 5, 0x1234_5678_9abc_def1, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse_of_odd(odd)), 1, "{odd}");
        }
    }
}
