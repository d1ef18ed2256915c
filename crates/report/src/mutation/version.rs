//! Faulty versions in reports of mutation analysis.

use dodona_records::{Judgement, MutationRecord, RelationKill, Revealed, SameCodeAs, VersionRecord};

use super::survivor::why_untested;
use super::{failed, word};
use crate::text::{arguments, counted, short};

/// The word for what was made of a version, as the records have it for mutants.
pub(super) fn status(version: &VersionRecord) -> &'static str {
    match version.same_as {
        Some(SameCodeAs::Version { .. }) => "duplicate",
        _ => word(&version.judgement),
    }
}

/// What comes with that word: what tells it from the original, or that nothing does.
pub(super) fn because(record: &MutationRecord, version: &VersionRecord) -> String {
    match (&version.same_as, &version.judgement) {
        (Some(SameCodeAs::Subject), _) => "it has the code of the subject, and is no fault".to_owned(),
        (Some(SameCodeAs::Version { name }), _) => format!("it has the code of {name}, and is counted once"),
        (None, Judgement::Killed) => killed(version),
        (None, Judgement::Crashed | Judgement::TimedOut) => {
            version.failed.as_ref().map(failed).unwrap_or_default()
        }
        (None, Judgement::Untested) => version.untested.as_ref().map(why_untested).unwrap_or_default(),
        (None, Judgement::NotRun) => String::new(),
        (None, _) => alive(record, version),
    }
}

fn killed(version: &VersionRecord) -> String {
    let names: Vec<&str> = version.killed_by.iter().map(|kill| kill.relation.as_str()).collect();
    match (version.killed_by.first(), &version.revealed_by) {
        (Some(RelationKill { source, .. }), _) => {
            format!("by {}, e.g. {}", names.join(", "), arguments(source))
        }
        (None, Some(revealed)) => reveals(revealed),
        (None, None) => String::new(),
    }
}

/// `p = 4, q = 6 gives 4, not 2`
fn reveals(Revealed { first, expected, found, .. }: &Revealed) -> String {
    format!("{} gives {}, not {}", arguments(first), short(found), short(expected))
}

fn alive(record: &MutationRecord, version: &VersionRecord) -> String {
    match &version.revealed_by {
        Some(revealed) => format!("no relation kills it, but inputs reveal it: {}", reveals(revealed)),
        None if version.is_as_original(record.against) => {
            let inputs = counted(record.inputs, "input");
            let groups = match record.relations.is_empty() {
                true => "",
                false => ", and no relation is violated",
            };
            format!("it does as the subject on all of {inputs}{groups}")
        }
        None => "no relation kills it".to_owned(),
    }
}

/// `2 of 3 faulty versions are detected, which no mutation score counts`; nothing without versions.
pub(super) fn detected(record: &MutationRecord) -> Option<String> {
    let share = record.versions_detected();
    match (record.versions.is_empty(), share.total) {
        (true, _) => None,
        (false, 0) => {
            Some("no faulty version was tested: none that is a fault of its own was run".to_owned())
        }
        (false, total) => {
            let of = counted(total, "faulty version");
            Some(format!("{} of {of} detected; a mutation score counts mutants alone", share.covered))
        }
    }
}
