//! A mutation analysis while it runs: the baseline of the original, one observing run of each module of mutants, and then each
//! mutant on the tests that infect it.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use dodona_mutants::{Form, Mutant, Mutants, Notes, Plan};
use dodona_records::Mode;
use dodona_target::Until;
use dodona_wasm::execute::{Called, Executable, Options, Runner, TrapPlaces};
use dodona_wasm::{WasmTarget, Workbench};
use dodona_workbench::pool::{self, Ended};
use dodona_workbench::{LabError, Worker};

use crate::baseline::Baseline;
use crate::compiled::Compiled;
use crate::observe::BatchNotes;
use crate::run::{Tests, Version};
use crate::set::{ComparedMutants, MutantSet};
use crate::strong::{Test, strong_tests};
use crate::suite::Suite;
use crate::{KeepMatrix, MutateOptions, MutateProgress, MutateStage};

/// The most mutants of one module, and the most instructions that the copies of functions in it may have. More mutants are run
/// in parts, so that memory stays bounded.
const MOST_MUTANTS: usize = 4096;
pub(crate) const MOST_INSTRUCTIONS: usize = 2_000_000;

/// The instructions of such copies that are compiled for each second that is left. A slow machine compiles 150,000 in a second. With more, there is no time to run
/// the mutants that were compiled; with fewer, there are more modules, and all tests are run on the observing version of each.
const INSTRUCTIONS_A_SECOND: f64 = 60_000.0;

/// A mutation analysis while it runs.
pub struct Analysis<'a> {
    /// The subject.
    pub workbench: Arc<Workbench>,
    /// What was asked for.
    pub options: &'a MutateOptions,
    /// All tests.
    pub suite: Arc<Suite>,
    /// What the original does in each batch; empty before [`Analysis::baseline`].
    pub baselines: Arc<Vec<Baseline>>,
    /// When to end, with the results so far.
    pub until: Until,
    /// The progress.
    pub done: MutateProgress,
    /// Is called with the progress.
    pub progress: &'a mut dyn FnMut(MutateProgress),
}

/// The way in which a mutant is run.
pub type Run<T> = dyn Fn(&Tests<'_>, &Version<'_>, &mut Runner) -> Result<T, LabError> + Send + Sync;

/// How a mutant is run on the tests, and how to tell whether it survived.
pub struct MutantRun<T> {
    /// Runs a mutant on the tests.
    pub run: Arc<Run<T>>,
    /// Whether a mutant with this result survived.
    pub is_alive: fn(&T) -> bool,
}

