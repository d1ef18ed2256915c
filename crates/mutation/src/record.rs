//! Records of a mutation analysis.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dodona_mutants::Equivalence;
use dodona_records::{
    Against, Binding, DominatorGroup, ExecutionCounts, FORMAT_VERSION, FailedCall, Fate, Judgement,
    KillMatrix, MatrixOrigin, Mode, MutantId, MutantRecord, MutatedFunction, MutationRecord, Place, Proof,
    RelationKill, RelationScore, Revealed, SectionKind, SkippedSite, StopReason,
};
use dodona_target::{Outcome, Value, fnv1a};
use dodona_wasm::{Workbench, runs};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use crate::baseline::Baseline;
use crate::dominators::DominatorGroups;
use crate::result::{Failure, Kills, MutantResult};
use crate::select;
use crate::set::{ComparedMutants, MutantSet};
use crate::strong::Test;
use crate::suite::{Suite, TestKind, named_input};
use crate::versions::VersionResults;
use crate::{KeepMatrix, MutateOptions, MutateOutcome, Mutation, describe};

/// What a mutation analysis leaves behind.
pub(crate) struct AnalysisResults<'a, 'm> {
    pub(crate) set: &'a MutantSet<'m>,
    /// The mutants that the record has, with what their optimised code shows.
    pub(crate) compared: ComparedMutants<'a>,
    /// The results of the mutants that are neither equivalent nor duplicates.
    pub(crate) results: Vec<Option<MutantResult>>,
    /// The results of the faulty versions.
    pub(crate) versions: VersionResults,
    pub(crate) warnings: Vec<String>,
    /// The number of tests that equivalent and duplicate mutants were run on before their code was compared.
    pub(crate) in_vain: u64,
    pub(crate) kind: Kept,
}

/// Whether mutants were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// They were run, unless the user interrupted.
    Run,
    /// They are only listed.
    Listed,
}

/// Everything from which records are made.
pub(crate) struct Maker<'a, 'm> {
    workbench: &'a Workbench,
    pub(crate) options: &'a MutateOptions,
    suite: &'a Suite,
    baselines: &'a [Baseline],
    pub(crate) found: AnalysisResults<'a, 'm>,
    pub(crate) against: Against,
}

/// The outcome of an analysis.
pub(crate) fn outcome(
    workbench: &Workbench,
    options: &MutateOptions,
    suite: &Suite,
    baselines: &[Baseline],
    found: AnalysisResults<'_, '_>,
) -> Result<MutateOutcome, LabError> {
    let against = match options.against {
        Against::Both if suite.relations.is_empty() => Against::Inputs,
        against => against,
    };
    let maker = Maker { workbench, options, suite, baselines, found, against };
    // A mutant that was not run has no row. A matrix without it would look as if it survived every test, so there is no matrix
    // then.
    let all = maker.found.results.iter().chain(&maker.found.versions);
    let complete = all.into_iter().all(Option::is_some);
    let matrix = match options.keep_matrix {
        KeepMatrix::Yes if complete => Some(maker.matrix()?),
        KeepMatrix::Yes | KeepMatrix::No => None,
    };
    let record = maker.record()?;
    Ok(MutateOutcome::Analysed(Box::new(Mutation { record, matrix })))
}

/// A record of mutants that were not run.
pub(crate) fn listed(
    workbench: &Workbench,
    options: &MutateOptions,
    set: &MutantSet<'_>,
) -> Result<MutationRecord, LabError> {
    let compared = ComparedMutants::taken_as_distinct(set.asked());
    let results = vec![None; compared.len()];
    let found = AnalysisResults {
        set,
        compared,
        results,
        versions: Vec::new(),
        warnings: Vec::new(),
        in_vain: 0,
        kind: Kept::Listed,
    };
    let (suite, against) = (&Suite::default(), options.against);
    Maker { workbench, options, suite, baselines: &[], found, against }.record()
}

