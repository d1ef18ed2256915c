//! Inputs that are drawn: adaptively, or at random, which is the same with one candidate at a time.

use std::num::NonZeroUsize;

use dodona_sources::{Seed, adaptive::AdaptiveOptions};
use dodona_subject::Function;
use dodona_target::{Column, Signature, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, inputs::eligibility};

use super::{GenerateOptions, Made};

/// Inputs where nobody says how many.
const COUNT: usize = 100;

/// Inputs far from each other.
pub(super) fn adaptive(
    _: &Workbench,
    function: &Function,
    options: &GenerateOptions,
    _: &Until,
) -> Result<Made, LabError> {
    inputs(function, options, AdaptiveOptions::default())
}

/// Inputs at random.
pub(super) fn random(
    _: &Workbench,
    function: &Function,
    options: &GenerateOptions,
    _: &Until,
) -> Result<Made, LabError> {
    let how = AdaptiveOptions { candidates: NonZeroUsize::MIN, ..AdaptiveOptions::default() };
    inputs(function, options, how)
}

fn inputs(function: &Function, options: &GenerateOptions, how: AdaptiveOptions) -> Result<Made, LabError> {
    let columns = drawn(function, options.count.unwrap_or(COUNT), options.seed, how)?;
    Ok(Made { columns, paths: Vec::new(), search: None, warnings: Vec::new() })
}

/// So many inputs far from each other that satisfy the domains and the precondition, a column a parameter.
///
/// # Errors
/// When nothing can be drawn.
pub fn far_apart(function: &Signature, count: usize, seed: Seed) -> Result<Vec<Column>, LabError> {
    drawn(function, count, seed, AdaptiveOptions::default())
}

fn drawn(
    function: &Signature,
    count: usize,
    seed: Seed,
    how: AdaptiveOptions,
) -> Result<Vec<Column>, LabError> {
    let eligibility = eligibility(function);
    let is_eligible = |columns: &[Column]| eligibility.rows(columns);
    dodona_sources::adaptive::adaptive(&function.parameters, count, seed, &function.name, how, is_eligible)
        .map_err(|error| LabError::Sources(format!("`{}`: {error}", function.name)))
}
