//! Generation of source inputs: what symbolic execution predicts is what happens, on every subject that ships and on modules
//! written to be hard.

mod endless;
mod modules;
mod mymethod;
mod subjects;
mod ways;

use std::path::{Path, PathBuf};

use dodona_generation::{GenerateOptions, Generated, SearchOptions, Technique};
use dodona_records::{GenerationRecord, Unreached};
use dodona_subject::Manifest;
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

const SYMBOLIC: [Technique; 2] = [Technique::Path, Technique::Concolic];

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

fn open(folder: &Path) -> Workbench {
    let manifest = Manifest::find(folder).unwrap_or_else(|e| panic!("{}: {e:#?}", folder.display()));
    dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{}: {e:#?}", folder.display()))
}

fn shipped(name: &str) -> Workbench {
    open(&subjects().join(name))
}

/// A module in the text format as a subject of one function.
fn written(signature: &str, keys: &str, wat: &str) -> Workbench {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = format!(
        "name = \"small\"\nmodule = \"small.wat\"\n[[function]]\nsignature = \"{signature}\"\n{keys}\n"
    );
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    std::fs::write(folder.path().join("small.wat"), wat).expect("written");
    open(folder.path())
}

/// The options of a technique without the clock: what ends is what is counted.
fn options(technique: Technique) -> GenerateOptions {
    with(technique, |_| ())
}

/// Those options with another search.
fn with(technique: Technique, change: impl FnOnce(&mut SearchOptions)) -> GenerateOptions {
    let mut search = SearchOptions { time: None, ..SearchOptions::default() };
    change(&mut search);
    GenerateOptions { technique, search, ..GenerateOptions::default() }
}

fn generate(
    workbench: &Workbench,
    function: usize,
    options: &GenerateOptions,
) -> Result<Generated, LabError> {
    dodona_generation::generate(workbench, function, options, &Interruption::default())
}

/// Generates inputs and fails when one of them does not run as predicted.
fn replayed(workbench: &Workbench, function: usize, options: &GenerateOptions) -> Generated {
    as_predicted(generate(workbench, function, options))
}

fn as_predicted(generated: Result<Generated, LabError>) -> Generated {
    let generated = generated.unwrap_or_else(|e| panic!("{e}"));
    let record = &generated.record;
    assert!(record.mismatches.is_empty(), "{}: {:#?}", record.function, record.mismatches);
    generated
}

/// The whys of a record's uncovered edges that are not proofs.
fn beyond_bounds(record: &GenerationRecord) -> usize {
    let is_open = |why| !matches!(why, Unreached::Infeasible | Unreached::Lengths);
    record.uncovered.iter().filter(|edge| is_open(edge.why)).count()
}

/// The inputs, one a line.
fn rows(generated: &Generated) -> Vec<String> {
    let values = |row: usize| generated.columns.iter().map(move |column| column.value(row).to_string());
    (0..generated.coverage.len()).map(|row| values(row).collect::<Vec<_>>().join(", ")).collect()
}
