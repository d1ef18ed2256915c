//! The mutants of a function summed up: how many inputs reveal, relations catch and nothing catches, by source line.

use std::collections::{BTreeMap, BTreeSet};

use dodona_records::{
    Judgement, MutantId, MutantRecord, MutationRecord, Place, Revealed, RunFaults, SurvivingLine,
};

/// The most lines with surviving mutants that a record has.
const MOST_LINES: usize = 20;

/// What the mutants of a function tell, added up slice by slice: of a slice that was added no more than numbers of mutants is held, and of each line one mutant. A whole record of a mutant
/// has some kilobytes, and there may be a million of them.
#[derive(Debug, Default)]
pub(crate) struct FaultsSum {
    counted: u64,
    revealed: Vec<MutantId>,
    caught: u64,
    caught_with_found: u64,
    /// By the source line, or the place in the code where there is no line.
    lines: BTreeMap<String, LineSum>,
    /// The mutants that each relation catches, by its name.
    by_relation: BTreeMap<String, Vec<MutantId>>,
    pub(crate) contradictions: Vec<String>,
}

/// The survivors that change one source line.
#[derive(Debug)]
struct LineSum {
    /// The one that is shown, and how well it reads: the least one is shown.
    shown: Shown,
    mutants: Vec<MutantId>,
    /// How many of them each relation catches, by its name.
    catching: BTreeMap<String, usize>,
}

/// A survivor that may stand for its line.
#[derive(Debug)]
struct Shown {
    is_odd: bool,
    id: MutantId,
    place: Place,
    source_line: Option<String>,
    before: String,
    after: String,
    revealed: Revealed,
}

impl FaultsSum {
    /// Adds what an analysis found of some mutants, where these relations are accepted and the others were found.
    pub(crate) fn add(&mut self, record: MutationRecord, accepted: &BTreeSet<String>) {
        for mutant in record.mutants.iter().filter(|mutant| mutant.is_scored()) {
            self.counted += 1;
            for kill in &mutant.killed_by {
                match self.by_relation.get_mut(&kill.relation) {
                    Some(caught) if caught.last() == Some(&mutant.id) => {}
                    Some(caught) => caught.push(mutant.id),
                    None => drop(self.by_relation.insert(kill.relation.clone(), vec![mutant.id])),
                }
            }
            if !is_revealed(mutant) {
                continue;
            }
            self.revealed.push(mutant.id);
            self.caught_with_found += u64::from(!mutant.killed_by.is_empty());
            match mutant.killed_by.iter().any(|kill| accepted.contains(&kill.relation)) {
                true => self.caught += 1,
                false => self.add_survivor(mutant),
            }
        }
        self.contradictions.extend(record.contradictions);
    }

    fn add_survivor(&mut self, mutant: &MutantRecord) {
        // Only inputs reveal a survivor, so that there is a first one.
        let (Some(place), Some(revealed)) = (mutant.places.first(), &mutant.revealed_by) else { return };
        let line = Place { column: None, ..place.clone() };
        let shown = || Shown {
            is_odd: !is_plain(mutant),
            id: mutant.id,
            place: place.clone(),
            source_line: mutant.source_line.clone(),
            before: mutant.before.clone(),
            after: mutant.after.clone(),
            revealed: revealed.clone(),
        };
        let new = || LineSum { shown: shown(), mutants: Vec::new(), catching: BTreeMap::new() };
        let sum = self.lines.entry(line.to_string()).or_insert_with(new);
        // One that a person could have written, if there is one.
        if (!is_plain(mutant), mutant.id) < (sum.shown.is_odd, sum.shown.id) {
            sum.shown = shown();
        }
        sum.mutants.push(mutant.id);
        for kill in &mutant.killed_by {
            *sum.catching.entry(kill.relation.clone()).or_default() += 1;
        }
    }

    /// The mutants that a relation catches.
    pub(crate) fn caught_by(&self, relation: &str) -> Vec<MutantId> {
        self.by_relation.get(relation).cloned().unwrap_or_default()
    }

    /// What they tell, where so many could not be run.
    pub(crate) fn faults(self, not_run: u64) -> RunFaults {
        let mut surviving: Vec<SurvivingLine> = self.lines.into_values().map(LineSum::line).collect();
        surviving.sort_by_key(|line| (std::cmp::Reverse(line.mutants.len()), line.mutants[0]));
        surviving.truncate(MOST_LINES);
        RunFaults {
            counted: self.counted,
            not_run,
            revealed: self.revealed,
            caught: self.caught,
            caught_with_found: self.caught_with_found,
            surviving,
        }
    }
}

impl LineSum {
    fn line(self) -> SurvivingLine {
        let LineSum { shown, mutants, catching } = self;
        let Shown { place, source_line, before, after, revealed, .. } = shown;
        let Revealed { first, expected, found, .. } = revealed;
        // Of several that catch as many, the first by name.
        let would_catch = catching.into_iter().rev().max_by_key(|(_, count)| *count).map(|(name, _)| name);
        SurvivingLine {
            place,
            source_line,
            mutants,
            before,
            after,
            input: first,
            expected,
            found,
            would_catch,
        }
    }
}

/// Whether an input reveals a fault that a relation is needed for. Nobody needs one where all that gives it away is a call that crashes or never
/// ends.
fn is_revealed(mutant: &MutantRecord) -> bool {
    let is_noticed = matches!(mutant.judgement, Judgement::Crashed | Judgement::TimedOut);
    !is_noticed && (mutant.revealed_by.is_some() || !mutant.killed_by.is_empty())
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
