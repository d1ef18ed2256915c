//! Sets of rows, a bit each.

/// A set of rows of an [`Evaluator`](super::Evaluator), in its own order: the correct rows first, from bit 0 on, the incorrect
/// ones from the next multiple of 64 on. Bits that stand for no row are never set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set with room for `words` words of 64 rows.
    pub(super) fn none(words: usize) -> Bits {
        Bits { words: vec![0; words] }
    }

    pub(super) fn from_words(words: Vec<u64>) -> Bits {
        Bits { words }
    }

    /// The words, row `i` at bit `i % 64` of word `i / 64`.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether a row is in it.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn contains(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    /// How many rows are in it.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|w| w.count_ones()).sum()
    }

    /// How many rows are in it or in another.
    pub fn count_union(&self, other: &Bits) -> u32 {
        self.words.iter().zip(&other.words).map(|(a, b)| (a | b).count_ones()).sum()
    }

    /// The rows in it, in order.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let next = |w: &u64| Some(w & (w - 1)).filter(|w| *w != 0);
            std::iter::successors(Some(word).filter(|w| *w != 0), next)
                .map(move |w| i * 64 + w.trailing_zeros() as usize)
        })
    }

    /// These words alone.
    pub(super) fn pick(&self, words: &[usize]) -> Bits {
        Bits { words: words.iter().map(|&i| self.words[i]).collect() }
    }

    /// Takes a row out.
    pub(super) fn remove(&mut self, row: usize) {
        self.words[row / 64] &= !(1 << (row % 64));
    }

    /// Takes out all rows below one that begins a word.
    pub(super) fn keep_from(&mut self, row: usize) {
        self.words[..row / 64].fill(0);
    }

    /// A word from each pair of words of two sets.
    #[inline]
    pub(super) fn zip(&self, other: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        Bits { words: self.words.iter().zip(&other.words).map(|(&a, &b)| f(a, b)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_set_are_its_bits() {
        let bits = Bits::from_words(vec![0b101, 0, 1 << 63]);
        assert_eq!(bits.rows().collect::<Vec<_>>(), [0, 2, 191]);
        assert_eq!((bits.count(), bits.contains(2), bits.contains(1)), (3, true, false));
        assert_eq!(bits.count_union(&Bits::from_words(vec![0b110, 1, 0])), 5);
    }
}
