//! What was made of versions, as a record of a mutation analysis.

use std::collections::{BTreeMap, HashMap};

use dodona_records::{
    Against, ExecutionCounts, FORMAT_VERSION, Fate, Judgement, Mode, MutantId, MutantRecord, MutatedFunction,
    MutationRecord, Place, Proof, Pruning, RelationRecord, RelationScore, SameCodeAs, StopReason,
    VersionRecord,
};
use dodona_target::fnv1a;

use super::judge::Judged;
use super::{OutsideVersion, SameProgram, Tests, ToolChange};
use crate::record::killed;

/// The record of an analysis. `held` is what the relations did on the original.
pub(super) fn record(
    tests: &Tests,
    versions: &[OutsideVersion],
    results: &[Option<Judged>],
    held: &[RelationRecord],
    mut warnings: Vec<String>,
) -> MutationRecord {
    let numbers = numbers(versions);
    let mut mutants = Vec::new();
    let mut others = Vec::new();
    for (place, (version, result)) in versions.iter().zip(results).enumerate() {
        match &version.change {
            Some(change) => mutants.push(mutant(tests, (place, version, change), result.as_ref(), &numbers)),
            None => others.push(other(tests, version, versions, result.as_ref())),
        }
    }
    warnings.extend(not_run(versions, results));
    let run = results.iter().flatten().count();
    let planned = versions.iter().filter(|version| version.same_as.is_none()).count();
    let tests_run: u64 = results.iter().flatten().map(|result| result.tests).sum();
    let inputs: usize = tests.inputs.iter().map(|batch| batch.calls.outcomes.len()).sum();
    let target = &tests.workbench.target;
    MutationRecord {
        format_version: FORMAT_VERSION,
        subject: target.name().to_owned(),
        manifest: target.declared_in().display().to_string(),
        seed: tests.options.seed.0,
        functions: tests.functions.iter().map(|f| tests.workbench.functions()[*f].name.clone()).collect(),
        mutated: mutated(versions),
        operators: operators(versions),
        asked: tests.options.against,
        against: tests.against,
        inputs: inputs as u64,
        relations: relations(tests, held, &mutants),
        mutants,
        versions: others,
        survivors: None,
        skipped: Vec::new(),
        stale: Vec::new(),
        work: ExecutionCounts { pairs: tests_run, executed: tests_run, baseline_calls: inputs as u64 },
        mode: Mode::EachRelation,
        pruning: Pruning::Off,
        stop: match run < planned {
            true => StopReason::Interrupted { run: run as u64, planned: planned as u64 },
            false => StopReason::MutantsJudged { mutants: run as u64 },
        },
        warnings,
        contradictions: Vec::new(),
        failure: None,
    }
}

/// The number of each version that is a mutant.
fn numbers(versions: &[OutsideVersion]) -> HashMap<usize, MutantId> {
    let mutants = versions.iter().enumerate().filter(|(_, version)| version.change.is_some());
    (1..).zip(mutants).map(|(number, (place, _))| (place, MutantId(number))).collect()
}

fn mutant(
    tests: &Tests,
    (place, version, change): (usize, &OutsideVersion, &ToolChange),
    result: Option<&Judged>,
    numbers: &HashMap<usize, MutantId>,
) -> MutantRecord {
    let result =
        result.cloned().unwrap_or_else(|| Judged { not_run: Some(String::new()), ..Judged::default() });
    let judgement = match version.same_as {
        Some(SameProgram::Original) => Judgement::Equivalent { proof: Proof::SameCode },
        Some(SameProgram::Version(place)) => match numbers.get(&place) {
            Some(of) => Judgement::Duplicate { of: *of },
            None => Judgement::NotRun,
        },
        None => result.judgement(tests.against),
    };
    let is_told = result.revealed.is_some() || !result.killed_by.is_empty() || result.failed.is_some();
    let id = numbers.get(&place).copied().unwrap_or(MutantId(0));
    let ToolChange { operator, file, function, line, column, before, after } = change.clone();
    MutantRecord {
        id,
        key: format!("{:016x}", fnv1a(format!("{operator}\n{function}\n{before}\n{after}").as_bytes())),
        operator,
        places: vec![Place {
            function,
            instruction: 0,
            file: Some(file),
            library: None,
            line: Some(line),
            column: Some(column),
        }],
        source_line: Some(before.clone()),
        before,
        after,
        // Which inputs come to it is not known, only what they reveal.
        fate: if is_told { Fate::Killed } else { Fate::Unobserved },
        reached: 0,
        infected: 0,
        untested: result.untested.filter(|_| judgement == Judgement::Untested),
        judgement,
        revealed_by: result.revealed,
        killed_by: result.killed_by,
        failed: result.failed,
        killed_with: None,
        survivor: None,
        symbolic: None,
    }
}