impl Analysis<'_> {
    fn jobs(&self) -> usize {
        self.options.jobs.get()
    }

    /// After which kill the run of a mutant ends. A matrix needs every test.
    pub(crate) fn mode(&self) -> Mode {
        match self.options.keep_matrix {
            KeepMatrix::Yes => Mode::Matrix,
            KeepMatrix::No => self.options.mode,
        }
    }

    /// Runs the original.
    pub fn baseline(&mut self) -> Result<(), LabError> {
        let (workbench, suite) = (Arc::clone(&self.workbench), Arc::clone(&self.suite));
        let executable = workbench.target.executable.clone();
        let ended = pool::run(
            (Worker::Baseline, self.jobs(), suite.batches.len()),
            move |until| executable.runner().until(until),
            move |runner, batch| Baseline::run(&workbench, &suite.batches[batch], runner),
            &self.until,
            &mut |_| {},
        )?;
        if let Ended::Done(baselines) = ended {
            self.baselines = Arc::new(baselines);
        }
        Ok(())
    }

    /// Whether the tests make no call, although all of them were run on the original.
    pub(crate) fn calls_nothing(&self) -> bool {
        !self.baselines.is_empty() && self.baselines.iter().all(|baseline| baseline.calls_made == 0)
    }

    /// Runs mutants of a set, those of one module at a time; `None` for mutants that were not run before an interruption.
    pub fn run<T: Send + 'static>(
        &mut self,
        set: &MutantSet<'_>,
        mutants: &[&Mutant],
        how: &MutantRun<T>,
    ) -> Result<Vec<Option<T>>, LabError> {
        let mut results = Vec::with_capacity(mutants.len());
        let mut rest = mutants;
        let ready = self.baselines.len() == self.suite.batches.len();
        while ready && !rest.is_empty() && self.until.goes_on() {
            let part;
            (part, rest) = rest.split_at(self.next_part(set, rest));
            match self.part(set, part, how)? {
                Ended::Done(done) => results.extend(done.into_iter().map(Some)),
                Ended::Interrupted(done) => {
                    results.extend(done);
                    break;
                }
            }
        }
        results.resize_with(mutants.len(), || None);
        let done = results.iter().flatten().count();
        if done < mutants.len() && self.until.goes_on() {
            let (done, planned) = (done as u64, mutants.len() as u64);
            return Err(LabError::Incomplete { worker: Worker::Mutants, done, planned });
        }
        Ok(results)
    }

    /// Runs the distinct mutants of a set.
    pub(crate) fn run_distinct<T: Send + 'static>(
        &mut self,
        set: &MutantSet<'_>,
        compared: &ComparedMutants<'_>,
        how: &MutantRun<T>,
    ) -> Result<Vec<Option<T>>, LabError> {
        let run = compared.distinct();
        self.done.planned = run.len() as u64;
        self.run(set, &run, how)
    }

    /// How many of these mutants are run next. Compiling cannot be given up, so there are not more than there is time to compile.
    fn next_part(&self, set: &MutantSet<'_>, mutants: &[&Mutant]) -> usize {
        if let Some(compiled) = set.compiled.of_first(mutants, &self.called()) {
            return compiled.mutants.len();
        }
        let timely = self.until.left().map(|left| (left.as_secs_f64() * INSTRUCTIONS_A_SECOND) as usize);
        part_length(&set.all, mutants, timely.unwrap_or(usize::MAX).min(MOST_INSTRUCTIONS))
    }

    /// Runs the mutants of one module.
    fn part<T: Send + 'static>(
        &mut self,
        set: &MutantSet<'_>,
        mutants: &[&Mutant],
        how: &MutantRun<T>,
    ) -> Result<Ended<T>, LabError> {
        let Some(part) = self.prepare(set, mutants)? else {
            return Ok(Ended::Interrupted(mutants.iter().map(|_| None).collect()));
        };
        let part = Arc::new(part);
        let strong = match self.mode() {
            Mode::Classes => self.strong(std::slice::from_ref(&part)),
            _ => Vec::new(),
        };
        let (run, is_alive) = (Arc::clone(&how.run), how.is_alive);
        let run = move |tests: &Tests<'_>, version: &Version<'_>, _: usize, runner: &mut Runner| {
            run(tests, version, runner)
        };
        let mut seen = |progress: &mut MutateProgress, result: &T| {
            progress.done += 1;
            progress.alive += u64::from(is_alive(result));
        };
        self.run_part(&part, &Arc::new(strong), (0..mutants.len()).collect(), run, &mut seen)
    }

    /// Compiles the module of some mutants, if that was not done before, and observes them; `None` where that was interrupted.
    pub(crate) fn prepare(&self, set: &MutantSet<'_>, mutants: &[&Mutant]) -> Result<Option<Part>, LabError> {
        let called = self.called();
        let kept = set.compiled.of_first(mutants, &called).filter(|kept| kept.mutants.len() == mutants.len());
        let compiled = match kept {
            Some(compiled) => compiled,
            None => {
                let Some(compiled) = self.compile(set, mutants, called)? else { return Ok(None) };
                let compiled = Arc::new(compiled);
                set.compiled.keep(&compiled);
                compiled
            }
        };
        let Ended::Done(observed) = self.observe(&compiled)? else { return Ok(None) };
        let changed = mutants.iter().map(|mutant| changed_functions(&set.all, mutant)).collect();
        Ok(Some(Part { compiled, observed, changed }))
    }

    /// Compiles the module of some mutants, for calls of these functions under test. That takes up to minutes and cannot be stopped: on a thread of its own,
    /// which is left to itself when somebody interrupts; then nothing.
    fn compile(
        &self,
        set: &MutantSet<'_>,
        mutants: &[&Mutant],
        called: BTreeSet<usize>,
    ) -> Result<Option<Compiled>, LabError> {
        let plan = Arc::new(Plan::new(&self.workbench.target.module, &set.all, mutants, Form::default()));
        let shared = (Arc::clone(&self.workbench), Arc::clone(&plan), called.clone());
        let load = move |(): &mut (), _| {
            let (workbench, plan, called) = &shared;
            load(workbench, plan, called.clone())
        };
        let until = self.until.without_end();
        let ended = pool::run((Worker::Mutants, 1, 1), |_| (), load, &until, &mut |_| {})?;
        let (Ended::Done(executables), ids) = (ended, mutants.iter().map(|mutant| mutant.id).collect())
        else {
            return Ok(None);
        };
        let instructions = instructions(&set.all, mutants);
        let compiled = |executable| Compiled { mutants: ids, plan, executable, called, instructions };
        Ok(executables.into_iter().next().map(compiled))
    }

    /// The strong tests of the mutants of some modules.
    pub(crate) fn strong(&self, parts: &[Arc<Part>]) -> Vec<Test> {
        let notes: Vec<(&[BatchNotes], &[Notes])> =
            parts.iter().map(|part| (&part.observed[..], &part.compiled.plan.notes[..])).collect();
        strong_tests(&self.suite, &self.baselines, &notes)
    }

    /// Runs some mutants of a module, given by their places in it; `seen` notes the progress.
    pub(crate) fn run_part<T: Send + 'static>(
        &mut self,
        part: &Arc<Part>,
        strong: &Arc<Vec<Test>>,
        places: Vec<usize>,
        run: impl Fn(&Tests<'_>, &Version<'_>, usize, &mut Runner) -> Result<T, LabError> + Send + Sync + 'static,
        seen: &mut dyn FnMut(&mut MutateProgress, &T),
    ) -> Result<Ended<T>, LabError> {
        let (workbench, suite) = (Arc::clone(&self.workbench), Arc::clone(&self.suite));
        let (baselines, pruning, mode) = (Arc::clone(&self.baselines), self.options.pruning, self.mode());
        let (part, strong) = (Arc::clone(part), Arc::clone(strong));
        let executable = part.compiled.executable.clone();
        self.done.stage = MutateStage::Running;
        let mut done = self.done;
        let progress = &mut self.progress;
        let ended = pool::run(
            (Worker::Mutants, self.options.jobs.get(), places.len()),
            move |until| executable.runner().until(until),
            move |runner, number| {
                let tests = Tests {
                    workbench: &workbench,
                    suite: &suite,
                    baselines: &baselines,
                    observed: &part.observed,
                    mode,
                    pruning,
                    strong: &strong,
                };
                let place = places[number];
                let version = Version::Mutant {
                    changed: &part.changed[place],
                    choice: part.compiled.plan.choices[place],
                    notes: &part.compiled.plan.notes[place],
                };
                run(&tests, &version, place, runner)
            },
            &self.until,
            &mut |result: &T| {
                let before = done;
                seen(&mut done, result);
                if done != before {
                    progress(done);
                }
            },
        );
        self.done = done;
        ended
    }

    /// The functions under test that the tests call.
    fn called(&self) -> BTreeSet<usize> {
        self.suite.called(&self.workbench)
    }

    /// Runs the observing version.
    fn observe(&self, compiled: &Compiled) -> Result<Ended<BatchNotes>, LabError> {
        let (workbench, suite) = (Arc::clone(&self.workbench), Arc::clone(&self.suite));
        let (executable, observer) = (compiled.executable.clone(), compiled.plan.observer);
        let note_bits = compiled.plan.variants.note_bits;
        pool::run(
            (Worker::Observation, self.jobs(), suite.batches.len()),
            move |until| executable.runner().until(until),
            move |runner, batch| {
                BatchNotes::run(&workbench, &suite.batches[batch], observer, note_bits, runner)
            },
            &self.until,
            &mut |_| {},
        )
    }
}

