//! Sets of rows, with one bit for each row.

use fixedbitset::FixedBitSet;

const BITS: usize = usize::BITS as usize;

/// The rows below `count` for which `is_in` is true.
///
/// ```
/// use dodona_inference::patterns::rows_where;
/// let even = rows_where(100, |row| row % 2 == 0);
/// assert_eq!((even.len(), even.count_ones(..), even.contains(98), even.contains(99)), (100, 50, true, false));
/// ```
pub fn rows_where(count: usize, is_in: impl Fn(usize) -> bool) -> FixedBitSet {
    let block = |first: usize| {
        let rows = first..count.min(first + BITS);
        rows.filter(|&row| is_in(row)).fold(0, |block, row| block | 1 << (row - first))
    };
    FixedBitSet::with_capacity_and_blocks(count, (0..count).step_by(BITS).map(block))
}
