//! The mutants of a function summed up: how many inputs reveal, relations catch and nothing catches, by source line.

use std::collections::{BTreeMap, BTreeSet};

use dodona_records::{
    Judgement, MutantId, MutantRecord, MutationRecord, Place, Revealed, RunFaults, SurvivingLine,
};

/// The most lines with surviving mutants that a record has.
const MOST_LINES: usize = 20;

/// What an analysis found, where these relations are accepted and the others were found.
pub(crate) fn faults(record: &MutationRecord, accepted: &BTreeSet<String>) -> RunFaults {
    let counted: Vec<&MutantRecord> = record.mutants.iter().filter(|mutant| mutant.is_scored()).collect();
    let revealed: Vec<&MutantRecord> = counted.iter().copied().filter(|m| is_revealed(m)).collect();
    let by_accepted = |m: &&&MutantRecord| m.killed_by.iter().any(|kill| accepted.contains(&kill.relation));
    let by_any = |m: &&&MutantRecord| !m.killed_by.is_empty();
    let surviving = revealed.iter().copied().filter(|m| !by_accepted(&m)).collect();
    RunFaults {
        counted: counted.len() as u64,
        not_run: 0,
        revealed: revealed.iter().map(|mutant| mutant.id).collect(),
        caught: revealed.iter().filter(by_accepted).count() as u64,
        caught_with_found: revealed.iter().filter(by_any).count() as u64,
        surviving: lines(surviving),
    }
}

/// The mutants that a relation catches.
pub(crate) fn caught_by(record: &MutationRecord, relation: &str) -> Vec<MutantId> {
    let catches = |m: &&MutantRecord| m.killed_by.iter().any(|kill| kill.relation == relation);
    record.mutants.iter().filter(|m| m.is_scored()).filter(catches).map(|mutant| mutant.id).collect()
}

/// Whether an input reveals a fault that a relation is needed for. Nobody needs one where all that gives it away is a call that crashes or never
/// ends.
fn is_revealed(mutant: &MutantRecord) -> bool {
    let is_noticed = matches!(mutant.judgement, Judgement::Crashed | Judgement::TimedOut);
    !is_noticed && (mutant.revealed_by.is_some() || !mutant.killed_by.is_empty())
}

/// Survivors by the source line that they change; by their place in the code where there is no line.
fn lines(survivors: Vec<&MutantRecord>) -> Vec<SurvivingLine> {
    let mut by_line: BTreeMap<String, Vec<&MutantRecord>> = BTreeMap::new();
    for mutant in survivors {
        // Only inputs reveal a survivor, so that there is a first one.
        if let (Some(place), Some(_)) = (mutant.places.first(), &mutant.revealed_by) {
            let line = Place { column: None, ..place.clone() };
            by_line.entry(line.to_string()).or_default().push(mutant);
        }
    }
    let mut lines: Vec<SurvivingLine> = by_line.into_values().filter_map(|mutants| line(&mutants)).collect();
    lines.sort_by_key(|line| (std::cmp::Reverse(line.mutants.len()), line.mutants[0]));
    lines.truncate(MOST_LINES);
    lines
}

fn line(mutants: &[&MutantRecord]) -> Option<SurvivingLine> {
    // One that a person could have written, if there is one.
    let one = mutants.iter().min_by_key(|mutant| (!is_plain(mutant), mutant.id))?;
    let Revealed { first, expected, found, .. } = one.revealed_by.clone()?;
    let mut catching: BTreeMap<&str, usize> = BTreeMap::new();
    for kill in mutants.iter().flat_map(|mutant| &mutant.killed_by) {
        *catching.entry(&kill.relation).or_default() += 1;
    }
    // Of several that catch as many, the first by name.
    let would_catch =
        catching.iter().rev().max_by_key(|(_, count)| **count).map(|(name, _)| (*name).to_owned());
    Some(SurvivingLine {
        place: one.places.first()?.clone(),
        source_line: one.source_line.clone(),
        mutants: mutants.iter().map(|mutant| mutant.id).collect(),
        before: one.before.clone(),
        after: one.after.clone(),
        input: first,
        expected,
        found,
        would_catch,
    })
}

/// Whether a mutant reads like source code: without names of locals of the module, addresses, and calls that operators add.
fn is_plain(mutant: &MutantRecord) -> bool {
    let is_odd = |text: &str| {
        let mut locals = text.match_indices("local").map(|(at, word)| &text[at + word.len()..]);
        ["*(", "abs(", ">>u", "trap_on_zero"].iter().any(|odd| text.contains(odd))
            || locals.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    !is_odd(&mutant.before) && !is_odd(&mutant.after)
}