impl Maker<'_, '_> {
    fn record(self) -> Result<MutationRecord, LabError> {
        let (mut mutants, stale) = self.mutants()?;
        self.by_class(&mut mutants);
        let survivors = (self.options.mode == Mode::Classes).then(|| self.survivors(&mutants));
        let run = self.found.results.iter().flatten().count() as u64;
        let planned = self.found.results.len() as u64;
        let stop = match self.found.kind {
            Kept::Listed => StopReason::MutantsListed { mutants: mutants.len() as u64 },
            Kept::Run if run < planned => StopReason::Interrupted { run, planned },
            Kept::Run => StopReason::MutantsJudged { mutants: mutants.len() as u64 },
        };
        let manifest = &self.workbench.target.manifest;
        let functions = self.found.set.functions();
        Ok(MutationRecord {
            format_version: FORMAT_VERSION,
            subject: manifest.name.clone(),
            manifest: manifest.path.display().to_string(),
            seed: self.options.seed.0,
            mutated: self.mutated(),
            functions: functions.iter().map(|&f| manifest.functions[f].name.clone()).collect(),
            operators: self.options.operators.iter().map(|o| o.code().to_owned()).collect(),
            asked: self.options.against,
            against: self.against,
            inputs: self.suite.tests(SectionKind::Inputs),
            relations: self.relations(&mutants),
            skipped: self.skipped(),
            stale,
            work: self.work(),
            mode: self.options.mode,
            pruning: self.options.pruning,
            stop,
            survivors,
            versions: self.versions(),
            mutants,
            warnings: self.warnings(),
            contradictions: Vec::new(),
            failure: None,
        })
    }

    fn mutants(&self) -> Result<(Vec<MutantRecord>, Vec<dodona_records::StaleEntry>), LabError> {
        let described = describe::Described::new(self.workbench, &self.found.set.all)?;
        let mut results = self.found.results.iter();
        let mut records: BTreeMap<MutantId, MutantRecord> = BTreeMap::new();
        for (mutant, alike) in self.found.compared.iter() {
            let mut record = described.record(mutant);
            match alike {
                Equivalence::Equivalent => {
                    record.judgement = Judgement::Equivalent { proof: Proof::SameCode };
                }
                Equivalence::Duplicate(of) => {
                    // A duplicate does the same as another mutant, so that what is known of one is known of both.
                    if let Some(first) = records.get(&of) {
                        copy_fate(&mut record, first);
                    }
                    record.judgement = Judgement::Duplicate { of };
                }
                Equivalence::Distinct => {
                    if let Some(result) = results.next().and_then(Option::as_ref) {
                        self.judge(&mut record, result);
                    }
                }
            }
            if let Some(reason) = described.accepted(mutant)
                && (record.is_alive() || record.judgement == Judgement::NotRun)
            {
                record.judgement = Judgement::Accepted { reason: reason.to_owned() };
            }
            records.insert(mutant.id, record);
        }
        let stale = described.stale(&records);
        Ok((records.into_values().collect(), stale))
    }

    /// Each mutant that was run, with its result.
    fn ran(&self) -> impl Iterator<Item = (MutantId, &MutantResult)> {
        let distinct = self.found.compared.iter().filter(|(_, found)| *found == Equivalence::Distinct);
        let results = self.found.results.iter();
        distinct.zip(results).filter_map(|((mutant, _), result)| Some((mutant.id, result.as_ref()?)))
    }

    /// Names for each mutant the first mutant that the same strong test kills.
    fn by_class(&self, mutants: &mut [MutantRecord]) {
        let mut first: HashMap<Test, MutantId> = HashMap::new();
        let mut with: HashMap<MutantId, MutantId> = HashMap::new();
        for (id, result) in self.ran() {
            let Some(test) = result.class else { continue };
            let representative = *first.entry(test).or_insert(id);
            if representative != id {
                with.insert(id, representative);
            }
        }
        for mutant in mutants.iter_mut().filter(|mutant| mutant.is_detected()) {
            mutant.killed_with = with.get(&mutant.id).copied();
        }
    }

