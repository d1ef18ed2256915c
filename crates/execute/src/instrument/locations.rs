//! From places in the instrumented code back to the original.

use dodona_subject::CodePoint;

/// For each defined function, where each original instruction begins in the instrumented body.
#[derive(Debug, Default)]
pub(crate) struct Locations {
    imported: u32,
    bodies: Vec<Vec<u32>>,
}

impl Locations {
    pub(super) fn new(imported: u32) -> Self {
        Locations { imported, bodies: Vec::new() }
    }

    /// Adds the next defined function: the offset in its body of what was made of each instruction.
    pub(super) fn push(&mut self, starts: Vec<u32>) {
        self.bodies.push(starts);
    }

    /// The original instruction at an offset in a body of the instrumented module; `None` in code that
    /// was added.
    pub(crate) fn original(&self, function: u32, offset: usize) -> Option<CodePoint> {
        let starts = self.bodies.get(function.checked_sub(self.imported)? as usize)?;
        let after = starts.partition_point(|&start| start as usize <= offset);
        Some(CodePoint { function, instruction: after.saturating_sub(1) as u32 })
    }
}
