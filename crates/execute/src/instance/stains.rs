//! What the module's allocator leaves behind when it gives an arena.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use dodona_subject::Allocator;

use crate::executable::Shared;

/// What allocating an arena leaves behind, by its capacity. It is the same in each fresh instance, and is looked
/// for once: looking touches pages that a call may never need.
#[derive(Debug, Default)]
pub(crate) struct Stains(Mutex<BTreeMap<u64, Stain>>);

/// Bytes that are not zero after an arena was allocated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stain {
    /// From the start of the arena.
    pub arena: usize,
    /// From the top of the stack down: the frames of the allocator.
    pub stack: usize,
}

impl Stains {
    pub(super) fn of(&self, capacity: u64, look: impl FnOnce() -> Stain) -> Stain {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(capacity).or_insert_with(look)
    }
}

pub(super) fn look(shared: &Shared, memory: &[u8], arena: Range<usize>) -> Stain {
    if shared.allocator == Allocator::Pages {
        return Stain::default();
    }
    let end = memory[arena].iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let stack = shared.stack.map_or(&[][..], |(stack, floor)| &memory[floor as usize..stack.top as usize]);
    let frames = stack.iter().position(|byte| *byte != 0).map_or(0, |first| stack.len() - first);
    Stain { arena: end, stack: frames }
}