    /// The survivors that inputs reveal, reduced to their dominators: a relation that kills a dominator by its outcome also
    /// kills the mutants that it subsumes.
    fn survivors(&self, mutants: &[MutantRecord]) -> Vec<DominatorGroup> {
        let alive: BTreeSet<MutantId> =
            mutants.iter().filter(|m| m.judgement == Judgement::Alive).map(|m| m.id).collect();
        let firsts = self.suite.first_tests();
        let mut ids = Vec::new();
        let mut killed = Vec::new();
        for (id, result) in self.ran().filter(|(id, result)| alive.contains(id) && !result.cells.is_empty()) {
            let mut row = FixedBitSet::with_capacity(firsts.count);
            let tests = result
                .cells
                .iter()
                .map(|(batch, row)| firsts.of(self.suite, *batch as usize) + *row as usize);
            row.extend(tests);
            ids.push(id);
            killed.push(row);
        }
        let groups =
            DominatorGroups { workbench: self.workbench, suite: self.suite, ids: &ids, killed: &killed };
        groups.all(&BTreeMap::new())
    }

    /// Writes the result of a mutant into its record.
    fn judge(&self, record: &mut MutantRecord, result: &MutantResult) {
        record.reached = result.reached;
        record.infected = result.infected;
        (record.revealed_by, record.killed_by) = self.kills(result);
        record.failed = result.failure.as_ref().map(|failure| self.failed(failure));
        let is_told = result.failure.is_some() || result.kills.iter().any(Option::is_some);
        record.fate = if is_told { Fate::Killed } else { result.fate };
        // This is not a kill: relations say something of eligible groups only.
        record.untested = result.untested().cloned();
        record.judgement = record.judged_by(self.against);
        record.untested.take_if(|_| record.judgement != Judgement::Untested);
        if record.is_alive() && record.revealed_by.is_none() {
            record.survivor = result.infecting.map(|(batch, row)| self.source(batch, row));
        }
    }

    /// What the inputs reveal, and the relations that kill.
    pub(crate) fn kills(&self, result: &MutantResult) -> (Option<Revealed>, Vec<RelationKill>) {
        let (mut revealed, mut killed): (Option<Revealed>, Vec<RelationKill>) = (None, Vec::new());
        for (section, kills) in self.suite.sections.iter().zip(&result.kills) {
            let Some(kills) = kills else { continue };
            match (section.kind, &mut revealed) {
                (SectionKind::Inputs, None) => revealed = Some(self.revealed(kills)),
                (SectionKind::Inputs, Some(revealed)) => revealed.inputs += kills.count,
                (SectionKind::Relation, _) => killed.push(self.killed(&section.name, kills)),
            }
        }
        (revealed, killed)
    }

    fn revealed(&self, kills: &Kills) -> Revealed {
        let (batch, row) = kills.first;
        let expected = self.baselines[batch].calls.as_ref().map_or_else(String::new, |calls| {
            let values: Vec<Value> = calls.outputs.iter().map(|column| column.value(row)).collect();
            told(calls.outcomes[row], &values)
        });
        Revealed {
            inputs: kills.count,
            first: self.source(batch, row),
            expected,
            found: kills.found.as_ref().map_or_else(String::new, |(outcome, values)| told(*outcome, values)),
            how: kills.how.clone(),
        }
    }

    pub(crate) fn failed(&self, failure: &Failure) -> FailedCall {
        let Failure { test: (batch, row), how } = failure;
        let section = &self.suite.sections[self.suite.batches[*batch].section];
        FailedCall { test: section.name.clone(), input: self.source(*batch, *row), how: how.clone() }
    }

    fn killed(&self, relation: &str, kills: &Kills) -> RelationKill {
        let (batch, row) = kills.first;
        RelationKill {
            relation: relation.to_owned(),
            groups: kills.count,
            source: self.source(batch, row),
            how: kills.how.clone(),
        }
    }

    /// The input of a test, with names.
    fn source(&self, batch: usize, row: usize) -> Vec<Binding> {
        named_input(self.workbench, self.suite, batch, row)
    }

    fn relations(&self, mutants: &[MutantRecord]) -> Vec<RelationScore> {
        let (held, killed) = (self.held(), killed(mutants));
        let score = |&index: &usize| {
            let loaded = &self.workbench.relations[index];
            let name = loaded.relation.name();
            let killed = killed.get(name).map_or(&[][..], Vec::as_slice);
            let sole: Vec<MutantId> =
                killed.iter().filter(|m| m.killed_by.len() == 1).map(|m| m.id).collect();
            RelationScore {
                name: name.to_owned(),
                file: loaded.file.display().to_string(),
                line: loaded.line,
                groups: held.get(&index).copied().unwrap_or(0),
                kills: killed.len() as u64,
                only: sole.len() as u64,
                sole: sole.into_iter().take(10).collect(),
            }
        };
        self.suite.relations.iter().map(score).collect()
    }

