//! The run of one subject: its steps in their order, and how a piece of work is done, kept, and told in the record.

mod inputs;
mod judged;
mod mutants;
mod search;
mod tested;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dodona_records::{
    CoverageRecord, Finder, FunctionRun, MutantId, RelationState, RunAdequacy, RunRelation, SubjectRun,
};
use dodona_session::Key;
use dodona_target::{CallError, Interruption};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, called, unclaimed};

use crate::kept::{Made, Piece};
use crate::steps::How;
use crate::{Depends, Kept, RunError, RunOptions, RunProgress, Share, Step};
use inputs::{FunctionInputs, OfFrames};
use judged::Judged;
use mutants::Mutated;
pub(crate) use search::search_share;
pub(crate) use tested::coverage_of;

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
    let mut run = Run::new(workbench, kept, How { options, interrupted }, progress);
    run.all()?;
    Ok(run.record)
}

/// Does the share of a subject's work that is one shard's, and what that depends on. The record tells what was left and what went wrong; it has the functions of the share alone, and
/// of them what can be said without the other shards.
///
/// # Errors
/// As [`run_subject`].
pub fn run_share(
    workbench: &Arc<Workbench>,
    share: &Share,
    kept: &mut Kept<'_>,
    options: &RunOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&RunProgress<'_>),
) -> Result<SubjectRun, RunError> {
    let run = Run::new(workbench, kept, How { options, interrupted }, progress);
    let mut run = Run { share: Some(share), ..run };
    run.all()?;
    Ok(run.record)
}

/// How many mutants of the code of some functions each relation catches, by its name; `None` of a function whose mutants were not all run.
pub(crate) fn caught_of(
    workbench: &Arc<Workbench>,
    functions: &[usize],
    kept: &mut Kept<'_>,
    how: How<'_>,
) -> Result<Vec<Option<BTreeMap<String, u64>>>, RunError> {
    let mut ignored = |_: &RunProgress<'_>| {};
    let mut run = Run::new(workbench, kept, how, &mut ignored);
    run.make_all_inputs(&run.mine())?;
    let caught = |mutated: Option<Mutated>| {
        let mutated = mutated.filter(|one| one.not_run == 0)?;
        let sum = mutated.sum.as_ref()?;
        let of = |name: &String| (name.clone(), sum.caught_by(name).len() as u64);
        Some(mutated.relations.iter().map(of).collect())
    };
    Ok(run.mutants(workbench, functions, &[])?.into_iter().map(caught).collect())
}

/// A run of a subject.
struct Run<'a, 's, 'p> {
    workbench: &'a Arc<Workbench>,
    depends: Depends<'a>,
    kept: &'a mut Kept<'s>,
    how: How<'a>,
    progress: &'p mut dyn FnMut(&RunProgress<'_>),
    /// What is done of it; all, if there is none.
    share: Option<&'a Share>,
    record: SubjectRun,
    done: u64,
    planned: u64,
    /// The function with a file of categories and choices, if there is one.
    frames: Option<Arc<OfFrames>>,
    /// The inputs of each function.
    inputs: Vec<FunctionInputs>,
}

