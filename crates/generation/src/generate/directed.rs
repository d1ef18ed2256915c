//! Inputs along paths.

use std::time::Duration;

use crate::paths::{self, PathError, PathInput, PathInputs, PathOptions, WaysOf, along_paths, along_ways};
use dodona_subject::Function;
use dodona_target::{Column, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, inputs::eligibility};

use super::{GenerateOptions, Made};

/// The share of the time that goes to the search; the rest is for following what is left, and for running the inputs.
const SEARCH_SHARE: f64 = 0.8;

/// The paths that are found for each that is kept.
const CHOICE: usize = 4;

/// How the search went.
pub(super) struct Search {
    pub found: PathInputs,
    pub solver: String,
    /// Whether the time was up.
    pub out_of_time: bool,
}

/// An input for each path. More are found than are kept: the first ones are those that end early, and leave much of the function out.
pub(super) fn path(
    workbench: &Workbench,
    function: &Function,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Made, LabError> {
    let choice = options.count.unwrap_or(0).saturating_mul(CHOICE);
    inputs(workbench, function, (paths::PathTechnique::PathDirected, choice), None, options, until)
}

/// A random input, then others whose choices differ.
pub(super) fn concolic(
    workbench: &Workbench,
    function: &Function,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Made, LabError> {
    inputs(workbench, function, (paths::PathTechnique::Concolic, 0), None, options, until)
}

/// An input for each way through relations. As of paths, more are found than are kept.
pub(super) fn ways(
    workbench: &Workbench,
    function: &Function,
    relations: &[WaysOf<'_>],
    options: &GenerateOptions,
    until: &Until,
) -> Result<Made, LabError> {
    let choice = options.count.unwrap_or(0).saturating_mul(CHOICE);
    let technique = (paths::PathTechnique::PathDirected, choice);
    inputs(workbench, function, technique, Some(relations), options, until)
}

/// Generates inputs along the paths of a function, or the ways through relations; so many are found to choose from.
fn inputs(
    workbench: &Workbench,
    function: &Function,
    (technique, choice): (paths::PathTechnique, usize),
    relations: Option<&[WaysOf<'_>]>,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Made, LabError> {
    let search = &options.search;
    let mut solver = search.solver(until).map_err(LabError::solver)?;
    let how = PathOptions {
        technique,
        order: search.order,
        bounds: search.bounds,
        longest: search.longest,
        count: options.count,
        choice,
        seed: options.seed,
    };
    // What is left when the search ends is followed to its end for the rest of the time.
    let searching = until.within(until.left().map_or(Duration::MAX, |left| left.mul_f64(SEARCH_SHARE)));
    let (mut searches, mut out_of_time) = (true, false);
    let mut go_on = || {
        if !searches {
            return until.goes_on();
        }
        out_of_time |= searching.is_up();
        searches = searching.goes_on();
        searches
    };
    let module = &workbench.target.module;
    let found = match relations {
        Some(relations) => along_ways(module, function, &how, relations, &mut solver, &mut go_on),
        None => along_paths(module, function, &how, &mut solver, &mut go_on),
    };
    let mut found = found.map_err(|error| refuse(function, error))?;
    let mut warnings = Vec::new();
    warnings.extend(found.unassumed.take());
    let mut paths = std::mem::take(&mut found.inputs);
    keep_eligible(function, &mut paths, &mut warnings);
    if let Some(count) = options.count
        && paths.len() < count
    {
        warnings.push(format!(
            "only {} inputs of {count}: the paths that were found have no others up to --max-len, or the time was up",
            paths.len()
        ));
    }
    let columns = columns(function, &paths);
    let search = Search { found, solver: solver.name(), out_of_time };
    Ok(Made { columns, paths, search: Some(search), warnings })
}

/// No inputs can be generated along the paths of a function.
#[derive(Debug, thiserror::Error)]
#[error("`{function}`: {error}")]
struct NoPaths {
    function: String,
    error: PathError,
}

fn refuse(function: &Function, error: PathError) -> LabError {
    LabError::engine(NoPaths { function: function.name.clone(), error })
}

/// The inputs of paths, a column a parameter.
fn columns(function: &Function, paths: &[PathInput]) -> Vec<Column> {
    dodona_workbench::inputs::columns(function, paths.iter().map(|input| &input.values[..]))
}

/// Leaves out inputs that are not eligible.
fn keep_eligible(function: &Function, paths: &mut Vec<PathInput>, warnings: &mut Vec<String>) {
    if paths.is_empty() {
        return;
    }
    let eligible = eligibility(function).rows(&columns(function, paths));
    let before = paths.len();
    let mut eligible = eligible.into_iter();
    paths.retain(|_| eligible.next().unwrap_or(false));
    if paths.len() < before {
        let count = before - paths.len();
        warnings.push(format!("{count} paths were found only with inputs that are not eligible"));
    }
}
