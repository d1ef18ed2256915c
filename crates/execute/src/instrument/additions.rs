//! What is added to a module, worked out before its sections are written.

use std::collections::BTreeMap;

use super::body::Guards;
use super::copies::{Arm, arms};
use super::{Added, DriverLayout, Globals, Notes, Plan};
use crate::limits::PAGE;

/// What is added to a module.
pub(super) struct Additions<'a> {
    pub plan: &'a Plan<'a>,
    pub added: Added,
    pub drivers: Vec<Option<DriverLayout>>,
    pub notes: Notes,
    pub globals: Globals,
    arms: BTreeMap<u32, Vec<Arm>>,
}

impl<'a> Additions<'a> {
    pub(super) fn new(plan: &'a Plan<'a>) -> Self {
        let mut added = Added::new(plan.module);
        let drivers: Vec<_> = plan.targets.iter().map(|t| t.as_ref().map(DriverLayout::new)).collect();
        let notes = Notes::new(&drivers, plan.variants.note_bits);
        added.marks = (notes.pages() * PAGE) as u32;
        added.limits_memory = plan.limits_memory;
        let first_copy = added.first_driver() + drivers.iter().flatten().count() as u32;
        let arms = arms(&plan.variants.copies, first_copy);
        Additions { plan, added, drivers, notes, globals: Globals::of(plan.module), arms }
    }

    /// The address of the marks, if there are any.
    pub(super) fn marks(&self) -> Option<usize> {
        (!self.plan.marked.is_empty()).then_some(self.added.marks as usize)
    }

    /// Pages of the columns memory: those of records and notes, and one for marks.
    pub(super) fn pages(&self) -> u64 {
        self.notes.pages() + u64::from(self.marks().is_some())
    }

    /// The versions of a function.
    pub(super) fn arms(&self, function: u32) -> &[Arm] {
        self.arms.get(&function).map_or(&[], Vec::as_slice)
    }

    /// What is checked in a function, and in its copies.
    pub(super) fn guards(&self, function: u32) -> Guards {
        let guarded = self.plan.guarded;
        match (guarded.contains(&function), self.plan.variants.is_empty()) {
            (true, true) => Guards::Stores,
            (true, false) => Guards::Confined,
            (false, false) if !guarded.is_empty() => Guards::Outside,
            (false, _) => Guards::Absent,
        }
    }
}
