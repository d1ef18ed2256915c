//! Dodona against itself: random modules, relations and inputs out of bytes, and what every engine must say of them.
//!
//! Each check takes the bytes of one case, from a fuzzer or from a seed, and gives a [`Case`] or the [`Defect`] that it found:
//! [`never_proved`], [`engines_agree`], [`equivalent_mutants`], [`ordered_mutants`] and [`verbs`], and those of whatever reads bytes ([`readers`]).
//! The same bytes are the same case again.

mod choices;
mod counts;
mod engines_agree;
mod equivalent_mutants;
mod inputs;
mod modules;
mod mutants;
mod never_proved;
mod ordered_mutants;
mod plant;
pub mod readers;
mod relations;
mod seen;
mod solvers;
mod subject;
mod verbs;

pub use choices::seeded;
pub use counts::{Case, Counts, Defect};
pub use engines_agree::engines_agree;
pub use equivalent_mutants::equivalent_mutants;
pub use modules::RandomModule;
pub use never_proved::never_proved;
pub use ordered_mutants::ordered_mutants;
pub use verbs::verbs;

/// A check: the bytes of a case in, what came of it out.
pub type Check = fn(&[u8]) -> Result<Case, Defect>;

/// All checks by the names of their fuzz targets.
pub const CHECKS: [(&str, Check); 11] = [
    ("engines_agree", engines_agree),
    ("equivalent_mutants", equivalent_mutants),
    ("frames", readers::frames),
    ("manifest", readers::manifest),
    ("matrix", readers::matrix),
    ("module", readers::module),
    ("never_proved", never_proved),
    ("ordered_mutants", ordered_mutants),
    ("relations", readers::relations),
    ("replies", readers::replies),
    ("verbs", verbs),
];
