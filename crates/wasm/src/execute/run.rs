//! The calls that a runner makes at once.

use dodona_target::{Calls, Column};

use crate::execute::Choice;
use crate::execute::shared::{Driver, Prepared, Shared};
use dodona_target::Until;

/// The calls that are being made.
pub(crate) struct Run<'a> {
    pub function: usize,
    pub shared: &'a Shared,
    pub prepared: &'a Prepared,
    pub driver: &'a Driver,
    pub arguments: &'a [Column],
    pub choice: Choice,
    /// A limit a row; none for the executable's.
    pub fuel: Option<&'a [u64]>,
    /// Whether the rows' notes are kept.
    pub notes: Notes,
    /// When to give up.
    pub until: &'a Until,
    pub calls: Calls,
}

/// Whether notes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notes {
    Ignored,
    Kept,
}

impl Run<'_> {
    /// The fuel that a row may use.
    pub(crate) fn fuel(&self, row: usize) -> u64 {
        let most = self.shared.compiled.limits.fuel.0;
        self.fuel.map_or(most, |fuel| fuel[row].min(most))
    }
}
