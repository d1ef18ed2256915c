//! What is added to a module, worked out before its sections are written.

use std::collections::BTreeMap;

use super::copies::{Arm, arms};
use super::guard::Guards;
use super::{Added, DriverLayout, Globals, Notes, Plan};

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
        let notes = Notes::new(&drivers, plan.variants.note_bits, !plan.marked.is_empty());
        added.marks = notes.marks().unwrap_or_default() as u32;
        added.limits_memory = plan.limits_memory;
        let first_copy = added.first_driver() + drivers.iter().flatten().count() as u32;
        let arms = arms(&plan.variants.copies, first_copy);
        Additions { plan, added, drivers, notes, globals: Globals::of(plan.module), arms }
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
