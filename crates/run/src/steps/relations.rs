//! The searches for relations: of a function alone, of pairs of frames, and by composing relations that there are.

use std::sync::Arc;
use std::time::Duration;

use dodona_discovery::{ComposeOptions, ComposeOutcome, DiscoverOptions, compose, discover};
use dodona_frames::{Framed, FramesOptions, IdentifyOptions, identify};
use dodona_generation::SearchOptions;
use dodona_records::{
    CompositionRecord, CompositionStop, DiscoveryRecord, DiscoveryStop, IdentificationRecord,
};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use super::How;
use super::made::search;
use crate::kept::Made;

/// The most nodes of a term that the search enumerates, and the generations that it evolves. Both end on a usual function within its share of the time; a larger search
/// is what `dodona discover` is for.
const ENUMERATED: usize = 4;
const GENERATIONS: u32 = 4;

/// Fresh inputs on which identified and composite relations have to hold. The check that follows runs others, and with ten times as many these steps take most of a run.
const IDENTIFIED_ON: u64 = 10_000;
const COMPOSED_ON: u64 = 10_000;

/// The most identified relations: more than that no person reads at once.
const IDENTIFIED: usize = 20;

/// Relations of a function, with as much work as a usual machine does in a share of the time; the clock ends it after the second time.
pub(crate) fn discovered(
    workbench: &Arc<Workbench>,
    function: usize,
    [share, clock]: [Duration; 2],
    how: How<'_>,
) -> Result<Made<DiscoveryRecord>, LabError> {
    let usual = DiscoverOptions::default();
    let mut settings = usual.settings.clone();
    settings.enumerate_size = ENUMERATED;
    let options = DiscoverOptions {
        seed: how.options.seed,
        work: Some(share),
        time: Some(clock),
        settings,
        generations: GENERATIONS,
        prove: None,
        jobs: how.options.jobs,
        ..usual
    };
    let result = discover(workbench, function, &options, how.interrupted, &mut |_| {})?;
    let is_whole = !matches!(result.stop, DiscoveryStop::Interrupted { .. }) && !how.interrupted.is_raised();
    Ok(Made { result, is_whole })
}

/// Relations of pairs of frames. Counts end it on most functions; the clock ends it after its time.
pub(crate) fn identified(
    framed: &Framed,
    clock: Duration,
    how: How<'_>,
) -> Result<Made<IdentificationRecord>, LabError> {
    let search = SearchOptions { time: Some(clock), ..search() };
    let frames = FramesOptions { seed: how.options.seed, search, ..FramesOptions::default() };
    let options = IdentifyOptions { frames, fresh: IDENTIFIED_ON, most: IDENTIFIED, ..Default::default() };
    let identified = identify(framed, &options, how.interrupted, &mut |_| {})?;
    Ok(Made { result: identified.record, is_whole: !how.interrupted.is_raised() })
}

/// Compositions of two of these relations of a function, which hold. `None` where fewer than two of them can be composed, or one is violated by other inputs.
pub(crate) fn composed(
    workbench: &Arc<Workbench>,
    function: usize,
    relations: Vec<String>,
    clock: Duration,
    how: How<'_>,
) -> Result<Made<Option<CompositionRecord>>, LabError> {
    let options = ComposeOptions {
        seed: how.options.seed,
        relations,
        function: Some(function),
        fresh: COMPOSED_ON,
        time: Some(clock),
        jobs: how.options.jobs,
        ..ComposeOptions::default()
    };
    let record = match compose(workbench, &options, how.interrupted, &mut |_| {}) {
        Ok(ComposeOutcome::Composed(record)) => Some(*record),
        Ok(ComposeOutcome::BasicsViolated(_)) | Err(LabError::Composition(_)) => None,
        Err(error) => return Err(error),
    };
    let is_cut = record.as_ref().is_some_and(|record| record.stop == CompositionStop::Interrupted);
    Ok(Made { result: record, is_whole: !is_cut && !how.interrupted.is_raised() })
}
