//! The run of one subject.

mod search;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_mutation::AcceptedMutants;
use dodona_records::{
    CheckRecord, CoverageRecord, FileCoverage, FileLines, FunctionRun, Judgement, LineCoverage, MutantRecord,
    MutationRecord, RelationState, RunCoverage, RunFaults, RunRelation, SubjectRun,
};
use dodona_session::{Key, KeyBuilder};
use dodona_target::{CallError, Interruption};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, LoadedRelation, MadeInputs, Regressions, called};

use crate::faults::{caught_by, faults};
use crate::kept::{Made, Piece};
use crate::steps::{How, MadeRows, MutantsOf, checked, covered, made, slices};
use crate::{Depends, Kept, RunError, RunOptions, RunProgress, Step};

/// Runs a subject: what is kept of it is taken, and what is not is done and kept. An interruption ends it with what is known by then.
///
/// # Errors
/// When the relations cannot be put together, or the session cannot be read. What goes wrong with a single piece of work is a warning in the record.
pub fn run_subject(
    workbench: &Arc<Workbench>,
    kept: &mut Kept<'_>,
    options: &RunOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&RunProgress<'_>),
) -> Result<SubjectRun, RunError> {
    let record = SubjectRun {
        subject: workbench.target.manifest.name.clone(),
        manifest: workbench.target.manifest.path.display().to_string(),
        ..SubjectRun::default()
    };
    let functions = workbench.functions().len();
    let mut run = Run {
        depends: Depends::new(workbench, options),
        workbench,
        kept,
        how: How { options, interrupted },
        progress,
        record,
        done: 0,
        planned: (functions * 3 + workbench.relations.len()) as u64,
        made: BTreeMap::new(),
    };
    run.all()?;
    Ok(run.record)
}

/// A run of a subject.
struct Run<'a, 's, 'p> {
    workbench: &'a Arc<Workbench>,
    depends: Depends<'a>,
    kept: &'a mut Kept<'s>,
    how: How<'a>,
    progress: &'p mut dyn FnMut(&RunProgress<'_>),
    record: SubjectRun,
    done: u64,
    planned: u64,
    /// The inputs that were made for each function, with the key that they are kept under.
    made: BTreeMap<usize, (Key, MadeRows)>,
}

