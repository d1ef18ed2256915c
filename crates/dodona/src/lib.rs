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
//! A [`Workbench`] is a subject with its relations, whatever kind of target the subject is: [`Metamorphic::workbench`] gives one on
//! Rust functions, and [`wasm::open`] one on what a manifest declares, in any language that compiles to WebAssembly. [`check()`], [`laws`],
//! [`compose`], [`frames`] and [`identify`] work on every target; [`mutate`], [`prove`] and [`discover`] read the code of a module.
//!
//! Without the feature `wasm`, which is on by default, nothing is built but what Rust functions and their check need.

#[cfg(feature = "wasm")]
mod checked;
#[cfg(feature = "wasm")]
mod code;
#[cfg(feature = "wasm")]
mod natively;
#[cfg(feature = "wasm")]
mod outside;

#[cfg(feature = "wasm")]
pub use checked::{CheckPlan, Checked, PlannedCheck, check_as_planned, check_natively_as_planned};
#[cfg(feature = "wasm")]
pub use code::{discover, mutate, prove};
#[cfg(feature = "wasm")]
pub use dodona_discovery::{
    ComposeOptions, ComposeOutcome, DiscoverOptions, Forms, LawsOptions, SoFar, compose, laws,
};
#[cfg(feature = "wasm")]
pub use dodona_frames::{Framed, FramesOptions, IdentifyOptions, identify, samples as frames};
#[cfg(feature = "wasm")]
pub use dodona_generation::{SearchOptions, Technique};
#[cfg(feature = "wasm")]
pub use dodona_lab::{CodeCriterion, Criterion, UntilAdequate};
#[cfg(feature = "wasm")]
pub use dodona_mutation::{MutateOptions, MutateOutcome, OutsideVersion, mutate_outside};
pub use dodona_native::{
    Argument, Element, Metamorphic, NativeFunction, NativeParameter, NativeTarget, Outputs, Returned, Within,
    function, shown,
};
pub use dodona_records as records;
pub use dodona_report as report;
pub use dodona_target as target;
pub use dodona_workbench::{
    CheckOptions, Journal, LabError, Memory, Progress, Regressions, Relations, Schedule, ScheduleOptions,
    Seed, Workbench, check, check_scheduled, replay,
};
#[cfg(feature = "wasm")]
pub use natively::{Native, open_natively};
#[cfg(feature = "wasm")]
pub use outside::{is_outside, open_outside, outside_versions};

/// WebAssembly modules as targets.
#[cfg(feature = "wasm")]
pub mod wasm {
    pub use dodona_subject::{Manifest, ManifestError};
    pub use dodona_wasm::{WasmTarget, Workbench, open, open_with};
}
