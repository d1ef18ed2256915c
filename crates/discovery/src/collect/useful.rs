//! Transformations whose follow-up inputs are worth running.

use std::collections::HashSet;

use dodona_inference::discovery::{Transformation, transformations_where};
use dodona_relations::{FollowUp, FollowUpInputs};
use dodona_target::{Calls, Column, Value};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, append_bits};

use super::change;
use crate::sources::SourceInputs;
use crate::tuning::TRANSFORMATION_SAMPLE;

/// At most `most` transformations of a function under test, given by its index, the most useful first. On a sample of the source
/// inputs, each of them makes a follow-up input inside the domain, changes some input, and makes other follow-up inputs than the
/// transformations before it.
///
/// # Errors
/// When a follow-up call is not a valid call, which would be a bug in Dodona.
///
/// # Panics
/// When there is no such function.
pub(crate) fn useful(
    workbench: &Workbench,
    function: usize,
    sources: &SourceInputs,
    constants: &[(Value, u64)],
    most: usize,
    seed: u64,
) -> Result<Vec<Transformation>, LabError> {
    let functions = &workbench.functions();
    let rows: Vec<u32> = (0..sources.len())
        .step_by(sources.len().div_ceil(TRANSFORMATION_SAMPLE).max(1))
        .map(|row| row as u32)
        .collect();
    let columns: Vec<Column> = sources.columns.iter().map(|column| column.select(&rows)).collect();
    let mut filter = NoveltyFilter { columns, calls: sources.calls.select(&rows), known: HashSet::new() };
    let mut failed = None;
    let mut keep = |transformation: &Transformation| {
        let is_new = change(functions, function, transformation).and_then(|change| filter.is_new(&change));
        is_new.unwrap_or_else(|error| {
            failed.get_or_insert(error);
            false
        })
    };
    let kept = transformations_where(functions, function, constants, most, seed, &mut keep);
    failed.map_or(Ok(kept), Err)
}

/// The source inputs that transformations are tried on.
struct NoveltyFilter {
    columns: Vec<Column>,
    calls: Calls,
    /// The bits of the follow-up inputs of earlier transformations.
    known: HashSet<Vec<u8>>,
}

impl NoveltyFilter {
    fn is_new(&mut self, change: &FollowUp) -> Result<bool, LabError> {
        let made = change.inputs(&self.columns, &self.calls)?;
        let unchanged = FollowUpInputs {
            arguments: self.columns.iter().map(|column| column.select(&made.rows)).collect(),
            rows: made.rows.clone(),
        };
        let changes = bits(&made) != bits(&unchanged);
        Ok(!made.rows.is_empty() && changes && self.known.insert(bits(&made)))
    }
}

/// The rows that have a follow-up input, and the values of these inputs, as bytes.
fn bits(made: &FollowUpInputs) -> Vec<u8> {
    let mut bits: Vec<u8> = made.rows.iter().flat_map(|row| row.to_le_bytes()).collect();
    for (i, _) in made.rows.iter().enumerate() {
        made.arguments.iter().for_each(|column| append_bits(column, i, &mut bits));
    }
    bits
}
