//! The cost of a call beside its own work. It depends on whether calls share an instance.

use dodona_wasm::{CallInstances, Workbench};

use crate::tuning::{FRESH_CALL, RESTORED_CALL, SHARED_CALL};

/// The units that a call of a function costs in addition to its fuel.
pub(crate) fn of_call(workbench: &Workbench, function: usize) -> u64 {
    match workbench.target.executable.instances(function) {
        CallInstances::Reused => SHARED_CALL,
        CallInstances::Restored => RESTORED_CALL,
        CallInstances::Fresh => FRESH_CALL,
    }
}

/// Whether each call of a function gets a new instance, so that it is run on fewer inputs than others.
pub(crate) fn is_fresh(workbench: &Workbench, function: usize) -> bool {
    workbench.target.executable.instances(function) == CallInstances::Fresh
}
