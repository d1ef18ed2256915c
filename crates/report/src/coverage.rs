//! Reports of coverage.

mod cobertura;
mod coverage_brief;
mod coverage_terminal;
mod lcov;

use std::path::{Path, PathBuf};

use dodona_records::{CoverageRecord, FORMAT_VERSION, FileCoverage};
use schemars::JsonSchema;
use serde::Serialize;

use crate::format::pretty;
use crate::pieces::as_many_as_fit;
use crate::{Format, Styles};
use cobertura::cobertura;
use coverage_brief::{Brief, PLACES};
use coverage_terminal::Sources;
use lcov::lcov;

/// What inputs cover of one or more functions.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CoverageDocument<'a> {
    /// [`FORMAT_VERSION`].
    format_version: u32,
    /// One record a function, in the order of the manifest.
    functions: &'a [CoverageRecord],
}

impl crate::Report for [CoverageRecord] {
    const OTHERS: &'static [Format] = &[Format::Lcov, Format::Cobertura];

    /// The first screen: the totals of each function, and the places that no input reaches.
    fn terminal(&self, styles: Styles) -> String {
        as_many_as_fit(PLACES, styles, |most| Brief { records: self, styles, most }.to_string())
    }

    /// The source of each function with the count of each line and branch.
    fn whole(&self, styles: Styles) -> String {
        Sources { records: self, styles }.to_string()
    }

    fn json(&self) -> String {
        pretty(&CoverageDocument { format_version: FORMAT_VERSION, functions: self })
    }

    fn other(&self, format: Format) -> Option<String> {
        match format {
            Format::Lcov => Some(lcov(self)),
            Format::Cobertura => Some(cobertura(self)),
            _ => None,
        }
    }
}

/// The path of a source file for programs: a relative one counts from where the manifest's path does.
fn path_of(record: &CoverageRecord, file: &FileCoverage) -> PathBuf {
    let folder = Path::new(&record.manifest).parent().unwrap_or(Path::new(""));
    folder.join(file.library.as_ref().unwrap_or(&file.path))
}
