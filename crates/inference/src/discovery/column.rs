//! Columns of values as the search computes them: numbers as `f64` where `f64` is exact, Booleans as bits, and sequences and texts
//! as ids.

use std::sync::Arc;

use super::Bits;

/// How many rows a loop handles at once: the rows of one word of [`Bits`].
pub(super) const LANES: usize = 64;

/// The values of 64 rows.
pub(super) type Block<T> = [T; LANES];

/// The largest integer, 2^52, that is kept as `f64`. Since `f64` is exact up to 2^53, quotients of such integers are rounded correctly.
pub(super) const EXACT: f64 = 4_503_599_627_370_496.0;

/// The values of all rows, with one block for each 64 rows; a single block may stand for all rows if they are equal.
/// The values in undefined rows mean nothing.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// A bit is set where the value is true; it is never set in undefined rows.
    Bool(Bits),
    /// Floats, or integers that all lie within ±2^52.
    Real(Vec<Block<f64>>),
    /// Integers, at least one of them beyond ±2^52.
    Wide(Vec<Block<i64>>),
    /// Texts and sequences, as ids: equal values have equal ids.
    Ids(Vec<Block<u32>>),
}

/// Values, some of which may be undefined.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) data: Data,
    /// The rows that are defined; `None` means all rows. Bits that stand for no row mean nothing here.
    pub(super) defined: Option<Arc<Bits>>,
}

impl Column {
    /// The bytes of memory that the column takes.
    pub(super) fn bytes(&self) -> usize {
        let data = match &self.data {
            Data::Bool(bits) => bits.words().len() * 8,
            Data::Real(blocks) => size_of_val(&blocks[..]),
            Data::Wide(blocks) => size_of_val(&blocks[..]),
            Data::Ids(blocks) => size_of_val(&blocks[..]),
        };
        data + self.defined.as_ref().map_or(0, |bits| bits.words().len() * 8)
    }
}

/// The block with this index; where one block stands for all rows, that block.
#[inline]
pub(super) fn block<T>(blocks: &[Block<T>], index: usize) -> &Block<T> {
    if blocks.len() == 1 { &blocks[0] } else { &blocks[index] }
}

/// How many blocks the result of an operation on two columns has.
pub(super) fn length<A, B>(a: &[Block<A>], b: &[Block<B>]) -> usize {
    a.len().max(b.len())
}

/// The rows on which both columns are defined.
pub(super) fn both(a: &Option<Arc<Bits>>, b: &Option<Arc<Bits>>) -> Option<Arc<Bits>> {
    match (a, b) {
        (Some(a), Some(b)) if Arc::ptr_eq(a, b) => Some(a.clone()),
        (Some(a), Some(b)) => Some(Arc::new(a.zip(b, |a, b| a & b))),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}

/// The order of the rows in the blocks: the correct rows start at block 0, the incorrect rows at the block after them. The rest of
/// the last block of each part repeats the part's last row, so that padding contains no value that real rows do not have.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) correct: usize,
    pub(super) incorrect: usize,
    /// For each slot the index of its row; the incorrect rows follow the correct rows.
    slots: Vec<u32>,
    /// The bits that stand for rows.
    pub(super) rows: Bits,
}

impl Layout {
    /// The layout of this many correct and incorrect rows. With no rows at all it has one block whose slots stand for no row.
    pub(super) fn new(correct: usize, incorrect: usize) -> Layout {
        if correct + incorrect == 0 {
            return Layout { correct, incorrect, slots: vec![0; LANES], rows: Bits::none(1) };
        }
        let part = |from: usize, count: usize| {
            let filled = count.next_multiple_of(LANES);
            (0..filled).map(move |slot| ((from + slot.min(count.saturating_sub(1))) as u32, slot < count))
        };
        let (slots, is_row): (Vec<u32>, Vec<bool>) = part(0, correct).chain(part(correct, incorrect)).unzip();
        let words = is_row.chunks(LANES).map(|c| c.iter().rev().fold(0, |w, &b| w << 1 | u64::from(b)));
        Layout { correct, incorrect, rows: Bits::from_words(words.collect()), slots }
    }

    /// How many words the correct rows take; the words of the incorrect rows follow.
    pub(super) fn correct_words(&self) -> usize {
        self.correct.div_ceil(LANES)
    }

    /// How many blocks there are, which is also the number of words of a bit set.
    pub(super) fn blocks(&self) -> usize {
        self.slots.len() / LANES
    }

    /// The bit of an incorrect row, which is counted from the first incorrect row.
    pub(super) fn incorrect_bit(&self, row: usize) -> usize {
        self.correct_words() * LANES + row
    }

    /// The values of the rows, arranged in blocks.
    pub(super) fn blocks_of<T: Copy>(&self, value: impl Fn(usize) -> T) -> Vec<Block<T>> {
        let block = |slots: &[u32]| std::array::from_fn(|lane| value(slots[lane] as usize));
        self.slots.chunks_exact(LANES).map(block).collect()
    }

    /// The rows for which `is_in` is true.
    pub(super) fn bits_of(&self, is_in: impl Fn(usize) -> bool) -> Bits {
        let word = |slots: &[u32]| {
            slots.iter().rev().fold(0, |word, &row| word << 1 | u64::from(is_in(row as usize)))
        };
        let words = self.slots.chunks_exact(LANES).zip(self.rows.words()).map(|(s, rows)| word(s) & rows);
        Bits::from_words(words.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incorrect_rows_begin_with_a_block() {
        let layout = Layout::new(65, 2);
        assert_eq!((layout.blocks(), layout.correct_words(), layout.incorrect_bit(1)), (3, 2, 129));
        assert_eq!(layout.rows.words(), [u64::MAX, 1, 3]);
        let blocks = layout.blocks_of(|row| row);
        assert_eq!((blocks[1][0], blocks[1][63], blocks[2][1], blocks[2][5]), (64, 64, 66, 66));
        assert_eq!(layout.bits_of(|row| row % 2 == 0).words(), [0x5555_5555_5555_5555, 1, 2]);
    }

    #[test]
    fn a_part_may_be_empty() {
        assert_eq!(Layout::new(0, 3).rows.words(), [7]);
        assert_eq!(Layout::new(3, 0).blocks(), 1);
        assert_eq!(Layout::new(0, 0).rows.words(), [0]);
    }
}
