//! Reports of mutation analysis. Every mutant appears in every one of them.

mod change;
mod csv;
mod listing;
mod mutation_json;
mod mutation_terminal;
mod sarif;
mod survivor;

pub(crate) use change::change;
pub use csv::csv_mutation;
pub use mutation_json::json_mutation;
pub use mutation_terminal::{terminal_mutants, terminal_mutation};
pub use sarif::sarif;

use dodona_evidence::{Judgement, KillKind, MutantRecord, Proof, Tally};

use crate::text::one_line;

/// The word for what was made of a mutant, as the records have it.
fn status(mutant: &MutantRecord) -> &'static str {
    match mutant.judgement {
        Judgement::Killed => "killed",
        Judgement::Alive => "alive",
        Judgement::Equivalent { .. } => "equivalent",
        Judgement::Duplicate { .. } => "duplicate",
        Judgement::Accepted { .. } => "accepted",
        Judgement::NotRun => "not-run",
    }
}

/// What comes with that word: the proof, the mutant it duplicates, a person's reason.
fn because(mutant: &MutantRecord) -> String {
    match &mutant.judgement {
        Judgement::Alive => mutant.untested.as_ref().map(untested).unwrap_or_default(),
        Judgement::Killed | Judgement::NotRun => String::new(),
        Judgement::Equivalent { proof } => proof_words(*proof).to_owned(),
        Judgement::Duplicate { of } => format!("of {of}"),
        Judgement::Accepted { reason } => one_line(reason),
    }
}

/// Why no relation was tested on a mutant.
fn untested(verdicts: &Tally) -> String {
    format!("untested: {}", survivor::why_untested(verdicts))
}

fn proof_words(proof: Proof) -> &'static str {
    match proof {
        Proof::SameCode => "same machine code",
        Proof::EveryState => "the same in every state",
        Proof::EveryPath => "the same on every path",
    }
}

/// The relations that kill a mutant, by name.
fn killers(mutant: &MutantRecord) -> String {
    mutant.killed_by.iter().map(|kill| kill.relation.as_str()).collect::<Vec<_>>().join(" ")
}

/// How a mutant gives itself away first: to the suite where that reveals it, else to a relation.
fn how(mutant: &MutantRecord) -> Option<&KillKind> {
    let revealed = mutant.revealed_by.as_ref().map(|revealed| &revealed.how);
    revealed.or_else(|| mutant.killed_by.first().map(|kill| &kill.how))
}

/// Where a mutant is, with the number of its further copies: `triangle.c:9:13 (+2)`.
pub(crate) fn place(mutant: &MutantRecord) -> String {
    match mutant.places.as_slice() {
        [] => "?".to_owned(),
        [one] => one.to_string(),
        [first, more @ ..] => format!("{first} (+{})", more.len()),
    }
}
