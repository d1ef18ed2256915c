//! Which input detects which faulty version.

use std::sync::Arc;

use dodona_mutation::analysis::{Analysis, MutantRun};
use dodona_mutation::{
    Callees, FaultyVersion, KeepMatrix, Mutant, MutantSet, MutateOptions, MutateProgress, MutationBounds,
    OperatorSet, Runner, open_versions, stand_in_for,
};
use dodona_records::{Against, FaultyVersions, Mode, Pruning};
use dodona_target::{CallError, Caller, Calls, Column, Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::pool::{self, Ended};
use dodona_workbench::{LabError, Worker};
use fixedbitset::FixedBitSet;

use super::{CompareOptions, CompareProgress, Versions};
pub(super) use dodona_mutation::suite::{Suite, TestKind};

/// What is to be run.
pub(super) struct Asked<'a> {
    pub(super) workbench: &'a Arc<Workbench>,
    pub(super) function: usize,
    pub(super) relations: &'a [usize],
    pub(super) tests: Suite,
    pub(super) options: &'a CompareOptions,
}

/// A faulty version.
pub(super) struct Candidate {
    pub(super) name: String,
    /// The inputs, by their numbers in the pool, that detect it.
    pub(super) detected_by: FixedBitSet,
}

/// What was run.
pub(super) struct DetectionResults {
    pub(super) versions: FaultyVersions,
    pub(super) candidates: Vec<Candidate>,
}

impl Asked<'_> {
    /// Runs every faulty version. What was not run before an interruption is missing.
    pub(super) fn run(
        self,
        warnings: &mut Vec<String>,
        interrupted: &Interruption,
        progress: &mut dyn FnMut(CompareProgress),
    ) -> Result<DetectionResults, LabError> {
        let options = self.mutate_options();
        let versions = match &self.options.versions {
            Versions::Mutants { .. } => Vec::new(),
            Versions::Folders => folders(&self)?,
        };
        let mut of_mutants = |p: MutateProgress| {
            progress(CompareProgress { step: "faulty versions", done: p.done, planned: p.planned });
        };
        let mut analysis = Analysis {
            workbench: Arc::clone(self.workbench),
            options: &options,
            suite: Arc::new(self.tests),
            baselines: Arc::new(Vec::new()),
            until: Until::interrupted(interrupted),
            done: MutateProgress::default(),
            progress: &mut of_mutants,
        };
        analysis.baseline()?;
        warnings.extend(violated(&analysis));
        match &self.options.versions {
            Versions::Mutants { .. } => mutants(&mut analysis, warnings),
            Versions::Folders => run_folders(&analysis, &versions),
        }
    }

    /// The same for mutation analysis. Relations are chosen before.
    fn mutate_options(&self) -> MutateOptions {
        let (operators, callees) = match &self.options.versions {
            Versions::Mutants { operators, callees } => (operators.clone(), callees.clone()),
            Versions::Folders => (OperatorSet::all(), Callees::Left),
        };
        let name = |&index: &usize| self.workbench.relations[index].relation.name().to_owned();
        MutateOptions {
            functions: vec![self.workbench.functions()[self.function].name.clone()],
            callees,
            operators,
            relations: self.relations.iter().map(name).collect(),
            against: Against::Relations,
            inputs: 0,
            files: Vec::new(),
            made: Vec::new(),
            seed: self.options.generate.seed,
            jobs: self.options.jobs,
            mode: Mode::Matrix,
            pruning: Pruning::Infected,
            keep_matrix: KeepMatrix::No,
            bounds: MutationBounds::default(),
            versions: Vec::new(),
        }
    }
}

/// What is said of relations that the function itself violates: a fault of its own, or a relation that does not hold.
fn violated(analysis: &Analysis<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    for &relation in &analysis.suite.relations {
        let of = |kind: TestKind| matches!(kind, TestKind::Groups { relation: of, .. } if of == relation);
        let batches = analysis.suite.batches.iter().zip(analysis.baselines.iter());
        let verdicts =
            batches.filter(|(batch, _)| of(batch.kind)).flat_map(|(_, baseline)| &baseline.verdicts);
        let count = verdicts.filter(|verdict| verdict.is_violation()).count();
        if count > 0 {
            let name = analysis.workbench.relations[relation].relation.name();
            warnings.push(format!(
                "`{name}` is violated by the function itself in {count} groups, which detect nothing; `dodona check` tells of them"
            ));
        }
    }
    warnings
}

