//! Which input detects which faulty version.

use std::path::PathBuf;
use std::sync::Arc;

use dodona_mutation::analysis::{Analysis, MutantRun};
use dodona_mutation::{
    Callees, KeepMatrix, Mutant, MutantSet, MutateOptions, MutateProgress, MutationBounds, OperatorSet,
    Runner,
};
use dodona_records::{Against, FaultyVersions, Mode, Pruning};
use dodona_subject::Manifest;
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
            Versions::Folders => {
                let folders = folders(self.workbench, self.function)?;
                run_folders(&mut analysis, folders)
            }
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

/// A subject that is a faulty version of another.
struct Folder {
    name: String,
    workbench: Workbench,
    /// For each function of the original its own of the same name, where it has one.
    functions: Vec<Option<usize>>,
}

/// Opens the subjects in the folder `faulty`, or that one.
fn folders(workbench: &Workbench, function: usize) -> Result<Vec<Folder>, LabError> {
    let faulty = workbench.target.manifest.folder().join("faulty");
    let mut paths = Vec::new();
    if faulty.join("dodona.toml").is_file() {
        paths.push(faulty.clone());
    } else if let Ok(entries) = std::fs::read_dir(&faulty) {
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
        paths.extend(folders.filter(|path| path.join("dodona.toml").is_file()));
        paths.sort();
    }
    if paths.is_empty() {
        let path = faulty.display();
        return Err(LabError::Sources(format!(
            "there is no faulty version in {path}: no folder with a dodona.toml"
        )));
    }
    paths.into_iter().map(|path| open(workbench, function, path)).collect()
}

fn open(original: &Workbench, function: usize, path: PathBuf) -> Result<Folder, LabError> {
    let fails = |words: String| LabError::Sources(format!("{}: {words}", path.display()));
    let mut manifest = Manifest::find(&path).map_err(|error| fails(error.to_string()))?;
    // The relations are the original's.
    manifest.relations.clear();
    let workbench = dodona_wasm::open(manifest)?;
    let functions: Vec<Option<usize>> = original
        .target
        .manifest
        .functions
        .iter()
        .map(|f| workbench.functions().iter().position(|other| other.name == f.name))
        .collect();
    let wanted = &original.functions()[function];
    let types = |f: &dodona_target::Signature| f.parameters.iter().map(|p| p.ty).collect::<Vec<_>>();
    let is_same = |&own: &usize| types(&workbench.functions()[own]) == types(wanted);
    if functions[function].filter(is_same).is_none() {
        return Err(fails(format!("it has no function `{}` with the same parameters", wanted.name)));
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Folder { name, workbench, functions })
}

fn run_folders(analysis: &mut Analysis<'_>, folders: Vec<Folder>) -> Result<DetectionResults, LabError> {
    let names: Vec<String> = folders.iter().map(|folder| folder.name.clone()).collect();
    let (original, suite) = (Arc::clone(&analysis.workbench), Arc::clone(&analysis.suite));
    let baselines = Arc::clone(&analysis.baselines);
    let ended = pool::run(
        (Worker::Folders, analysis.options.jobs.get(), folders.len()),
        Until::clone,
        move |until, index| {
            let mut caller = FolderCaller {
                runner: folders[index].workbench.target.executable.runner().until(until),
                folder: &folders[index],
            };
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
struct FolderCaller<'a> {
    runner: Runner,
    folder: &'a Folder,
}

impl Caller for FolderCaller<'_> {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        let Some(own) = self.folder.functions[function] else {
            let words =
                format!("the faulty version {} lacks a function that a relation calls", self.folder.name);
            return Err(CallError::new(std::io::Error::other(words)));
        };
        self.runner.call(own, arguments).map_err(CallError::from)
    }
}
