//! A relation that a discovery has chosen, and what is known about relations.

use std::sync::Arc;

use dodona_evolution::discovery::Candidate;
use dodona_relations::ast;

/// A relation that was chosen.
#[derive(Clone)]
pub(super) struct Chosen {
    /// The index of its transformation.
    pub(super) tried: usize,
    pub(super) relation: ast::Relation,
    pub(super) candidate: Arc<Candidate>,
}

impl Chosen {
    pub(super) fn count(&self) -> usize {
        self.candidate.caught.count_ones(..)
    }

    /// Whether `other`, a relation of the same transformation, makes this one needless: if `other` has all parts of this one and
    /// more, or kills all mutants that this one kills and more than half as many again. If `other` kills only a few more, this
    /// simpler relation stays.
    pub(super) fn is_needless_beside(&self, other: &Chosen) -> bool {
        let (mine, others) = (&self.candidate, &other.candidate);
        let is_part = mine.condition == others.condition
            && mine.parts.len() < others.parts.len()
            && mine.parts.iter().all(|part| others.parts.contains(part));
        let is_much_less = mine.caught.is_subset(&others.caught) && 2 * other.count() > 3 * self.count();
        self.tried == other.tried && (is_part || is_much_less)
    }
}

/// What is known about a relation, by its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Passed,
    Refuted,
    /// The condition held on no input, or there was no time for enough inputs.
    Vacuous,
}
