//! The cost of a call beside its own work. It depends on whether calls share an instance.

use dodona_wasm::{CallInstances, module_of};
use dodona_workbench::Workbench;

use crate::tuning::{FRESH_CALL, RESTORED_CALL, SHARED_CALL};

/// The units that a call of a function costs in addition to its fuel.
pub(crate) fn of_call(workbench: &Workbench, function: usize) -> u64 {
    match instances(workbench, function) {
        CallInstances::Reused => SHARED_CALL,
        CallInstances::Restored => RESTORED_CALL,
        CallInstances::Fresh => FRESH_CALL,
    }
}

/// Whether each call of a function gets a new instance, so that it is run on fewer inputs than others.
pub(crate) fn is_fresh(workbench: &Workbench, function: usize) -> bool {
    instances(workbench, function) == CallInstances::Fresh
}

/// How the calls of a function share instances. Functions that have none share what they keep.
fn instances(workbench: &Workbench, function: usize) -> CallInstances {
    module_of(workbench).map_or(CallInstances::Reused, |module| module.executable.instances(function))
}
