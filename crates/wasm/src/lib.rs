//! WebAssembly under test: the module that a manifest declares is built, compiled and called.
//!
//! [`open`] gives a [`Workbench`] on it. Whoever works on the code, such as mutation analysis and proofs, takes its module from there.

mod ending;
pub mod execute;
mod needed;
mod open;
mod reach;
mod wasm_target;

/// How the calls of a function share instances of its module.
pub use crate::execute::CallInstances;
pub use needed::{module_of, needed, of};
pub use open::{drawn_otherwise, open, open_for_functions, open_for_relations, open_with, with_data_up_to};
pub use reach::{Reach, runs};
pub use wasm_target::WasmTarget;

/// A module with its relations.
pub type Workbench = dodona_workbench::Workbench<WasmTarget>;
