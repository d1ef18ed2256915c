//! What the module's allocator leaves behind when it gives an arena.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use dodona_subject::Allocator;

use crate::execute::instrument::StackPointer;

/// What allocating an arena leaves behind, by its capacity. It is the same in each fresh instance, and is looked
/// for once: looking touches pages that a call may never need.
#[derive(Debug, Default)]
pub(crate) struct Residues(Mutex<BTreeMap<u64, Residue>>);

/// Bytes that are not zero after an arena was allocated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Residue {
    /// From the start of the arena.
    pub arena: usize,
    /// From the top of the stack down: the frames of the allocator.
    pub stack: usize,
}

impl Residues {
    /// The residue of an arena of this capacity; `look` finds it the first time.
    pub(crate) fn of(&self, capacity: u64, look: impl FnOnce() -> Residue) -> Residue {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(capacity).or_insert_with(look)
    }
}

impl Residue {
    /// Looks for what the allocator left in an arena, and in the stack with its floor.
    pub(crate) fn look(
        allocator: Allocator,
        stack: Option<(StackPointer, u32)>,
        memory: &[u8],
        arena: Range<usize>,
    ) -> Residue {
        if allocator == Allocator::Pages {
            return Residue::default();
        }
        let end = memory[arena].iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let stack = stack.map_or(&[][..], |(stack, floor)| &memory[floor as usize..stack.top as usize]);
        let frames = stack.iter().position(|byte| *byte != 0).map_or(0, |first| stack.len() - first);
        Residue { arena: end, stack: frames }
    }
}
