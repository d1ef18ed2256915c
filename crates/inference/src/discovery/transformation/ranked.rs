//! A collection of transformations, each with a rank for how useful it is expected to be.

use super::Transformation;

/// Transformations with their ranks.
#[derive(Default)]
pub(super) struct RankedTransformations {
    list: Vec<(usize, Transformation)>,
}

impl RankedTransformations {
    /// Adds a transformation; transformations of low rank come first.
    pub(super) fn add(&mut self, rank: usize, transformation: Transformation) {
        self.list.push((rank, transformation));
    }

    /// All transformations, sorted by rank; those of the same rank in the order in which they were added.
    pub(super) fn ranked(mut self) -> Vec<Transformation> {
        self.list.sort_by_key(|(rank, _)| *rank);
        self.list.into_iter().map(|(_, transformation)| transformation).collect()
    }
}
