//! Sets of rows, with one bit for each row.

/// A set of rows of an [`Evaluator`](super::Evaluator), in the evaluator's order: the correct rows start at bit 0, the incorrect
/// rows start at the next multiple of 64. Bits that stand for no row are never set.
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

    /// Whether a row is in the set.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn contains(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    /// How many rows are in the set.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|w| w.count_ones()).sum()
    }

    /// How many rows are in at least one of the two sets.
    pub fn count_union(&self, other: &Bits) -> u32 {
        self.words.iter().zip(&other.words).map(|(a, b)| (a | b).count_ones()).sum()
    }

    /// The rows of the set, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let next = |w: &u64| Some(w & (w - 1)).filter(|w| *w != 0);
            std::iter::successors(Some(word).filter(|w| *w != 0), next)
                .map(move |w| i * 64 + w.trailing_zeros() as usize)
        })
    }

    /// The set reduced to the words with these indices.
    pub(super) fn pick(&self, words: &[usize]) -> Bits {
        Bits { words: words.iter().map(|&i| self.words[i]).collect() }
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, row: usize) {
        self.words[row / 64] &= !(1 << (row % 64));
    }

    /// Removes all rows before `row`, which has to be the first row of a word.
    pub(super) fn keep_from(&mut self, row: usize) {
        self.words[..row / 64].fill(0);
    }

    /// Combines two sets word by word with `f`.
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
