//! The tracefile of LCOV, which editors, genhtml and coverage services read.

use std::fmt::Write as _;

use dodona_records::{CoverageRecord, FileCoverage};

use super::path_of;

/// A tracefile with a test a function and a section a source file. Files with relative paths are named from the folder
/// that the manifest's path is relative to. Blocks without lines have no place in the format and are left out.
pub(super) fn lcov(records: &[CoverageRecord]) -> String {
    let mut out = String::new();
    for record in records {
        for file in &record.files {
            // Writing to a `String` cannot fail.
            let _ = section(&mut out, record, file);
        }
    }
    out
}

fn section(out: &mut String, record: &CoverageRecord, file: &FileCoverage) -> std::fmt::Result {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    writeln!(out, "TN:{}", record.function.replace(|c| !is_name(c), "_"))?;
    writeln!(out, "SF:{}", path_of(record, file).display())?;
    let (mut found, mut hit) = (0, 0);
    for line in &file.lines {
        for (number, branch) in line.branches.iter().enumerate() {
            let is_reached = branch.taken.iter().any(|count| *count > 0);
            for (direction, taken) in branch.taken.iter().enumerate() {
                // A dash: the branch was not even decided.
                let taken = if is_reached { taken.to_string() } else { "-".to_owned() };
                writeln!(out, "BRDA:{},{number},{direction},{taken}", line.line)?;
            }
            found += branch.taken.len();
            hit += branch.taken.iter().filter(|count| **count > 0).count();
        }
    }
    writeln!(out, "BRF:{found}\nBRH:{hit}")?;
    for line in &file.lines {
        writeln!(out, "DA:{},{}", line.line, line.hits)?;
    }
    let hit = file.lines.iter().filter(|line| line.hits > 0).count();
    writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", file.lines.len())
}
