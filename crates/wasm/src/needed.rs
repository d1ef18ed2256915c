//! From a target of any kind to the module that it is.

use std::sync::Arc;

use dodona_workbench::LabError;

use crate::{WasmTarget, Workbench};

/// The module that is under test; `None` if the target is of another kind.
pub fn module_of(workbench: &dodona_workbench::Workbench) -> Option<&WasmTarget> {
    workbench.target.as_any().downcast_ref::<WasmTarget>()
}

/// A workbench on any target as one on a module; `None` if its target is of another kind.
pub fn of(workbench: &dodona_workbench::Workbench) -> Option<Workbench> {
    Some(Workbench::new(module_of(workbench)?.clone(), Arc::clone(&workbench.relations)))
}

/// [`of`] for work on code, of which `what` is the name: "mutation analysis".
///
/// # Errors
/// When the target is of another kind. The error says what needs a module, and what to do.
pub fn needed(workbench: &dodona_workbench::Workbench, what: &'static str) -> Result<Workbench, LabError> {
    of(workbench).ok_or_else(|| {
        let subject = workbench.target.name().to_owned();
        LabError::engine(NoModule { what, subject, kind: workbench.target.traits().kind })
    })
}

/// Work on code is asked for, and the target has none that can be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "{what} works on the code of a WebAssembly module, and `{subject}` consists of {kind}; compile it to WebAssembly and declare its module in a manifest, dodona.toml"
)]
struct NoModule {
    what: &'static str,
    subject: String,
    kind: &'static str,
}
