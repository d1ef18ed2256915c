//! Inputs that are made for a function, beside random ones.

use std::time::Duration;

use dodona_frames::frame_maker;
use dodona_generation::{Bounds, GenerateOptions, SearchOptions, Technique, generate};
use dodona_sources::json::{from_json, to_json};
use dodona_target::{Column, Signature};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, MadeInputs};
use serde::{Deserialize, Serialize};

use super::How;
use crate::kept::{Made, Piece};

/// Questions of the search along paths, and the paths that it follows to their end. More of them find inputs of rarer paths: of `gcd`, whose remainders are hard questions, 20
/// take a third of a second and run everything, 65 take 16 seconds.
const PATH_QUERIES: u64 = 40;
const PATHS: u64 = 300;

/// Questions that may be left open in that search; after them none is asked any more. Each is some 0.4 s of remainders of `gcd` or of the polynomials of `sin`; most functions leave none
/// open. A count and not a clock, so that the same inputs are made on every machine.
const PATH_OPEN: u32 = 10;

/// The clock of that search, for a machine that is busy with something else. The counts end it long before.
const PATH_TIME: Duration = Duration::from_secs(60);

/// The counted work on one question, where a unit counts as about a microsecond.
const QUERY_TIME: Duration = Duration::from_millis(20);

/// Inputs that were made for a function.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct MadeRows {
    /// The technique that made them: `path`.
    technique: String,
    /// A value for each parameter, for each input.
    rows: Vec<Vec<serde_json::Value>>,
    /// What is to be known of how they were made.
    pub(crate) warnings: Vec<String>,
    /// Inputs whose run was not as predicted: a mistake of ours.
    pub(crate) contradictions: Vec<String>,
}

impl Piece for MadeRows {}

impl MadeRows {
    /// The technique that made them: `path`.
    pub(crate) fn technique(&self) -> &str {
        &self.technique
    }

    /// One column for each parameter.
    pub(super) fn columns(&self, function: &Signature) -> Vec<Column> {
        let mut columns: Vec<Column> = function.parameters.iter().map(|p| Column::empty(p.ty)).collect();
        for row in &self.rows {
            let values = function.parameters.iter().zip(row).map(|(p, json)| from_json(p.ty, json).ok());
            // A row that does not fit was kept of other parameters, which have another key.
            let Some(values) = values.collect::<Option<Vec<_>>>() else { continue };
            columns.iter_mut().zip(&values).for_each(|(column, value)| column.push(value));
        }
        columns
    }

    /// The same as inputs of a function of a workbench, by its index.
    pub(crate) fn inputs(&self, workbench: &Workbench, function: usize) -> MadeInputs {
        let columns = self.columns(&workbench.functions()[function]);
        MadeInputs { function, technique: self.technique.clone(), columns }
    }
}

/// Inputs along the paths of a function.
pub(crate) fn along_paths(
    workbench: &Workbench,
    function: usize,
    how: How<'_>,
) -> Result<Made<MadeRows>, LabError> {
    by(Technique::Path, workbench, function, how)
}

/// Inputs of the frames of a function, whose file is beside the manifest: ten of each.
pub(crate) fn of_frames(
    workbench: &Workbench,
    function: usize,
    how: How<'_>,
) -> Result<Made<MadeRows>, LabError> {
    by(Technique::Frames, workbench, function, how)
}

fn by(
    technique: Technique,
    workbench: &Workbench,
    function: usize,
    how: How<'_>,
) -> Result<Made<MadeRows>, LabError> {
    let frames = (technique == Technique::Frames).then(|| frame_maker(workbench));
    let seed = how.options.seed;
    let options = GenerateOptions { technique, seed, search: search(), frames, ..GenerateOptions::default() };
    let generated = generate(workbench, function, &options, how.interrupted)?;
    let rows = generated.columns.first().map_or(0, Column::len);
    let row = |row: usize| generated.columns.iter().map(|column| to_json(&column.value(row))).collect();
    let result = MadeRows {
        technique: technique.name().to_owned(),
        rows: (0..rows).map(row).collect(),
        warnings: generated.record.remarks(),
        contradictions: generated.record.contradictions(),
    };
    Ok(Made { result, is_whole: !how.interrupted.is_raised() })
}

/// The bounds of a search along paths.
pub(super) fn search() -> SearchOptions {
    SearchOptions {
        bounds: Bounds { queries: PATH_QUERIES, paths: PATHS, ..Bounds::default() },
        time: Some(PATH_TIME),
        query_time: Some(QUERY_TIME),
        most_open: Some(PATH_OPEN),
        ..SearchOptions::default()
    }
}
