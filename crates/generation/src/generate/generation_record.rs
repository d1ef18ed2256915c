//! Puts together the record of a generation of inputs.

use std::collections::{BTreeMap, HashSet};

use dodona_records::{FORMAT_VERSION, GenerationRecord, SearchRecord, Share, UncoveredBranch, Unreached};
use dodona_symbolic::Cut;
use dodona_symbolic::explore::{Exploration, Stop};
use dodona_wasm::Workbench;
use fixedbitset::FixedBitSet;

use super::directed::Search;
use super::replay::Replayed;
use super::{GenerateOptions, Made};
use crate::{CoveredBranch, Instrumented};

/// The record of a generation.
pub(super) fn record(
    workbench: &Workbench,
    instrumented: &Instrumented,
    options: &GenerateOptions,
    made: &Made,
    replayed: &Replayed,
) -> GenerationRecord {
    let manifest = &workbench.target.manifest;
    let mut warnings = made.warnings.clone();
    if replayed.stopped > 0 {
        warnings.push(format!(
            "{} inputs ran out of [limits] fuel or stack and were not held against their prediction",
            replayed.stopped
        ));
    }
    let coverage = &replayed.coverage;
    let paths: HashSet<_> = coverage.iter().map(|input| input.path).collect();
    let mut record = GenerationRecord {
        format_version: FORMAT_VERSION,
        subject: manifest.name.clone(),
        manifest: manifest.path.display().to_string(),
        function: manifest.functions[instrumented.function()].name.clone(),
        technique: options.technique.name().to_owned(),
        seed: options.seed.0,
        inputs: coverage.len() as u64,
        paths: paths.len() as u64,
        statements: share(instrumented.statements().len(), coverage.iter().map(|i| &i.statements)),
        branches: Share::default(),
        uncovered: Vec::new(),
        search: made.search.as_ref().map(|search| search_record(workbench, options, search)),
        mismatches: replayed.mismatches.clone(),
        warnings,
    };
    let mut edges = FixedBitSet::with_capacity(instrumented.map().branches().edges() as usize);
    coverage.iter().for_each(|input| edges.union_with(&input.edges));
    branches(workbench, instrumented, made, &edges, &mut record);
    record
}

fn share<'a>(total: usize, sets: impl Iterator<Item = &'a FixedBitSet>) -> Share {
    let mut all = FixedBitSet::with_capacity(total);
    sets.for_each(|set| all.union_with(set));
    Share { covered: all.count_ones(..) as u64, total: total as u64 }
}

fn branches(
    workbench: &Workbench,
    instrumented: &Instrumented,
    made: &Made,
    edges: &FixedBitSet,
    record: &mut GenerationRecord,
) {
    let all = instrumented.map().branches();
    for branch in instrumented.branches() {
        for direction in 0..all.directions(branch.site) {
            let edge = all.edge(branch.site, direction) as usize;
            let is_covered = edges.contains(edge);
            record.branches.count(is_covered);
            if !is_covered {
                let place = place(workbench, instrumented, branch);
                record.uncovered.push(UncoveredBranch { place, direction, why: why(made, edge) });
            }
        }
    }
}

fn place(workbench: &Workbench, instrumented: &Instrumented, branch: &CoveredBranch) -> String {
    match &branch.place {
        Some(location) => location.to_string(),
        None => {
            let point = instrumented.map().branches().point(branch.site);
            format!(
                "{} instruction {}",
                workbench.target.module.function_name(point.function),
                point.instruction
            )
        }
    }
}

/// Why no input takes an edge.
fn why(made: &Made, edge: usize) -> Unreached {
    match &made.search {
        None => Unreached::NotSearched,
        // A path that was found and not kept takes it.
        Some(search) if search.found.edges.contains(edge) => Unreached::Bound,
        Some(search) if search.found.exploration.is_complete() => match search.found.all_shapes {
            true => Unreached::Infeasible,
            false => Unreached::Lengths,
        },
        Some(search) if search.found.exploration.stop == Stop::Visitor => Unreached::Count,
        Some(_) => Unreached::Bound,
    }
}

fn search_record(workbench: &Workbench, options: &GenerateOptions, search: &Search) -> SearchRecord {
    let exploration = &search.found.exploration;
    SearchRecord {
        stop: stop(exploration, search.out_of_time, options),
        complete: exploration.is_complete(),
        shapes: search.found.shapes as u64,
        all_shapes: search.found.all_shapes,
        longest: options.search.longest as u64,
        loop_bound: options.search.bounds.step.loop_bound,
        paths: exploration.paths,
        infeasible: exploration.infeasible,
        cuts: in_words(workbench, &exploration.cuts),
        unended: in_words(workbench, &exploration.unended),
        left: exploration.left,
        queries: exploration.queries,
        steps: exploration.steps,
        solver: search.solver.clone(),
    }
}

/// Counts by what they count, in words. Several places may have the same.
fn in_words(workbench: &Workbench, cuts: &BTreeMap<Cut, u64>) -> BTreeMap<String, u64> {
    let mut told: BTreeMap<String, u64> = BTreeMap::new();
    for (cut, count) in cuts {
        *told.entry(words(workbench, cut)).or_default() += count;
    }
    told
}

fn stop(exploration: &Exploration, out_of_time: bool, options: &GenerateOptions) -> String {
    match exploration.stop {
        Stop::Exhausted if !exploration.is_complete() => {
            "every path was followed to its end or to a bound".to_owned()
        }
        Stop::Interrupted if out_of_time => {
            format!("{} s were up", options.search.time.unwrap_or_default().as_secs_f64())
        }
        other => other.to_string(),
    }
}

/// Why paths were left, for people.
pub(crate) fn words(workbench: &Workbench, cut: &Cut) -> String {
    match cut {
        Cut::Unsupported(what, point) => {
            let place = workbench
                .target
                .debug_info()
                .and_then(|debug| debug.location(&workbench.target.module, *point));
            let function = workbench.target.module.function_name(point.function);
            let place = place.map_or_else(
                || format!("{function} instruction {}", point.instruction),
                |location| format!("{location}, in {function} at instruction {}", point.instruction),
            );
            format!("{what} is not supported ({place})")
        }
        other => other.to_string(),
    }
}
