//! Reports of mutation analysis. Every mutant appears in every one of them.

mod brief;
mod change;
mod csv;
mod elements;
mod listing;
mod mutation_json;
mod mutation_terminal;
mod sarif;
mod survivor;
mod version;

pub use brief::brief_mutation;
pub(crate) use change::change;
pub use elements::elements;
pub(crate) use mutation_json::Document as MutationDocument;
pub use mutation_terminal::terminal_mutants;

use dodona_records::{FailedCall, Judgement, KillKind, MutantRecord, MutationRecord, Proof, StopReason};

use crate::text::{arguments, one_line};

/// The word for what was made of a mutant, as the records have it.
fn status(mutant: &MutantRecord) -> &'static str {
    word(&mutant.judgement)
}

fn word(judgement: &Judgement) -> &'static str {
    match judgement {
        Judgement::Killed => "killed",
        Judgement::Crashed => "crashed",
        Judgement::TimedOut => "timed-out",
        Judgement::Alive => "alive",
        Judgement::Untested => "untested",
        Judgement::Equivalent { .. } => "equivalent",
        Judgement::Duplicate { .. } => "duplicate",
        Judgement::Accepted { .. } => "accepted",
        Judgement::NotRun => "not-run",
    }
}

/// What comes with that word: the proof, the mutant it duplicates, a person's reason.
fn because(mutant: &MutantRecord) -> String {
    match &mutant.judgement {
        Judgement::Crashed | Judgement::TimedOut => mutant.failed.as_ref().map(failed).unwrap_or_default(),
        Judgement::Untested => mutant.untested.as_ref().map(survivor::why_untested).unwrap_or_default(),
        Judgement::Killed | Judgement::Alive | Judgement::NotRun => String::new(),
        Judgement::Equivalent { proof } => proof_words(*proof).to_owned(),
        Judgement::Duplicate { of } => format!("of {of}"),
        Judgement::Accepted { reason } => one_line(reason),
    }
}

/// The first call that fails: `in a test of gcd: a = 2, b = 4: out of fuel`.
fn failed(failed: &FailedCall) -> String {
    let FailedCall { test, input, how } = failed;
    format!("in a test of {test}: {}: {how}", arguments(input))
}

/// Why a subject could not be analysed, or where its analysis ended before its end, in words.
fn stopped(record: &MutationRecord) -> Option<String> {
    if let Some(why) = &record.failure {
        return Some(format!("not analysed: {why}"));
    }
    let StopReason::Interrupted { run, planned } = record.stop else { return None };
    Some(format!("interrupted after {run} of {planned} mutants; the counts are of those"))
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

/// How a mutant gives itself away first: by the call that fails where it is detected by that, else to the suite where that reveals it, else to a
/// relation.
fn how(mutant: &MutantRecord) -> Option<&KillKind> {
    if let (Judgement::Crashed | Judgement::TimedOut, Some(failed)) = (&mutant.judgement, &mutant.failed) {
        return Some(&failed.how);
    }
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
