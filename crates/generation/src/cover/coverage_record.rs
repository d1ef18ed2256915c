//! Puts together the record of a coverage.

use std::collections::BTreeMap;

use dodona_mutants::SourceFiles;
use dodona_records::{
    BlockCoverage, BranchCoverage, CoverageRecord, FORMAT_VERSION, FileCoverage, LineCoverage, Share,
    StopReason,
};
use dodona_sources::Seed;
use dodona_subject::Location;
use dodona_wasm::{Workbench, execute::Statement};

use super::{Coverage, Instrumented};

/// What was covered, with the names of things and the text of lines.
pub fn coverage_record(
    workbench: &Workbench,
    instrumented: &Instrumented,
    coverage: &Coverage,
    seed: Seed,
) -> CoverageRecord {
    let manifest = &workbench.target.manifest;
    let mut record = CoverageRecord {
        format_version: FORMAT_VERSION,
        subject: manifest.name.clone(),
        manifest: manifest.path.display().to_string(),
        function: manifest.functions[instrumented.function()].name.clone(),
        seed: seed.0,
        stop: stop(coverage),
        statements: Share::default(),
        branches: Share::default(),
        paths: coverage.paths.len() as u64,
        files: Vec::new(),
        blocks: Vec::new(),
    };
    let mut branches = branches(workbench, instrumented, coverage, &mut record.branches);
    for (number, statement) in instrumented.statements().iter().enumerate() {
        let (hits, branches) = (coverage.statements[number], branches.remove(&number).unwrap_or_default());
        record.statements.count(hits > 0);
        match statement {
            Statement::Line { file, line } => {
                add_line(&mut record.files, file, LineCoverage { line: *line, hits, branches });
            }
            Statement::Block(point) => {
                let function = workbench.target.module.function_name(point.function);
                record.blocks.push(BlockCoverage {
                    function,
                    instruction: point.instruction,
                    hits,
                    branches,
                });
            }
        }
    }
    add_sources(workbench, &mut record.files);
    record
}

/// Why it ended.
pub(super) fn stop(coverage: &Coverage) -> StopReason {
    let run = coverage.inputs_run;
    match run < coverage.planned {
        true => StopReason::Interrupted { run, planned: coverage.planned },
        false => StopReason::SourcesRun { sources: run },
    }
}

/// By statement.
fn branches(
    workbench: &Workbench,
    instrumented: &Instrumented,
    coverage: &Coverage,
    share: &mut Share,
) -> BTreeMap<usize, Vec<BranchCoverage>> {
    let mut found: BTreeMap<usize, Vec<BranchCoverage>> = BTreeMap::new();
    let all = instrumented.map().branches();
    for branch in instrumented.branches() {
        let edges = (0..all.directions(branch.site)).map(|direction| all.edge(branch.site, direction));
        let taken: Vec<u64> = edges.map(|edge| coverage.edges[edge as usize]).collect();
        taken.iter().for_each(|count| share.count(*count > 0));
        let point = all.point(branch.site);
        let function = workbench.target.module.function_name(point.function);
        let branch_of = found.entry(branch.statement).or_default();
        branch_of.push(BranchCoverage { function, instruction: point.instruction, taken });
    }
    found
}

/// Statements are in the order of files and lines.
fn add_line(files: &mut Vec<FileCoverage>, path: &str, line: LineCoverage) {
    match files.last_mut() {
        Some(file) if file.path == path => file.lines.push(line),
        _ => {
            files.push(FileCoverage { path: path.to_owned(), library: None, lines: vec![line], source: None })
        }
    }
}

fn add_sources(workbench: &Workbench, files: &mut [FileCoverage]) {
    let Some(debug) = workbench.target.debug_info() else { return };
    let mut sources = SourceFiles::new(workbench.target.manifest.folder());
    for file in files {
        let location = Location { file: file.path.clone(), line: 1, column: 0 };
        file.library = workbench.target.library_path(&file.path);
        file.source = sources.file(debug, &location).map(|found| found.text.clone());
    }
}
