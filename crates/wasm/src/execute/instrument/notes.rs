//! Notes: bits that patched code sets for each row, behind the records in the columns memory. Marks of what calls write stand behind them.

use wasm_encoder::InstructionSink;

use super::{Added, DriverLayout};
use crate::execute::limits::PAGE;

/// Bytes of notes that one crossing may fill: with the records they stay in the nearer caches.
const MOST_BYTES: usize = 64 << 10;

/// Where notes lie in the columns memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// The byte address of the first row's notes.
    pub base: usize,
    /// Words of 8 bytes a row; 0 for no notes.
    pub words: usize,
    /// Rows that have notes of their own, a power of two. In longer crossings, which nobody reads the notes of, rows share them.
    pub rows: usize,
    /// Whether marks have a page behind them.
    has_marks: bool,
}

impl Notes {
    /// Behind the records of all drivers.
    pub(super) fn new(drivers: &[Option<DriverLayout>], bits: u32, has_marks: bool) -> Notes {
        let drivers = || drivers.iter().flatten();
        let base = drivers().map(DriverLayout::bytes).max().unwrap_or(0);
        let words = bits.div_ceil(64) as usize;
        if words == 0 {
            return Notes { base, words, rows: 1, has_marks };
        }
        let most = drivers().map(|d| d.rows).max().unwrap_or(1);
        let fit = (MOST_BYTES / (words * 8)).clamp(1, most);
        Notes { base, words, rows: 1 << fit.ilog2(), has_marks }
    }

    /// The byte address of the marks, if there are any.
    pub(crate) fn marks(&self) -> Option<usize> {
        self.has_marks.then(|| (self.own_pages() * PAGE) as usize)
    }

    /// Pages of the columns memory.
    pub(crate) fn pages(&self) -> u64 {
        self.own_pages() + u64::from(self.has_marks)
    }

    /// Pages up to the end of the notes; never none.
    fn own_pages(&self) -> u64 {
        let bytes = self.base + self.rows * self.words * 8;
        (bytes as u64).div_ceil(PAGE).max(1)
    }

    /// Sets the notes global for the row in a local.
    pub(super) fn set_address(&self, code: &mut InstructionSink<'_>, added: &Added, row: u32) {
        // With one row the global keeps its initial value.
        if self.words == 0 || self.rows == 1 {
            return;
        }
        code.local_get(row).i32_const(self.rows as i32 - 1).i32_and();
        code.i32_const(self.words as i32 * 8).i32_mul();
        code.i32_const(self.base as i32).i32_add().global_set(added.notes);
    }
}
