//! Candidates as text.

use crate::identification::{Candidate, relation_of};
use dodona_records::RefutedIdentification;
use dodona_relations::to_primed;
use dodona_target::Value;

use crate::framed::Framed;
use crate::record::bound;

/// A candidate as text. Primed notation is used if possible, because it does not repeat the parameters that stay the same.
pub(super) fn text(framed: &Framed, candidate: &Candidate, name: &str) -> String {
    let relation = relation_of(candidate, name, framed.declared(), &framed.specification);
    to_primed(&relation, framed.workbench.functions()).unwrap_or(relation).to_string()
}

/// A refuted candidate with the input that refutes it.
pub(super) fn refutation(framed: &Framed, candidate: &Candidate, input: &[Value]) -> RefutedIdentification {
    let text = text(framed, candidate, "refuted");
    RefutedIdentification { text, input: bound(framed, input) }
}
