//! Inputs that are drawn: adaptively, or at random, which is the same with one candidate at a time.

use std::num::NonZeroUsize;

use dodona_sources::Seed;
use dodona_sources::adaptive::{AdaptiveOptions, adaptive};
use dodona_subject::{Column, Function};

use super::{GenerateOptions, Made, Technique};
use dodona_workbench::LabError;
use dodona_workbench::inputs::eligibility;

/// Inputs where nobody says how many.
const COUNT: usize = 100;

/// Draws inputs that satisfy the domains and the precondition.
pub(super) fn inputs(function: &Function, options: &GenerateOptions) -> Result<Made, LabError> {
    let count = options.count.unwrap_or(COUNT);
    let columns = drawn(function, options.technique, count, options.seed)?;
    Ok(Made { columns, paths: Vec::new(), search: None, warnings: Vec::new() })
}

/// So many inputs that satisfy the domains and the precondition, a column a parameter: [`Technique::Random`] or far from each other.
pub fn drawn(
    function: &Function,
    technique: Technique,
    count: usize,
    seed: Seed,
) -> Result<Vec<Column>, LabError> {
    let mut how = AdaptiveOptions::default();
    if technique == Technique::Random {
        how.candidates = NonZeroUsize::MIN;
    }
    let eligibility = eligibility(function);
    let is_eligible = |columns: &[Column]| eligibility.rows(columns);
    adaptive(&function.parameters, count, seed, &function.name, how, is_eligible)
        .map_err(|error| LabError::Sources(format!("`{}`: {error}", function.name)))
}
