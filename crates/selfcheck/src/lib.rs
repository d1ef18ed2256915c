//! Dodona checked against itself, on random cases out of bytes: modules, relations, inputs, files and command lines.
//!
//! - [`engines_agree`]: every engine says the same of a random module.
//! - [`verdicts`]: no run contradicts a proof, a judgement of equivalence or an order of mutants.
//! - [`readers`] and [`verbs`]: whatever the bytes are, a reader gives a value or an error that names a place, and a verb ends as it
//!   is documented. Nothing panics.
//!
//! The bytes come from a fuzzer or from a seed, and the same bytes are the same case again. A [`Check`] takes the bytes of one case,
//! and gives a [`Case`] or the [`Defect`] that it found. [`replay`] is for tests, and [`command()`] for running many cases by hand.

mod choices;
mod command;
mod counts;
mod engines_agree;
pub mod inputs;
pub mod modules;
mod mutants;
pub mod readers;
pub mod relations;
pub mod replay;
mod seen;
mod solver;
pub mod subject;
mod verbs;
pub mod verdicts;

pub use choices::{Choices, seeded};
pub use command::command;
pub use counts::{Case, Counts, Defect};
pub use engines_agree::engines_agree;
pub use mutants::MutantsOfSubject;
pub use seen::{Seen, must_agree};
pub use solver::solver;
pub use verbs::verbs;

/// A check: the bytes of a case in, what came of it out.
pub type Check = fn(&[u8]) -> Result<Case, Defect>;

/// All checks by the names of their fuzz targets, in alphabetical order.
pub const CHECKS: [(&str, Check); 14] = [
    ("engines_agree", engines_agree),
    ("equivalent_mutants", verdicts::equivalent_mutants),
    ("frames", readers::frames),
    ("manifest", readers::manifest),
    ("matrix", readers::matrix),
    ("module", readers::module),
    ("never_proved", verdicts::never_proved),
    ("openapi", readers::openapi),
    ("ordered_mutants", verdicts::ordered_mutants),
    ("pairs", readers::pairs),
    ("relations", readers::relations),
    ("replies", readers::replies),
    ("shards", readers::shards),
    ("verbs", verbs),
];
