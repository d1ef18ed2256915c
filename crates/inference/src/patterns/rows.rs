//! Sets of rows, with one bit for each row.

/// A set of rows.
///
/// ```
/// use dodona_inference::patterns::Rows;
/// let even = Rows::of(100, |row| row % 2 == 0);
/// let low = Rows::of(100, |row| row < 10);
/// assert_eq!((even.count(), even.and(&low).count(), even.or(&low).count()), (50, 5, 55));
/// assert!(even.meets(&low) && !even.and(&low).meets(&Rows::of(100, |row| row >= 10)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rows(Vec<u64>);

impl Rows {
    /// The rows below `count` for which `is_in` is true.
    pub fn of(count: usize, is_in: impl Fn(usize) -> bool) -> Rows {
        let word = |i: usize| {
            let rows = i * 64..count.min(i * 64 + 64);
            rows.filter(|&row| is_in(row)).fold(0, |word, row| word | 1 << (row % 64))
        };
        Rows((0..count.div_ceil(64)).map(word).collect())
    }

    /// Whether a row is in the set.
    pub fn contains(&self, row: usize) -> bool {
        self.0.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// How many rows are in the set.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The rows that are in both sets.
    pub fn and(&self, other: &Rows) -> Rows {
        Rows(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// The rows that are in either set.
    pub fn or(&self, other: &Rows) -> Rows {
        Rows(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    /// Whether any row is in both sets.
    pub fn meets(&self, other: &Rows) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether any row is in all three sets.
    pub fn meets_both(&self, a: &Rows, b: &Rows) -> bool {
        self.0.iter().zip(&a.0).zip(&b.0).any(|((x, a), b)| x & a & b != 0)
    }

    /// Whether every row of this set is in another.
    pub fn is_within(&self, other: &Rows) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}