fn other(
    tests: &Tests,
    version: &OutsideVersion,
    versions: &[OutsideVersion],
    result: Option<&Judged>,
) -> VersionRecord {
    let same_as = version.same_as.map(|same| match same {
        SameProgram::Original => SameCodeAs::Subject,
        SameProgram::Version(place) => SameCodeAs::Version { name: versions[place].name.clone() },
    });
    let judgement = match (&same_as, result) {
        (Some(SameCodeAs::Subject), _) => Judgement::Equivalent { proof: Proof::SameCode },
        (_, None) => Judgement::NotRun,
        (_, Some(result)) => result.judgement(tests.against),
    };
    let result = result.cloned().unwrap_or_default();
    VersionRecord {
        name: version.name.clone(),
        path: version.path.clone(),
        same_as,
        untested: result.untested.filter(|_| judgement == Judgement::Untested),
        judgement,
        revealed_by: result.revealed,
        killed_by: result.killed_by,
        failed: result.failed,
    }
}

/// Why versions were not run, the reasons with the most of them first.
fn not_run(versions: &[OutsideVersion], results: &[Option<Judged>]) -> Vec<String> {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (version, result) in versions.iter().zip(results) {
        if let Some(why) = result.as_ref().and_then(|result| result.not_run.as_deref()) {
            reasons.entry(why).or_default().push(&version.name);
        }
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let told = |(why, names): (&str, Vec<&str>)| {
        let which = match names.as_slice() {
            [one] => format!("version {one}"),
            [first, ..] => format!("{} versions, such as {first},", names.len()),
            [] => String::new(),
        };
        format!("{which} could not be run: {why}")
    };
    reasons.into_iter().map(told).collect()
}

fn mutated(versions: &[OutsideVersion]) -> Vec<MutatedFunction> {
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for change in versions.iter().filter_map(|version| version.change.as_ref()) {
        *counts.entry((&change.function, &change.file)).or_default() += 1;
    }
    let row = |((function, file), mutants): ((&str, &str), u64)| MutatedFunction {
        function: function.to_owned(),
        file: Some(file.to_owned()),
        mutants,
    };
    let mut rows: Vec<MutatedFunction> = counts.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.mutants));
    rows
}

/// The operators in alphabetical order.
fn operators(versions: &[OutsideVersion]) -> Vec<String> {
    let changes = versions.iter().filter_map(|version| version.change.as_ref());
    let mut names: Vec<String> = changes.map(|change| change.operator.clone()).collect();
    names.sort();
    names.dedup();
    names
}

fn relations(tests: &Tests, held: &[RelationRecord], mutants: &[MutantRecord]) -> Vec<RelationScore> {
    if tests.against == Against::Inputs {
        return Vec::new();
    }
    let killed = killed(mutants);
    let score = |record: &RelationRecord| {
        let killed = killed.get(record.name.as_str()).map_or(&[][..], Vec::as_slice);
        let sole: Vec<MutantId> = killed.iter().filter(|m| m.killed_by.len() == 1).map(|m| m.id).collect();
        RelationScore {
            name: record.name.clone(),
            file: record.file.clone(),
            line: record.line,
            groups: record.tally.held,
            kills: killed.len() as u64,
            only: sole.len() as u64,
            sole: sole.into_iter().take(10).collect(),
        }
    };
    held.iter().map(score).collect()
}
