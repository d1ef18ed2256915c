//! What is said of one relation.

use std::sync::Arc;
use std::time::Duration;

use dodona_generation::{Bounds, SearchOptions, prove};
use dodona_records::{CheckRecord, ProofRecord, StopReason};
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, LabError, MadeInputs, Regressions, check};

use super::How;
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
