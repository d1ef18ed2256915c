//! Computed columns, within a bound on memory.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::discovery::column::Column;
use crate::discovery::{Score, TermId};

/// What is known about a term.
#[derive(Debug)]
pub(super) struct CachedColumn {
    pub(super) column: Arc<Column>,
    pub(super) score: Option<Score>,
    bytes: usize,
    was_used: bool,
}

/// Columns by their terms. When memory runs out, the cache drops columns that were not used since it last considered dropping them
/// (the clock algorithm). Which columns it drops depends on the order of look-ups alone.
#[derive(Debug)]
pub(super) struct ColumnCache {
    entries: FxHashMap<TermId, CachedColumn>,
    queue: VecDeque<TermId>,
    bytes: usize,
    most: usize,
}

impl ColumnCache {
    /// An empty cache for at most `most` bytes.
    pub(super) fn new(most: usize) -> ColumnCache {
        ColumnCache { entries: FxHashMap::default(), queue: VecDeque::new(), bytes: 0, most }
    }

    /// What is known about a term, if it is in the cache.
    pub(super) fn get(&mut self, term: TermId) -> Option<&mut CachedColumn> {
        let entry = self.entries.get_mut(&term)?;
        entry.was_used = true;
        Some(entry)
    }

    /// Stores a column, after older columns have made room for it.
    pub(super) fn insert(&mut self, term: TermId, column: Arc<Column>) {
        let bytes = column.bytes() + 128;
        self.bytes += bytes;
        while self.bytes > self.most && self.drop_one() {}
        self.queue.push_back(term);
        self.entries.insert(term, CachedColumn { column, score: None, bytes, was_used: false });
    }

    fn drop_one(&mut self) -> bool {
        while let Some(term) = self.queue.pop_front() {
            match self.entries.get_mut(&term) {
                Some(entry) if entry.was_used => {
                    entry.was_used = false;
                    self.queue.push_back(term);
                }
                Some(entry) => {
                    self.bytes -= entry.bytes;
                    self.entries.remove(&term);
                    return true;
                }
                None => {}
            }
        }
        false
    }

    /// Keeps the columns for which `is_kept` is true.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&Column) -> bool) {
        self.entries.retain(|_, entry| is_kept(&entry.column));
        self.bytes = self.entries.values().map(|entry| entry.bytes).sum();
        self.queue.retain(|term| self.entries.contains_key(term));
    }

    /// Moves each column to the new id of its term; columns of terms without a new id are dropped.
    pub(super) fn renumber(&mut self, new: &impl Fn(TermId) -> Option<TermId>) {
        let mut entries = std::mem::take(&mut self.entries);
        let queue = std::mem::take(&mut self.queue);
        self.bytes = 0;
        for term in queue {
            if let Some((to, entry)) = entries.remove(&term).and_then(|e| Some((new(term)?, e))) {
                self.bytes += entry.bytes;
                self.queue.push_back(to);
                self.entries.insert(to, entry);
            }
        }
    }

    /// Drops all entries.
    pub(super) fn clear(&mut self) {
        *self = ColumnCache::new(self.most);
    }
}
