//! The check and the proof of one relation, within the bounds of a run.

use std::sync::Arc;
use std::time::Duration;

use dodona_generation::{Bounds, SearchOptions, prove};
use dodona_records::{
    CheckRecord, ProofRecord, RelationRecord, RelationState, RunRelation, StopReason, SubjectRun,
};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, LabError, LoadedRelation, MadeInputs, Regressions, check};

use super::How;
use crate::found::Found;
use crate::kept::Made;

/// Bounds of a proof: paths, questions and instructions. Within these most relations of small functions are proved that can be, in less than a tenth of a second.
const PROOF_PATHS: u64 = 300;
const PROOF_QUERIES: u64 = 400;
const PROOF_STEPS: u64 = 100_000;

/// Questions that a proof may leave open. What is proved leaves none; a few more may lead to an input that refutes it.
const PROOF_OPEN: u32 = 2;

/// The counted work on one question, where a unit counts as about a microsecond, and the clock of a proof. Of the shipped subjects only `gcd` meets it, whose remainders take
/// solvers long before they count anything.
const PROOF_QUERY_TIME: Duration = Duration::from_millis(20);
const PROOF_TIME: Duration = Duration::from_secs(2);

/// The check of one relation, by its name.
pub(crate) fn checked(
    workbench: &Arc<dodona_workbench::Workbench>,
    relation: &str,
    (made, regressions): (Vec<MadeInputs>, Regressions),
    how: How<'_>,
) -> Result<Made<CheckRecord>, LabError> {
    let options = CheckOptions {
        sources: how.options.inputs,
        made,
        relations: vec![relation.to_owned()],
        seed: how.options.seed,
        jobs: how.options.jobs,
        regressions,
        ..CheckOptions::default()
    };
    let result = match check(Arc::clone(workbench), &options, how.interrupted, &mut |_| {}) {
        Ok(record) => record,
        // What was found before the target failed counts, and is not kept.
        Err(LabError::CutShort(record)) => return Ok(Made { result: *record, is_whole: false }),
        Err(error) => return Err(error),
    };
    let is_whole = matches!(result.stop, StopReason::SourcesRun { .. });
    Ok(Made { result, is_whole })
}

/// Which kept counterexamples the check of a relation runs: those of what a person wants to hold, and none of what a search found.
pub(crate) fn regressions(found: Option<&Found>, how: How<'_>) -> Regressions {
    match (found, how.options.keeps_violations) {
        (Some(_), _) => Regressions::Ignore,
        (None, true) => Regressions::KeepOwn,
        (None, false) => Regressions::TryOwn,
    }
}

/// Whether a check is to be made once more where it may keep the violation that it found.
pub(crate) fn is_to_be_kept(record: &CheckRecord, found: Option<&Found>, how: How<'_>) -> bool {
    let is_violated = |relation: &RelationRecord| relation.tally.violated > 0;
    found.is_none() && !how.options.keeps_violations && record.relations.iter().any(is_violated)
}

/// Notes what the check of a relation found, which is accepted unless a search found it; the relation with its verdict.
pub(crate) fn noted(
    record: CheckRecord,
    loaded: &LoadedRelation,
    found: Option<&Found>,
    run: &mut SubjectRun,
) -> Option<RunRelation> {
    let name = loaded.relation.name();
    run.warnings.extend(record.warnings.iter().map(|warning| format!("{name}: {warning}")));
    run.unread += record.unread;
    let check = record.relations.into_iter().next()?;
    // What was kept may be of another place in the file.
    let (state, file, line) = match found {
        None => (RelationState::Accepted, loaded.file.display().to_string(), loaded.line),
        Some(_) => (RelationState::Found, String::new(), 0),
    };
    let check = RelationRecord { file, line, ..check };
    let (words, found_by) = (found.and_then(|found| found.words.clone()), found.map(|found| found.by));
    Some(RunRelation { state, words, found_by, check, proof: None, caught: None })
}

/// The proof of one relation, by its index.
pub(crate) fn proved(
    workbench: &Workbench,
    relation: usize,
    how: How<'_>,
) -> Result<Made<ProofRecord>, LabError> {
    let bounds =
        Bounds { paths: PROOF_PATHS, queries: PROOF_QUERIES, total_steps: PROOF_STEPS, ..Bounds::default() };
    let options = SearchOptions {
        bounds,
        time: Some(PROOF_TIME),
        query_time: Some(PROOF_QUERY_TIME),
        most_open: Some(PROOF_OPEN),
        ..SearchOptions::default()
    };
    let result = prove(workbench, &[relation], &options, how.interrupted, &mut |_| {})?;
    Ok(Made { result, is_whole: !how.interrupted.is_raised() })
}
