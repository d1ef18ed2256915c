//! The kinds of work, each done for one function or relation.

mod covered;
mod judged;
mod made;
mod mutants;
mod relations;

use dodona_target::Interruption;

use crate::RunOptions;

pub(crate) use covered::{adequate, covered};
pub(crate) use judged::{checked, is_to_be_kept, noted, proved, regressions};
pub(crate) use made::{MadeRows, along_paths, of_frames};
pub(crate) use mutants::{MutantsOf, slices};
pub(crate) use relations::{composed, discovered, identified};

/// What all steps of a subject are given.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub(crate) options: &'a RunOptions,
    pub(crate) interrupted: &'a Interruption,
}