impl Run<'_, '_, '_> {
    fn all(&mut self) -> Result<(), RunError> {
        let functions = self.workbench.functions().len();
        for function in 0..functions {
            self.inputs(function)?;
        }
        // What a person wants to hold comes before any search.
        let mut relations = Vec::new();
        for loaded in self.workbench.relations.iter() {
            relations.extend(self.check(self.workbench, loaded, None)?);
        }
        let mut coverage = Vec::new();
        for function in 0..functions {
            coverage.push(self.cover(function)?);
        }
        let found = self.found()?;
        let together = self.together(&found)?;
        let accepted = self.workbench.relations.len();
        for (loaded, one) in together.relations.iter().skip(accepted).zip(&found) {
            relations.extend(self.check(&together, loaded, Some(one.words.clone()))?);
        }
        let mutants = match MutantsOf::new(&together, self.how) {
            Ok(mutants) => Some(mutants),
            Err(error) => {
                self.record.warnings.push(format!("mutants: {error}"));
                None
            }
        };
        let mut mutating = Vec::new();
        for function in 0..functions {
            mutating.push(mutants.as_ref().map(|mutants| self.mutating(&together, mutants, function)));
        }
        // A slice of each function after the other: where the time ends, something is known of all of them.
        let rounds = mutating.iter().flatten().map(|one| one.slices.len()).max().unwrap_or(0);
        for round in 0..rounds {
            for one in mutating.iter_mut().flatten() {
                if let (Some(mutants), Some(slice)) = (&mutants, one.slices.get(round).cloned()) {
                    self.mutate(mutants, one, &slice)?;
                }
            }
        }
        for (function, (coverage, mutated)) in coverage.into_iter().zip(mutating).enumerate() {
            let mine = |one: &&(usize, RunRelation)| one.0 == function;
            let mine: Vec<RunRelation> = relations.iter().filter(mine).map(|(_, one)| one.clone()).collect();
            let function = self.function(function, mine, mutated, coverage);
            self.record.functions.push(function);
        }
        Ok(())
    }

    /// The name of a function.
    fn name(&self, function: usize) -> String {
        self.workbench.functions()[function].name.clone()
    }

    /// A piece of work; `None` where it was left, because of an interruption, or failed.
    fn piece<T: Piece>(
        &mut self,
        step: Step,
        about: &str,
        key: Key,
        make: impl FnOnce() -> Result<Made<T>, LabError>,
    ) -> Result<Option<T>, RunError> {
        self.begin(step, about);
        let interrupted = self.how.interrupted;
        let made = self.kept.piece(key, step.name(), about, || unless_interrupted(interrupted, make));
        self.settle(step, about, made)
    }

    /// Tells that a piece of work begins.
    fn begin(&mut self, step: Step, about: &str) {
        (self.progress)(&RunProgress { step, about, done: self.done, planned: self.planned });
        self.done += 1;
    }

    /// Notes what was left of a piece of work, or went wrong with it; its result, if it has one.
    fn settle<T>(
        &mut self,
        step: Step,
        about: &str,
        made: Result<Made<T>, RunError>,
    ) -> Result<Option<T>, RunError> {
        let left = format!("{} of {about}", step.name());
        match made {
            Ok(Made { result, is_whole }) => {
                if !is_whole {
                    self.record.left.push(left);
                }
                Ok(Some(result))
            }
            Err(RunError::Lab(error)) if error.is_stopped() || self.how.interrupted.is_raised() => {
                self.record.left.push(left);
                Ok(None)
            }
            Err(RunError::Lab(error)) => {
                self.record.warnings.push(format!("{left}: {error}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn inputs(&mut self, function: usize) -> Result<(), RunError> {
        let (workbench, how, name) = (self.workbench, self.how, self.name(function));
        let key = self.depends.begin(Step::Inputs.name()).with(self.depends.code(function).bytes()).key();
        let rows =
            self.piece(Step::Inputs, &name, key, || made(workbench, function, how))?.unwrap_or_default();
        let of = |warning: &String| format!("{name}, inputs along paths: {warning}");
        self.record.warnings.extend(rows.warnings.iter().map(of));
        self.record.contradictions.extend(rows.contradictions.iter().cloned());
        self.made.insert(function, (key, rows));
        Ok(())
    }

    /// The check of a relation, with the function that it is about. What a search found comes with its words, and an accepted relation without.
    fn check(
        &mut self,
        together: &Workbench,
        loaded: &LoadedRelation,
        words: Option<String>,
    ) -> Result<Option<(usize, RunRelation)>, RunError> {
        let functions: BTreeSet<usize> = called(&loaded.relation).collect();
        let Some(first) = called(&loaded.relation).next() else { return Ok(None) };
        let relation = self.depends.relation(loaded);
        let mut key = self.depends.begin(Step::Check.name()).with(relation.bytes());
        key = key.with(self.how.options.inputs.to_le_bytes());
        for function in &functions {
            key = key.with(self.made[function].0.bytes());
        }
        // A counterexample that was kept of what a person wants to hold is tried first.
        let regressions = if words.is_none() { Regressions::Keep } else { Regressions::Ignore };
        if regressions == Regressions::Keep {
            key = key.with(self.depends.counterexamples().bytes());
        }
        let (how, name) = (self.how, loaded.relation.name());
        let made = self.made_for(&functions);
        let make = || checked(&together.any(), name, (made, regressions), how);
        let Some(record): Option<CheckRecord> = self.piece(Step::Check, name, key.key(), make)? else {
            return Ok(None);
        };
        self.record.warnings.extend(record.warnings.iter().map(|warning| format!("{name}: {warning}")));
        let Some(mut check) = record.relations.into_iter().next() else { return Ok(None) };
        // What was kept may be of another place in the file.
        let state = match words {
            None => {
                (check.file, check.line) = (loaded.file.display().to_string(), loaded.line);
                RelationState::Accepted
            }
            Some(_) => {
                (check.file, check.line) = (String::new(), 0);
                RelationState::Found
            }
        };
        Ok(Some((first, RunRelation { state, words, check, caught: None })))
    }

    fn made_for(&self, functions: &BTreeSet<usize>) -> Vec<MadeInputs> {
        functions.iter().map(|f| self.made[f].1.inputs(self.workbench, *f)).collect()
    }

    /// What is known of a function with its relations.
    fn function(
        &mut self,
        function: usize,
        mut relations: Vec<RunRelation>,
        mutated: Option<Mutating>,
        coverage: Option<CoverageRecord>,
    ) -> FunctionRun {
        let accepted: BTreeSet<String> =
            self.workbench.relations.iter().map(|loaded| loaded.relation.name().to_owned()).collect();
        let not_run = mutated.as_ref().map_or(0, |mutated| mutated.not_run);
        let analysis = mutated.and_then(|mutated| mutated.whole);
        if let Some(record) = &analysis {
            for relation in &mut relations {
                relation.caught = Some(caught_by(record, &relation.check.name));
            }
            self.record.contradictions.extend(record.contradictions.iter().cloned());
        }
        FunctionRun {
            function: self.name(function),
            relations,
            faults: analysis.as_ref().map(|record| RunFaults { not_run, ..faults(record, &accepted) }),
            coverage: coverage.as_ref().map(summary),
        }
    }

    /// What the mutants of a function's code are run against.
    fn mutating(&mut self, together: &Arc<Workbench>, mutants: &MutantsOf<'_>, function: usize) -> Mutating {
        let mut key = self.depends.begin(Step::Mutate.name()).with(self.depends.lines(function).bytes());
        key = key.with(self.how.options.inputs.to_le_bytes());
        // What a person accepted as it is counts in no score.
        let accepted = AcceptedMutants::path(&self.workbench.target.manifest.path);
        key = key.with(std::fs::read(accepted).unwrap_or_default());
        // By name, so that it does not matter which of them are accepted.
        let mut relations: BTreeMap<String, Key> = BTreeMap::new();
        let mut functions = BTreeSet::from([function]);
        for loaded in together.relations.iter() {
            if called(&loaded.relation).any(|called| called == function) {
                relations.insert(loaded.relation.name().to_owned(), self.depends.relation(loaded));
                functions.extend(called(&loaded.relation));
            }
        }
        for relation in relations.values() {
            key = key.with(relation.bytes());
        }
        for function in &functions {
            key = key.with(self.made[function].0.bytes());
        }
        let (name, made) = (self.name(function), self.made_for(&functions));
        let code = dodona_wasm::runs(together, [function]);
        let identities: Vec<String> =
            mutants.of(function).into_iter().map(|mutant| mutants.identity(mutant, &code)).collect();
        let slices = slices(identities.len(), self.how.options.mutants);
        self.planned += slices.len() as u64;
        let relations = relations.into_keys().collect();
        let (whole, not_run) = (None, 0);
        Mutating { function, name, key, relations, made, identities, slices, whole, not_run }
    }

    /// Runs some mutants of a function's code, by their places.
    fn mutate(&mut self, mutants: &MutantsOf<'_>, one: &mut Mutating, slice: &[u32]) -> Result<(), RunError> {
        let mut key = one.key.clone();
        for &place in slice {
            key = key.with(place.to_le_bytes()).with(&one.identities[place as usize]);
        }
        let how = self.how;
        let make = || mutants.run((one.function, slice), one.relations.clone(), one.made.clone(), how);
        let part: Option<MutationRecord> = self.piece(Step::Mutate, &one.name, key.key(), make)?;
        let Some(part) = part else {
            one.not_run += slice.len() as u64;
            return Ok(());
        };
        let is_left = |mutant: &&MutantRecord| mutant.judgement == Judgement::NotRun;
        one.not_run += part.mutants.iter().filter(is_left).count() as u64;
        match &mut one.whole {
            None => one.whole = Some(part),
            Some(whole) => {
                whole.mutants.extend(part.mutants);
                whole.contradictions.extend(part.contradictions);
            }
        }
        Ok(())
    }

    fn cover(&mut self, function: usize) -> Result<Option<CoverageRecord>, RunError> {
        let (key, rows) = self.made[&function].clone();
        let key = self
            .depends
            .begin(Step::Cover.name())
            .with(self.depends.lines(function).bytes())
            .with(key.bytes());
        let key = key.with(self.how.options.inputs.to_le_bytes()).key();
        let (workbench, how, name) = (self.workbench, self.how, self.name(function));
        self.piece(Step::Cover, &name, key, || covered(workbench, function, &rows, how))
    }
}

/// The work, unless somebody has interrupted or the time is up.
fn unless_interrupted<T>(
    interrupted: &Interruption,
    make: impl FnOnce() -> Result<Made<T>, LabError>,
) -> Result<Made<T>, LabError> {
    match interrupted.is_raised() {
        true => Err(LabError::Call(CallError::Stopped)),
        false => make(),
    }
}

/// The mutants of a function's code, and what they are run against.
struct Mutating {
    function: usize,
    name: String,
    /// What all of them depend on.
    key: KeyBuilder,
    /// The names of the relations.
    relations: Vec<String>,
    made: Vec<MadeInputs>,
    /// What tells each mutant from all others.
    identities: Vec<String>,
    /// Those that are run, by their places.
    slices: Vec<Vec<u32>>,
    /// What was found by now.
    whole: Option<MutationRecord>,
    /// How many could not be run, because the time was up or somebody interrupted.
    not_run: u64,
}

fn summary(record: &CoverageRecord) -> RunCoverage {
    let lines = |file: &FileCoverage| {
        let (run, never_run): (Vec<&LineCoverage>, Vec<&LineCoverage>) =
            file.lines.iter().partition(|line| line.hits > 0);
        let numbers = |lines: Vec<&LineCoverage>| lines.into_iter().map(|line| line.line).collect();
        FileLines { file: file.path.clone(), run: numbers(run), never_run: numbers(never_run) }
    };
    RunCoverage {
        statements: record.statements,
        branches: record.branches,
        files: record.files.iter().map(lines).collect(),
    }
}
