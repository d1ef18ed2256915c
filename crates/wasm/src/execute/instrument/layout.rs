//! The record that a driver reads and writes for each row.

use dodona_subject::WasmType;

use super::{Passed, Target};

/// The most rows of one crossing: their records stay in the nearest cache.
pub(crate) const MOST_ROWS: usize = 1024;

/// Where things lie in a row's record, in bytes. Every slot is 8 bytes wide.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DriverLayout {
    /// The arguments with the place and type of each that comes from the row.
    pub arguments: Vec<Passed>,
    /// What is returned and wanted, in order.
    pub results: Vec<ResultSlot>,
    /// The fuel that the row may use, where each row has its own; then the fuel used. An i64.
    pub fuel: usize,
    /// The end of what was written to the arguments' arena, an i32.
    pub arena_high: usize,
    /// The bytes of the arena that the arguments take up, an i32 that the host writes.
    pub arena_used: usize,
    /// Bytes from one row to the next.
    pub stride: usize,
    /// Rows of one crossing.
    pub rows: usize,
}

/// Where a value lies that is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResultSlot {
    pub offset: usize,
    pub ty: WasmType,
}

impl DriverLayout {
    pub(super) fn new(target: &Target) -> DriverLayout {
        let slots = target.arguments.iter().filter(|a| matches!(a, Passed::Slot(..))).count();
        let mut next = slots * 8;
        let mut slot = || {
            next += 8;
            next - 8
        };
        let results = target.results.iter().map(|ty| ResultSlot { offset: slot(), ty: *ty }).collect();
        let fuel = slot();
        // Scalars need no arena, and their records are better short.
        let (arena_high, arena_used) = if target.in_memory { (slot(), slot()) } else { (fuel, fuel) };
        DriverLayout {
            arguments: target.arguments.clone(),
            results,
            fuel,
            arena_high,
            arena_used,
            stride: next,
            rows: if target.in_memory { 1 } else { MOST_ROWS },
        }
    }

    /// Bytes of the columns memory that the driver uses.
    pub(super) fn bytes(&self) -> usize {
        self.stride * self.rows
    }
}
