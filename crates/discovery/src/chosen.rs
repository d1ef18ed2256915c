//! A relation that a discovery has chosen.

use std::sync::Arc;

use dodona_evolution::discovery::Candidate;
use dodona_relations::ast;

/// A relation that was chosen.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// The index of its transformation.
    pub(super) transformation: usize,
    pub(super) relation: ast::Relation,
    pub(super) candidate: Arc<Candidate>,
}
