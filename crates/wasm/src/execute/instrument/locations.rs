//! From places in the instrumented code back to the original.

use dodona_subject::CodePoint;

/// For each defined function and each copy of one, where each original instruction begins in the instrumented body.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    imported: u32,
    bodies: Vec<Vec<u32>>,
    /// The index of the first copy.
    first_copy: u32,
    copies: Vec<(u32, Vec<u32>)>,
}

impl Locations {
    pub(super) fn new(imported: u32) -> Self {
        Locations { imported, ..Locations::default() }
    }

    /// Adds the next defined function: the offset in its body of what was made of each instruction.
    pub(super) fn push(&mut self, starts: Vec<u32>) {
        self.bodies.push(starts);
    }

    /// Copies have the indices from this on.
    pub(super) fn copies_from(&mut self, first: u32) {
        self.first_copy = first;
    }

    /// Adds the next copy, of an original function.
    pub(super) fn push_copy(&mut self, original: u32, starts: Vec<u32>) {
        self.copies.push((original, starts));
    }

    /// The original instruction at an offset in a body of the instrumented module; `None` in code that
    /// was added.
    pub(crate) fn original(&self, function: u32, offset: usize) -> Option<CodePoint> {
        let (function, starts) = self.body(function)?;
        let after = starts.partition_point(|&start| start as usize <= offset);
        Some(CodePoint { function, instruction: after.saturating_sub(1) as u32 })
    }

    /// The original function with its offsets.
    fn body(&self, function: u32) -> Option<(u32, &[u32])> {
        if let Some(body) = self.bodies.get(function.checked_sub(self.imported)? as usize) {
            return Some((function, body));
        }
        let (original, starts) = self.copies.get(function.checked_sub(self.first_copy)? as usize)?;
        Some((*original, starts))
    }
}