    /// The number of groups of each relation that hold on the original.
    fn held(&self) -> HashMap<usize, u64> {
        let mut held = HashMap::new();
        for (batch, baseline) in self.suite.batches.iter().zip(self.baselines) {
            if let TestKind::Groups { relation, .. } = batch.kind {
                let count = baseline.verdicts.iter().filter(|v| v.holds()).count();
                *held.entry(relation).or_default() += count as u64;
            }
        }
        held
    }

    /// The functions of the source in which the mutants are.
    fn mutated(&self) -> Vec<MutatedFunction> {
        let mut counts: BTreeMap<(String, Option<String>), u64> = BTreeMap::new();
        for mutant in &self.found.compared.mutants {
            let change = &mutant.changes[0];
            let function = self.found.set.all.source_function(self.workbench.target.debug_info(), change);
            let file = change.description.place.as_ref().map(|place| place.file.clone());
            *counts.entry((function, file)).or_default() += 1;
        }
        let row = |((function, file), mutants)| MutatedFunction { function, file, mutants };
        let mut rows: Vec<MutatedFunction> = counts.into_iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.mutants));
        rows
    }

    fn work(&self) -> ExecutionCounts {
        let results = || self.found.results.iter().flatten();
        ExecutionCounts {
            pairs: results().map(|result| result.pairs).sum(),
            executed: self.found.in_vain + results().map(|result| result.executed).sum::<u64>(),
            baseline_calls: self.baselines.iter().map(|baseline| baseline.calls_made).sum(),
        }
    }

    /// What went wrong, besides the results.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.found.warnings.clone();
        let all = &self.found.set.all;
        let is_empty = all.mutants.is_empty() && all.too_large.is_empty();
        warnings.extend(self.found.set.too_large(self.workbench));
        if let Some(name) = self.workbench.target.manifest.registry_crate().filter(|_| is_empty) {
            let reached = select::packages(self.workbench);
            warnings.push(format!(
                "there is no mutant, for debug information tells of no code of the crate {name}, and the glue around it is not mutated; \
                 what is reached is of: {}; --callees=NAME mutates the code of another crate",
                if reached.is_empty() { "(unknown)".to_owned() } else { reached.join(", ") }
            ));
        }
        let stand_ins = self.found.set.selection.scope.stand_ins();
        if !stand_ins.is_empty() {
            warnings.push(format!(
                "{} re-exports functions: where one reaches no code of its own crate, the code of {} is mutated",
                self.workbench.target.manifest.name,
                stand_ins.join(", ")
            ));
        }
        warnings.extend(self.untested_relations());
        let spent: usize = self.baselines.iter().map(Baseline::spent).sum();
        if spent > 0 {
            warnings.push(format!(
                "on {spent} inputs the original runs out of fuel, so that they reveal no mutant; \
                 give it more with [limits] fuel in the manifest, or narrow its domain"
            ));
        }
        warnings
    }

    /// Relations of which no group is eligible on the original, so that they can kill nothing.
    fn untested_relations(&self) -> Vec<String> {
        let held = self.held();
        // Before the original was run on every test, nothing is known of them.
        let was_run = self.baselines.len() == self.suite.batches.len();
        let untested =
            self.suite.relations.iter().filter(|index| was_run && held.get(index).copied().unwrap_or(0) == 0);
        let name = |index: &usize| self.workbench.relations[*index].relation.name();
        untested
            .map(|index| format!("relation {} was never tested: none of its groups is eligible", name(index)))
            .collect()
    }

    /// What is not mutated: artefacts of the compiler, and functions that are not in scope.
    fn skipped(&self) -> Vec<SkippedSite> {
        let (all, selection) = (&self.found.set.all, &self.found.set.selection);
        let place = |function: u32, instruction: u32| describe::place(self.workbench, function, instruction);
        let mut skipped = Vec::new();
        for site in &all.skipped {
            let function = all.functions[site.function].function;
            if selection.mutates(function) {
                let place = place(function, site.instruction);
                skipped.push(SkippedSite {
                    place,
                    operator: None,
                    reason: site.why.to_string(),
                    mutants: site.mutants,
                });
            }
        }
        for &(function, size) in &all.too_large {
            if selection.mutates(function) {
                let reason = format!("{size} instructions; --max-instructions {size} mutates it");
                skipped.push(SkippedSite { place: place(function, 0), operator: None, reason, mutants: 0 });
            }
        }
        let module = &self.workbench.target.module;
        let reached = runs(self.workbench, 0..self.workbench.functions().len());
        for function in module.imported_functions()..module.function_count() {
            if selection.mutates(function) {
                continue;
            }
            let reason = match (selection.scope.functions.contains(&function), reached.contains(&function)) {
                (true, _) => "its function was not chosen".to_owned(),
                (false, true) => {
                    selection.scope.why_left(module, self.workbench.target.debug_info(), function)
                }
                (false, false) => "no function under test reaches it".to_owned(),
            };
            let place: Place = place(function, 0);
            skipped.push(SkippedSite { place, operator: None, reason, mutants: 0 });
        }
        skipped
    }

    /// The full matrix of the mutants that were run and of their duplicates.
    fn matrix(&self) -> Result<KillMatrix, LabError> {
        let ids: Vec<MutantId> = self.found.compared.mutants.iter().map(|mutant| mutant.id).collect();
        let names = self.options.versions.iter().map(|version| version.name().to_owned()).collect();
        let mutants = ids.len();
        let matrix = KillMatrix::with_versions(self.suite.sections.clone(), ids, names)?;
        let mut matrix = matrix.with_origin(origin(self.workbench, self.options));
        let mut results = self.found.results.iter();
        let mut cells: BTreeMap<MutantId, &[(u32, u32)]> = BTreeMap::new();
        for (row, (mutant, alike)) in self.found.compared.iter().enumerate() {
            let of: &[(u32, u32)] = match alike {
                Equivalence::Equivalent => &[],
                Equivalence::Duplicate(of) => cells.get(&of).copied().unwrap_or(&[]),
                Equivalence::Distinct => {
                    results.next().and_then(Option::as_ref).map_or(&[], |result| &result.cells)
                }
            };
            cells.insert(mutant.id, of);
            self.mark(&mut matrix, row, of);
        }
        for (place, result) in self.found.versions.iter().enumerate() {
            let of = result.as_ref().map_or(&[][..], |result| &result.cells);
            self.mark(&mut matrix, mutants + place, of);
        }
        Ok(matrix)
    }

    /// Notes in a row that these tests kill, given by their batch and their row in it.
    fn mark(&self, matrix: &mut KillMatrix, row: usize, kills: &[(u32, u32)]) {
        for &(batch, test) in kills {
            let batch = &self.suite.batches[batch as usize];
            matrix.set(row, matrix.first_test(batch.section) + batch.first + test as usize);
        }
    }
}

