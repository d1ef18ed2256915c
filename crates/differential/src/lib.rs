//! Dodona against itself: random modules, relations and inputs out of bytes, and what every engine must say of them.
//!
//! Each check takes the bytes of one case, from a fuzzer or from a seed, and gives a [`Case`] or the [`Defect`] that it found:
//! [`never_proved`], [`engines_agree`], [`equivalent_mutants`] and [`verbs`]. The same bytes are the same case again.

mod choices;
mod counts;
mod engines_agree;
mod equivalent_mutants;
mod inputs;
mod modules;
mod mutants;
mod never_proved;
mod plant;
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
pub use verbs::verbs;
