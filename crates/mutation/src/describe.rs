//! Descriptions of mutants as people read them, and the entries by which people accepted some of them.

use std::collections::BTreeMap;

use dodona_mutants::{AcceptedMutants, Fingerprint, Mutant, Mutants, Stale, fingerprints, match_entries};
use dodona_records::{Fate, Judgement, MutantId, MutantRecord, Place, StaleEntry};
use dodona_subject::{CodePoint, Location};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use crate::accepted;

/// The descriptions of mutants, and the reasons why some were accepted.
pub(crate) struct Described<'a, 'm> {
    workbench: &'a Workbench,
    all: &'a Mutants<'m>,
    fingerprints: Vec<Fingerprint>,
    /// Why each mutant was accepted, by its number, and the line of the file with the entry.
    reasons: BTreeMap<MutantId, (String, usize)>,
    stale: Vec<StaleEntry>,
}

impl<'a, 'm> Described<'a, 'm> {
    pub(crate) fn new(workbench: &'a Workbench, all: &'a Mutants<'m>) -> Result<Self, LabError> {
        let fingerprints = fingerprints(all);
        let accepted = accepted::read(workbench)?;
        let matches = match_entries(&accepted.entries, &fingerprints);
        let reason = |(&mutant, &entry): (&usize, &usize)| {
            let entry = &accepted.entries[entry];
            Some((all.mutants.get(mutant)?.id, (entry.reason.clone(), entry.line.unwrap_or(0))))
        };
        let reasons = matches.matched.iter().filter_map(reason).collect();
        let own = |entry: &usize| is_in_scope(workbench, all, &accepted.entries[*entry].fingerprint.function);
        let stale = matches.stale.iter().filter(|(entry, _)| own(entry));
        let stale = stale.map(|(entry, why)| stale_entry(workbench, &accepted, *entry, why)).collect();
        Ok(Described { workbench, all, fingerprints, reasons, stale })
    }

    /// A record of a mutant that was not run.
    pub(crate) fn record(&self, mutant: &Mutant) -> MutantRecord {
        let places = mutant.changes.iter().map(|change| {
            let (function, at) = (self.all.function(change).function, change.candidate.edits[0].at);
            match &change.description.place {
                Some(location) => located(self.workbench, function, at, Some(location)),
                None => place(self.workbench, function, at),
            }
        });
        let description = &mutant.changes[0].description;
        MutantRecord {
            id: mutant.id,
            key: self.fingerprints[mutant.id.0 as usize - 1].key(),
            operator: mutant.operator.code().to_owned(),
            places: places.collect(),
            before: description.before.clone(),
            after: description.after.clone(),
            source_line: description.source_line.clone(),
            judgement: Judgement::NotRun,
            fate: Fate::Unreached,
            reached: 0,
            infected: 0,
            revealed_by: None,
            killed_by: Vec::new(),
            failed: None,
            killed_with: None,
            survivor: None,
            untested: None,
            symbolic: None,
        }
    }

    /// The entry by which a person accepted a mutant.
    pub(crate) fn accepted(&self, mutant: &Mutant) -> Option<&str> {
        self.reasons.get(&mutant.id).map(|(reason, _)| reason.as_str())
    }

    /// Entries that no longer apply, because there is no such mutant, or because it needs no entry.
    pub(crate) fn stale(&self, records: &BTreeMap<MutantId, MutantRecord>) -> Vec<StaleEntry> {
        let needless = self.reasons.iter().filter_map(|(id, (_, line))| {
            let record = records.get(id)?;
            let reason = match record.judgement {
                Judgement::Killed => format!("{id} is killed: it needs no acceptance"),
                Judgement::Crashed | Judgement::TimedOut => {
                    format!("{id} fails where the original returns: it needs no acceptance")
                }
                Judgement::Equivalent { .. } => {
                    format!("{id} is shown to be equivalent: it needs no acceptance")
                }
                Judgement::Duplicate { of } => {
                    format!("{id} is a duplicate: accept {of}, which stands for it")
                }
                Judgement::Alive | Judgement::Untested | Judgement::Accepted { .. } | Judgement::NotRun => {
                    return None;
                }
            };
            Some(StaleEntry {
                file: accepted::path(self.workbench).display().to_string(),
                line: *line,
                entry: format!("{} {} → {}", record.operator, record.before, record.after),
                reason,
            })
        });
        self.stale.iter().cloned().chain(needless).collect()
    }
}

/// Whether mutants of a function are among these. If the function no longer exists, its mutants would have been among them.
fn is_in_scope(workbench: &Workbench, all: &Mutants<'_>, name: &str) -> bool {
    let module = &workbench.target.module;
    let mut known = module.imported_functions()..module.function_count();
    all.functions.iter().any(|scanned| module.function_name(scanned.function) == name)
        || !known.any(|function| module.function_name(function) == name)
}

fn stale_entry(workbench: &Workbench, accepted: &AcceptedMutants, entry: usize, why: &Stale) -> StaleEntry {
    let entry = &accepted.entries[entry];
    let (before, after) = &entry.fingerprint.change;
    StaleEntry {
        file: accepted::path(workbench).display().to_string(),
        line: entry.line.unwrap_or(0),
        entry: format!("{} {before} → {after}", entry.fingerprint.operator),
        reason: why.to_string(),
    }
}

/// The place of an instruction in the source.
pub(crate) fn place(workbench: &Workbench, function: u32, instruction: u32) -> Place {
    let point = CodePoint { function, instruction };
    let location =
        workbench.target.debug_info().and_then(|debug| debug.location(&workbench.target.module, point));
    located(workbench, function, instruction, location)
}

fn located(workbench: &Workbench, function: u32, instruction: u32, location: Option<&Location>) -> Place {
    Place {
        function: workbench.target.module.function_name(function),
        instruction,
        file: location.map(|l| l.file.clone()),
        library: location.and_then(|l| workbench.target.library_path(&l.file)),
        line: location.map(|l| l.line),
        column: location.filter(|l| l.column > 0).map(|l| l.column),
    }
}
