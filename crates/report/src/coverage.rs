//! Reports of coverage.

mod cobertura;
mod coverage_brief;
mod coverage_terminal;
mod lcov;

pub(crate) use coverage_terminal::Document as CoverageDocument;

use std::path::{Path, PathBuf};

use dodona_records::{CoverageRecord, FileCoverage};

/// The path of a source file for programs: a relative one counts from where the manifest's path does.
fn path_of(record: &CoverageRecord, file: &FileCoverage) -> PathBuf {
    let folder = Path::new(&record.manifest).parent().unwrap_or(Path::new(""));
    folder.join(file.library.as_ref().unwrap_or(&file.path))
}