/// What a matrix is said to be made of: the subject, the seed and the tests.
pub(crate) fn origin(workbench: &Workbench, options: &MutateOptions) -> MatrixOrigin {
    MatrixOrigin { module: fnv1a(workbench.target.module.bytes()), seed: options.seed.0 }
}

/// The mutants in the score that each relation kills, by its name.
pub(crate) fn killed(mutants: &[MutantRecord]) -> HashMap<&str, Vec<&MutantRecord>> {
    let mut killed: HashMap<&str, Vec<&MutantRecord>> = HashMap::new();
    for mutant in mutants.iter().filter(|m| m.is_scored()) {
        for kill in &mutant.killed_by {
            killed.entry(&kill.relation).or_default().push(mutant);
        }
    }
    killed
}

fn copy_fate(record: &mut MutantRecord, first: &MutantRecord) {
    record.fate = first.fate;
    record.reached = first.reached;
    record.infected = first.infected;
    record.revealed_by.clone_from(&first.revealed_by);
    record.killed_by.clone_from(&first.killed_by);
    record.failed.clone_from(&first.failed);
    record.untested.clone_from(&first.untested);
}

/// An outcome, and the values that it returned.
pub(crate) fn told(outcome: Outcome, values: &[Value]) -> String {
    if !outcome.has_outputs() {
        return outcome.to_string();
    }
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if values.is_empty() { outcome.to_string() } else { values.join(", ") }
}
