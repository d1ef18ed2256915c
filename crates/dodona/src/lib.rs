//! Metamorphic testing as a library: for functions whose correct output nobody can state, relations between several calls are checked.
//!
//! In a test of Rust code, [`function!`] declares what is under test where it is:
//!
//! ```
//! fn mean(xs: &[f64]) -> f64 {
//!     xs.iter().sum::<f64>() / xs.len() as f64
//! }
//!
//! dodona::function!(mean(xs: &[f64] in -1e6..=1e6) -> f64)
//!     .length("xs", 1..=20)
//!     .holds("mean(reverse(xs)) ~= mean(xs)")
//!     .holds("mean(xs) * len(xs) ~= sum(xs)")
//!     .check();
//! ```
//!
//! Without the feature `wasm`, which is on by default, nothing is built but what this needs. With it, [`wasm`] opens what a manifest
//! declares, in any language that compiles to WebAssembly.

pub use dodona_native::{Argument, Metamorphic, NativeFunction, NativeTarget, Returned, Within, function};
pub use dodona_records as records;
pub use dodona_report as report;
pub use dodona_target as target;
pub use dodona_workbench::{
    CheckOptions, LabError, Progress, Regressions, Relations, Workbench, check, replay,
};

/// Functions compiled to WebAssembly: opened from a manifest, mutated, proved, and searched for relations.
#[cfg(feature = "wasm")]
pub mod wasm {
    pub use dodona_discovery::discover;
    pub use dodona_generation::{SearchOptions, prove};
    pub use dodona_mutation::{MutateOptions, MutateOutcome, mutate};
    pub use dodona_subject::{Manifest, ManifestError};
    pub use dodona_wasm::{WasmTarget, Workbench, open, open_with};
}
