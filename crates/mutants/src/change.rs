//! A change of the functions of a module, with its description.

use crate::{Candidate, Description};

/// A change of one function.
#[derive(Clone, Debug)]
pub struct Change {
    /// The function, as an index into [`Mutants::functions`](crate::Mutants::functions).
    pub function: usize,
    /// The change.
    pub candidate: Candidate,
    /// The change in words, with its place in the source.
    pub description: Description,
}
