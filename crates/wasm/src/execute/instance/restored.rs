//! An instance whose memory and global variables are restored after each call, for functions that write static or heap memory.
//!
//! The code marks the parts of memory that it writes (`crates/wasm/src/execute/instrument/marks.rs`). After the call the host copies
//! these parts from an instance in which nothing is ever called. Memory never shrinks, so code that grows it is shown a size that is set
//! back (`crates/wasm/src/execute/instrument/growth.rs`). What cannot be undone (changes of tables and segments, calls of the host) costs
//! the instance. An access that a fresh instance would judge otherwise stops the row, which is then run again in a fresh one. Functions
//! that call the host are not marked.
//!
//! A short call is six times as quick as in a fresh instance. The price: a call that does nothing but store for hundreds of microseconds
//! is a quarter slower.

use dodona_target::Malformed;

use super::Instance;
use crate::execute::Isolation;
use crate::execute::instrument::{MARKED_BYTES, MARKS, OUTSIDE, SPILLED, STATE};
use crate::execute::shared::Shared;
use crate::execute::start::Unmade;

/// An instance that is restored after each call, and one like it in which nothing is ever called.
pub(crate) struct RestoredInstance {
    pub instance: Instance,
    untouched: Instance,
    /// Where the marks lie in the columns memory.
    marks: usize,
    /// The parts of memory that are to be restored; empty between calls.
    written: Vec<usize>,
}

impl RestoredInstance {
    /// A fresh instance with an arena of this capacity; with 0 without one. `None` if calls in this module leave no marks, or if its
    /// memory is too large for them.
    ///
    /// # Errors
    /// As [`Instance::new`].
    pub(crate) fn new(
        shared: &Shared,
        isolation: &Isolation,
        capacity: u64,
    ) -> Result<Option<RestoredInstance>, Unmade> {
        let Some(marks) = shared.compiled.notes.marks() else { return Ok(None) };
        let made = || -> Result<Result<Instance, Malformed>, Unmade> {
            let mut instance = Instance::new(&shared.compiled)?;
            let arena =
                if capacity > 0 { instance.ensure_arena(shared, isolation, capacity) } else { Ok(()) };
            Ok(arena.map(|()| instance))
        };
        // Where there is no memory for the arguments, a fresh instance says so.
        let (Ok(mut instance), Ok(untouched)) = (made()?, made()?) else { return Ok(None) };
        if untouched.memory().len() > MARKS * MARKED_BYTES {
            return Ok(None);
        }
        // Starting it and allocating its arena left marks.
        instance.records()[marks..=marks + STATE].fill(0);
        let mut made = RestoredInstance { instance, untouched, marks, written: Vec::new() };
        made.limit_memory(shared);
        Ok(Some(made))
    }

    /// Shows the code under test as much memory as a fresh instance has.
    fn limit_memory(&mut self, shared: &Shared) {
        let bytes = self.untouched.memory().len() as u32;
        self.instance.set(&shared.compiled.exports.limit, bytes);
    }

    /// Whether the last call was stopped before an access that a fresh instance judges otherwise. It is to be run again in one.
    pub(crate) fn is_outside(&mut self) -> bool {
        self.instance.records()[self.marks + STATE] == OUTSIDE
    }

    /// Undoes what the last call changed. Gives false if that cannot be undone: the instance is then of no use any more.
    pub(crate) fn restore(&mut self, shared: &Shared) -> bool {
        if self.instance.records()[self.marks + STATE] != 0 {
            return false;
        }
        let parts = self.instance.memory().len().div_ceil(MARKED_BYTES);
        let marks = &mut self.instance.records()[self.marks..][..parts.next_multiple_of(8)];
        // Eight marks at a time: nearly all of them are zero.
        for (group, marks) in marks.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            if *marks != [0; 8] {
                let marked = marks.iter().enumerate().filter(|(_, mark)| **mark != 0);
                self.written.extend(marked.map(|(place, _)| group * 8 + place));
                *marks = [0; 8];
            }
        }
        while let Some(part) = self.written.pop() {
            self.restore_part(part);
        }
        for export in &shared.compiled.exports.globals {
            if let Some(global) = self.untouched.global(export) {
                let value = global.get(&mut self.untouched.store);
                self.instance.set_value(export, value);
            }
        }
        self.limit_memory(shared);
        true
    }

    fn restore_part(&mut self, part: usize) {
        let Some(memory) = self.instance.memory else { return };
        let (to, from) = (memory.data_mut(&mut self.instance.store), self.untouched.memory());
        let start = part * MARKED_BYTES;
        let end = (start + MARKED_BYTES + SPILLED).min(to.len());
        // Memory that the call grew was zero.
        let known = from.len().clamp(start, end);
        if start < known {
            to[start..known].copy_from_slice(&from[start..known]);
        }
        to[known..end].fill(0);
    }
}