/// Compiles the module of a plan, for calls of these functions under test.
fn load(workbench: &Workbench, plan: &Plan, called: BTreeSet<usize>) -> Result<Executable, LabError> {
    let WasmTarget { module, manifest, .. } = &workbench.target;
    // Of a mutant only the outcome counts. It may trap on every test, and looking up the places took an eighth of the time of
    // an analysis of `subjects/fib`.
    let trap_places = TrapPlaces::Unknown;
    let options = Options { trap_places, called: Called::Only(called), ..Options::of(manifest) };
    Executable::load_with_variants(module, &manifest.functions, &options, &plan.variants)
        .map_err(|error| LabError::Mutants(error.to_string()))
}

/// The mutants of one module, with what the observing run noted of them.
pub(crate) struct Part {
    compiled: Arc<Compiled>,
    observed: Vec<BatchNotes>,
    /// For each mutant the functions that it changes.
    changed: Vec<Vec<u32>>,
}

impl Part {
    /// How many mutants there are.
    pub(crate) fn len(&self) -> usize {
        self.changed.len()
    }
}

/// The functions of the module that a mutant changes.
fn changed_functions(all: &Mutants<'_>, mutant: &Mutant) -> Vec<u32> {
    mutant.changes.iter().map(|change| all.function(change).function).collect()
}

/// How many of these mutants fit into one module with copies of at most so many instructions; at least one.
pub(crate) fn part_length(all: &Mutants<'_>, mutants: &[&Mutant], most: usize) -> usize {
    let mut copies = Copies::new(all);
    for (length, mutant) in mutants.iter().enumerate().take(MOST_MUTANTS) {
        copies.add(mutant);
        if length > 0 && copies.instructions > most {
            return length;
        }
    }
    mutants.len().min(MOST_MUTANTS)
}

/// The instructions of the copies of functions in the module of these mutants.
fn instructions(all: &Mutants<'_>, mutants: &[&Mutant]) -> usize {
    let mut copies = Copies::new(all);
    mutants.iter().for_each(|mutant| copies.add(mutant));
    copies.instructions
}

/// Copies of functions: mutants of one place share a copy.
struct Copies<'a, 'w> {
    all: &'a Mutants<'w>,
    places: HashSet<(usize, u32)>,
    instructions: usize,
}

impl<'a, 'w> Copies<'a, 'w> {
    fn new(all: &'a Mutants<'w>) -> Copies<'a, 'w> {
        Copies { all, places: HashSet::new(), instructions: 0 }
    }

    fn add(&mut self, mutant: &Mutant) {
        let change = &mutant.changes[0];
        if self.places.insert((change.function, change.candidate.edits[0].at)) {
            self.instructions += self.all.function(change).instructions.len();
        }
    }
}

#[cfg(test)]
mod tests;