impl<'a, 's, 'p> Run<'a, 's, 'p> {
    fn new(
        workbench: &'a Arc<Workbench>,
        kept: &'a mut Kept<'s>,
        how: How<'a>,
        progress: &'p mut dyn FnMut(&RunProgress<'_>),
    ) -> Run<'a, 's, 'p> {
        let record = SubjectRun {
            subject: workbench.target.manifest.name.clone(),
            manifest: workbench.target.manifest.path.display().to_string(),
            ..SubjectRun::default()
        };
        Run {
            depends: Depends::new(workbench, how.options),
            workbench,
            kept,
            how,
            progress,
            share: None,
            record,
            done: 0,
            planned: (workbench.functions().len() * 2 + workbench.relations.len()) as u64,
            frames: None,
            inputs: Vec::new(),
        }
    }

    /// Finds out what the inputs of all functions depend on, and makes those of these functions.
    fn make_all_inputs(&mut self, functions: &BTreeSet<usize>) -> Result<(), RunError> {
        match OfFrames::beside(self.workbench) {
            Ok(frames) => self.frames = frames.map(Arc::new),
            Err(why) => self.record.warnings.push(format!("frames: {why}")),
        }
        self.inputs =
            (0..self.workbench.functions().len()).map(|function| self.inputs_of(function)).collect();
        self.make_inputs(functions)
    }

    /// The functions that are run, by their indices.
    fn mine(&self) -> BTreeSet<usize> {
        let is_mine = |function: &usize| self.share.is_none_or(|share| share.has(*function));
        (0..self.workbench.functions().len()).filter(is_mine).collect()
    }

    fn all(&mut self) -> Result<(), RunError> {
        let functions = self.mine();
        self.make_all_inputs(&functions)?;
        // What a person wants to hold comes before any search.
        let mut relations = Vec::new();
        let accepted = self.workbench.relations.len();
        for place in 0..accepted {
            let relation = &self.workbench.relations[place].relation;
            if called(relation).any(|function| functions.contains(&function)) {
                relations.extend(self.check(self.workbench, place, None)?);
            }
        }
        let unclaimed = unclaimed(self.workbench)?;
        self.record.unread += unclaimed.len() as u64;
        self.record.warnings.extend(unclaimed);
        // Of a function whose mutants are several shards', one of them measures.
        let is_measured = |function: &usize| self.share.is_none_or(|share| share.is_first(*function));
        let measured: BTreeSet<usize> = functions.iter().copied().filter(is_measured).collect();
        let mut coverage = BTreeMap::new();
        for &function in &measured {
            coverage.insert(function, self.cover(function)?);
        }
        let found = self.found(&functions, &relations)?;
        let together = self.together(&found)?;
        for (place, one) in (accepted..).zip(&found) {
            relations.extend(self.check(&together, place, Some(one))?);
        }
        if let Some(share) = self.share {
            self.prove_share(share)?;
        }
        self.prove_all(&together, &mut relations)?;
        let mut adequacy = BTreeMap::new();
        for &function in &measured {
            adequacy.insert(function, self.adequacy(&together, function, &relations)?);
        }
        let functions: Vec<usize> = functions.into_iter().collect();
        let mutated = self.mutants(&together, &functions, &relations)?;
        for (&function, mutated) in functions.iter().zip(mutated) {
            let mine = relations.iter().filter(|one| one.function == function);
            let mine = mine.map(|one| one.relation.clone()).collect();
            let tested = (coverage.remove(&function).flatten(), adequacy.remove(&function).flatten());
            let function = self.function(function, mine, mutated, tested);
            self.record.functions.push(function);
        }
        Ok(())
    }

    /// The names of the relations that a person wants to hold.
    fn accepted(&self) -> BTreeSet<String> {
        self.workbench.relations.iter().map(|loaded| loaded.relation.name().to_owned()).collect()
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
        self.piece_if(step, about, key, &|_| true, make)
    }

    /// A piece of work that is kept only if its result is such a one.
    fn piece_if<T: Piece>(
        &mut self,
        step: Step,
        about: &str,
        key: Key,
        is_kept: &dyn Fn(&T) -> bool,
        make: impl FnOnce() -> Result<Made<T>, LabError>,
    ) -> Result<Option<T>, RunError> {
        self.begin(step, about);
        let interrupted = self.how.interrupted;
        let made =
            self.kept.piece_if(key, step.name(), about, is_kept, || unless_interrupted(interrupted, make));
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

    /// What is known of a function with its relations.
    fn function(
        &mut self,
        function: usize,
        mut relations: Vec<RunRelation>,
        mutated: Option<Mutated>,
        (coverage, adequacy): (Option<CoverageRecord>, Option<RunAdequacy>),
    ) -> FunctionRun {
        let not_run = mutated.as_ref().map_or(0, |mutated| mutated.not_run);
        let mut sum = mutated.and_then(|mutated| mutated.sum);
        if let Some(sum) = &mut sum {
            for relation in &mut relations {
                relation.caught = Some(sum.caught_by(&relation.check.name));
            }
            if not_run == 0 {
                leave_idle_compositions(&mut relations);
            }
            self.record.contradictions.append(&mut sum.contradictions);
        }
        FunctionRun {
            function: self.name(function),
            relations,
            faults: sum.map(|sum| sum.faults(not_run)),
            coverage: coverage.as_ref().map(coverage_of),
            adequacy,
        }
    }
}

/// Leaves out compositions that catch nothing which no accepted relation catches: what chose them were other mutants and other inputs.
fn leave_idle_compositions(relations: &mut Vec<RunRelation>) {
    let accepted = relations.iter().filter(|relation| relation.state == RelationState::Accepted);
    let caught: BTreeSet<MutantId> =
        accepted.flat_map(|relation| relation.caught.iter().flatten().copied()).collect();
    relations.retain(|relation| {
        let mut own = relation.caught.iter().flatten();
        relation.found_by != Some(Finder::Composition) || own.any(|mutant| !caught.contains(mutant))
    });
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
