//! Candidates as text.

use dodona_evidence::RefutedIdentification;
use dodona_identification::{Candidate, relation_of};
use dodona_relations::to_primed;
use dodona_subject::Value;

use crate::framed::Framed;
use crate::record::bound;

/// A candidate as text, in the notation of primes where it has one: it does not repeat the parameters that stay.
pub(super) fn text(framed: &Framed, candidate: &Candidate, name: &str) -> String {
    let relation = relation_of(candidate, name, framed.declared(), &framed.specification);
    to_primed(&relation, &framed.workbench.manifest.functions).unwrap_or(relation).to_string()
}

/// A refuted candidate with its input.
pub(super) fn refutation(framed: &Framed, candidate: &Candidate, input: &[Value]) -> RefutedIdentification {
    let text = text(framed, candidate, "refuted");
    RefutedIdentification { text, input: bound(framed, input) }
}
