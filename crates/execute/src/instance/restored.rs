//! An instance whose memory and global variables are restored after each call, for functions that leave traces. That is several times
//! as quick as a fresh instance for each call: only the parts of memory that the call wrote are copied.

use dodona_subject::Malformed;
use wasmtime::Memory;

use super::Instance;
use crate::Isolation;
use crate::instrument::{LOST, MARKED_BYTES, MARKS, SPILLED};
use crate::shared::Shared;

/// An instance that is restored after each call, and one like it in which nothing is ever called.
pub(crate) struct RestoredInstance {
    pub instance: Instance,
    untouched: Instance,
    /// Where the marks lie in the columns memory.
    marks: usize,
}

impl RestoredInstance {
    /// A fresh instance with an arena of this capacity; with 0 without one. `None` if calls in this module leave no marks, or if its
    /// memory is too large for them.
    ///
    /// # Errors
    /// What went wrong, for people, as with [`Instance::new`].
    pub(crate) fn new(
        shared: &Shared,
        isolation: &Isolation,
        capacity: u64,
    ) -> Result<Option<RestoredInstance>, String> {
        let Some(marks) = shared.compiled.marks else { return Ok(None) };
        let made = || -> Result<Result<Instance, Malformed>, String> {
            let mut instance = Instance::new(&shared.compiled)?;
            let arena = if capacity > 0 { instance.ensure_arena(shared, isolation, capacity) } else { Ok(()) };
            Ok(arena.map(|()| instance))
        };
        // Where there is no memory for the arguments, a fresh instance says so.
        let (Ok(mut instance), Ok(untouched)) = (made()?, made()?) else { return Ok(None) };
        if untouched.memory().len() > MARKS * MARKED_BYTES {
            return Ok(None);
        }
        // Starting it and allocating its arena left marks.
        instance.records()[marks..=marks + LOST].fill(0);
        Ok(Some(RestoredInstance { instance, untouched, marks }))
    }

    /// Undoes what the last call changed. Gives false if that cannot be undone: the instance is then of no use any more.
    pub(crate) fn restore(&mut self, shared: &Shared) -> bool {
        let parts = self.untouched.memory().len().div_ceil(MARKED_BYTES);
        if self.instance.memory().len() != self.untouched.memory().len()
            || self.instance.records()[self.marks + LOST] != 0
        {
            return false;
        }
        // Eight marks at a time: nearly all of them are zero.
        for group in 0..parts.div_ceil(8) {
            let at = self.marks + group * 8;
            let marks: [u8; 8] = std::array::from_fn(|part| self.instance.records()[at + part]);
            if marks == [0; 8] {
                continue;
            }
            self.instance.records()[at..at + 8].fill(0);
            for (part, _) in marks.iter().enumerate().filter(|(_, mark)| **mark != 0) {
                self.restore_part(group * 8 + part);
            }
        }
        for export in &shared.compiled.exports.globals {
            if let Some(global) = self.untouched.global(export) {
                let value = global.get(&mut self.untouched.store);
                self.instance.set_value(export, value);
            }
        }
        true
    }

    fn restore_part(&mut self, part: usize) {
        let from = self.untouched.memory();
        let end = ((part + 1) * MARKED_BYTES + SPILLED).min(from.len());
        let bytes = part * MARKED_BYTES..end;
        let Some(memory): Option<Memory> = self.instance.memory else { return };
        memory.data_mut(&mut self.instance.store)[bytes.clone()].copy_from_slice(&from[bytes]);
    }
}