fn mutants(analysis: &mut Analysis<'_>, warnings: &mut Vec<String>) -> Result<DetectionResults, LabError> {
    let workbench = Arc::clone(&analysis.workbench);
    let (options, until) = (analysis.options, analysis.until.clone());
    let set = MutantSet::generate(&workbench, options)?;
    warnings.extend(set.too_large(&workbench));
    let compared = set.compare(&workbench, set.asked(), options, &until, warnings)?;
    let run = compared.distinct();
    analysis.done.planned = run.len() as u64;
    let how = MutantRun {
        run: Arc::new(|tests, version, runner| tests.killers(version, runner)),
        is_alive: FixedBitSet::is_clear,
    };
    let killers = analysis.run(&set, &run, &how)?;
    let versions = FaultyVersions::Mutants {
        operators: options.operators.iter().map(|o| o.code().to_owned()).collect(),
        mutants: compared.len() as u64,
        equivalent: compared.equivalent(),
        duplicates: compared.duplicates(),
    };
    let candidate = |(mutant, killers): (&&Mutant, Option<FixedBitSet>)| {
        killers.map(|detected_by| Candidate { name: mutant.id.to_string(), detected_by })
    };
    Ok(DetectionResults { versions, candidates: run.iter().zip(killers).filter_map(candidate).collect() })
}

/// Opens the subjects in the folder `faulty`, or that one. Each has all functions that the relations call.
fn folders(asked: &Asked<'_>) -> Result<Vec<Arc<FaultyVersion>>, LabError> {
    let versions =
        open_versions(asked.workbench, &[asked.workbench.target.manifest.folder().join("faulty")])?;
    let relations = asked.relations.iter().map(|&index| &asked.workbench.relations[index].relation);
    let called = relations.flat_map(|relation| relation.calls()).map(|call| call.function);
    stand_in_for(&versions, &called.chain([asked.function]).collect())?;
    Ok(versions)
}

fn run_folders(
    analysis: &Analysis<'_>,
    versions: &[Arc<FaultyVersion>],
) -> Result<DetectionResults, LabError> {
    let names: Vec<String> = versions.iter().map(|version| version.name().to_owned()).collect();
    let (original, suite) = (Arc::clone(&analysis.workbench), Arc::clone(&analysis.suite));
    let (baselines, versions) = (Arc::clone(&analysis.baselines), versions.to_vec());
    let ended = pool::run(
        (Worker::Folders, analysis.options.jobs.get(), versions.len()),
        Until::clone,
        move |until, index| {
            let mut caller = VersionCaller(versions[index].runner().until(until));
            let mut detected_by = FixedBitSet::new();
            for (batch, baseline) in suite.batches.iter().zip(baselines.iter()) {
                let TestKind::Groups { relation, group } = batch.kind else { continue };
                let program = &original.relations[relation].program;
                let verdicts = program.evaluate(group, &batch.columns, &mut caller)?;
                for (row, (verdict, original)) in verdicts.iter().zip(&baseline.verdicts).enumerate() {
                    if verdict.is_violation() && !original.is_violation() {
                        detected_by.grow_and_insert(batch.first + row);
                    }
                }
            }
            Ok(detected_by)
        },
        &analysis.until,
        &mut |_| {},
    )?;
    let detected = match ended {
        Ended::Done(detected) => detected,
        Ended::Interrupted(_) => Vec::new(),
    };
    let candidate =
        |(name, detected_by): (&String, FixedBitSet)| Candidate { name: name.clone(), detected_by };
    let candidates = names.iter().zip(detected).map(candidate).collect();
    Ok(DetectionResults { versions: FaultyVersions::Folders { folders: names }, candidates })
}

/// Calls a faulty version in the place of the original.
struct VersionCaller(Runner);

impl Caller for VersionCaller {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        self.0.call(function, arguments).map_err(CallError::from)
    }
}
