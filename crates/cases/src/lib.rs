//! Random cases out of bytes, on which Dodona is checked against itself: modules, relations and inputs.
//!
//! The bytes come from a fuzzer or from a seed, and the same bytes are the same case again. A [`Check`] takes the bytes of one case,
//! and gives a [`Case`] or the [`Defect`] that it found. The checks themselves are in the crates `differential`, `verdicts` and
//! `robustness`; [`replay`] is for their tests, and [`command()`] for running many cases by hand.

mod choices;
mod command;
mod counts;
pub mod inputs;
pub mod modules;
mod mutants;
pub mod relations;
pub mod replay;
mod seen;
mod solver;
pub mod subject;

pub use choices::{Choices, seeded};
pub use command::command;
pub use counts::{Case, Counts, Defect};
pub use mutants::MutantsOfSubject;
pub use seen::{Seen, must_agree};
pub use solver::solver;

/// A check: the bytes of a case in, what came of it out.
pub type Check = fn(&[u8]) -> Result<Case, Defect>;
