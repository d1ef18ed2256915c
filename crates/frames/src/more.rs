//! Makes more inputs for frames that have too few: neighbours of the inputs that they have, and inputs along paths.

use dodona_generation::{Bounds, GenerateOptions, SearchOptions, along_paths_where};
use dodona_sources::{Seed, neighbour};
use dodona_target::{Column, Signature, Until, Value};
use dodona_workbench::LabError;
use dodona_workbench::inputs::{columns, eligible_rows};

use crate::gathering::Gathering;
use crate::options::FramesOptions;
use crate::samples::FrameState;

/// How many neighbours are tried for each input that a frame lacks.
const NEIGHBOURS: usize = 20;

/// The most questions to the solver about the paths of one frame. Many frames have few inputs only because there are no more, and then
/// every question is wasted.
const QUERIES: u64 = 60;

/// Adds neighbours of known inputs to frames that have some inputs, but too few.
pub(crate) fn near(options: &FramesOptions, gathering: &mut Gathering<'_>, until: &Until) {
    let function = gathering.framed().declared();
    for frame in 0..gathering.frames.len() {
        let lacking = options.each.saturating_sub(gathering.counts[frame]);
        if lacking == 0 || gathering.counts[frame] == 0 || !until.goes_on() {
            continue;
        }
        let known = gathering.of_frame(frame);
        let rows = neighbours(function, &known, lacking * NEIGHBOURS, options.seed, frame);
        let all = columns(function, rows.iter().map(|row| &row[..]));
        let rows = eligible_rows(function, &all);
        let kept: Vec<Column> = all.iter().map(|column| column.select(&rows)).collect();
        if kept.first().is_some_and(|column| !column.is_empty()) {
            gathering.take(&kept);
        }
    }
}

fn neighbours(
    function: &Signature,
    known: &[Vec<Value>],
    count: usize,
    seed: Seed,
    frame: usize,
) -> Vec<Vec<Value>> {
    let mut rng = seed.stream("neighbours of frames", frame as u64);
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for turn in 0..count {
        let mut values = known[turn % known.len()].clone();
        // Three of four neighbours differ in one parameter, the fourth in all: a narrow frame is left by most steps in all parameters.
        let only = (turn % 4 != 0).then_some(turn / 4 % function.parameters.len().max(1));
        for (index, (parameter, value)) in function.parameters.iter().zip(&mut values).enumerate() {
            if only.is_none_or(|only| only == index)
                && let Some(near) = neighbour(parameter.ty, &parameter.domain, value, &mut rng)
            {
                *value = near;
            }
        }
        rows.push(values);
    }
    rows
}

/// Adds inputs along the paths that inputs of a frame take, to frames that still have too few. Frames that are proved impossible are left
/// out.
///
/// # Errors
/// When there is a bug in Dodona. A search that finds nothing is no error.
pub(crate) fn along_paths(
    options: &FramesOptions,
    gathering: &mut Gathering<'_>,
    states: &[FrameState],
    until: &Until,
) -> Result<(), LabError> {
    let framed = gathering.framed();
    let is_short =
        |frame: &usize| gathering.counts[*frame] < options.each && states[*frame] != FrameState::Impossible;
    let short: Vec<usize> = (0..gathering.frames.len()).filter(is_short).collect();
    let Some(module) = framed.module().filter(|_| !framed.declared().parameters.is_empty()) else {
        return Ok(());
    };
    let bounds = Bounds { queries: QUERIES, ..options.search.bounds };
    let search = SearchOptions { bounds, time: None, ..options.search.clone() };
    for (done, &frame) in short.iter().enumerate() {
        if !until.goes_on() {
            break;
        }
        let condition = gathering.condition(frame);
        let seed = Seed(options.seed.0.wrapping_add(frame as u64));
        let how = GenerateOptions {
            count: Some(options.each),
            seed,
            search: search.clone(),
            ..GenerateOptions::default()
        };
        let until = until.share(short.len() - done);
        match along_paths_where(&module, framed.function, &condition, &how, &until) {
            Ok(columns) if columns.first().is_some_and(|column| !column.is_empty()) => {
                gathering.take(&columns);
            }
            Err(error) if error.is_ours() => return Err(error),
            // Any other error only ends the search for this frame. The searches for other frames may still succeed.
            _ => {}
        }
    }
    Ok(())
}
