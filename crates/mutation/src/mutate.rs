//! Mutation analysis: first the baseline of the original, then one observing run, and then each mutant on the tests that infect
//! it.

use std::sync::Arc;

use dodona_evidence::{CheckRecord, Mode, RelationVerdict};
use dodona_execute::{Executable, Interruption, Options, Runner, TrapPlaces, Until};
use dodona_mutants::{Form, Mutant, Mutants, Notes, Plan};
use dodona_workbench::check::check_until;
use dodona_workbench::pool::{self, Ended};
use dodona_workbench::{LabError, Workbench, Worker};

use crate::baseline::Baseline;
use crate::late::Late;
use crate::observe::BatchNotes;
use crate::run::{MutantResult, Tests, Version};
use crate::set::{ComparedMutants, MutantSet};
use crate::strong::{Test, strong_tests};
use crate::suite::Suite;
use crate::{KeepMatrix, MutateOptions, MutateOutcome, MutateProgress, late, record, suite};

/// The most mutants of one module, and the most instructions that the copies of functions in it may have. More mutants are run
/// in parts, so that memory stays bounded.
const MOST_MUTANTS: usize = 4096;
const MOST_INSTRUCTIONS: usize = 2_000_000;

const NONE_ELIGIBLE: &str = "no test is eligible, so that nothing would be run: each input is outside the domains, or not what \
    `requires` or the condition of a relation allows";

/// Seeds faults into the functions under test and runs them against relations, a suite of inputs, or both.
/// The result depends on the options and the seed, not on the number of threads.
///
/// # Errors
/// When a function or relation is not there, inputs cannot be read or drawn, or the host fails.
pub fn mutate(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<MutateOutcome, LabError> {
    let set = MutantSet::generate(workbench, options)?;
    let until = Until::interrupted(interrupted);
    let (mut analysis, mut warnings) = match begin(workbench, &set, options, &until, progress)? {
        Begun::BaselineViolated(record) => return Ok(MutateOutcome::BaselineViolated(record)),
        Begun::Ready(analysis, warnings) => (*analysis, warnings),
    };
    let asked = set.asked();
    let mut compare = |mutants| set.compare(workbench, mutants, options, &until, &mut warnings);
    let Late { compared, results, in_vain } = match late::pays(&analysis, &set, &asked) {
        true => late::run(&mut analysis, &set, asked, compare)?,
        false => {
            let compared = compare(asked)?;
            let results = analysis.run_distinct(&set, &compared, &to_kills())?;
            Late { compared, results, in_vain: 0 }
        }
    };
    let Analysis { suite, baselines, .. } = analysis;
    let kind = record::Kept::Run;
    let found = record::AnalysisResults { set: &set, compared, results, warnings, in_vain, kind };
    record::outcome(workbench, options, &suite, &baselines, found)
}

/// Runs each mutant until it is killed as the options ask for.
fn to_kills() -> MutantRun<MutantResult> {
    MutantRun { run: Arc::new(|tests, version, runner| tests.run(version, runner)), is_alive }
}

/// Whether no test killed a mutant.
pub(crate) fn is_alive(result: &MutantResult) -> bool {
    result.kills.iter().all(Option::is_none)
}

/// [`mutate`] with the mutants of a set that was generated before, and with an end in time. `compare` is called once the
/// relations are known to hold on the original. It returns which mutants are run, and may add warnings. The workbench may have
/// other relations than that of the set.
///
/// # Errors
/// As [`mutate`].
pub fn mutate_set<'s>(
    workbench: &Arc<Workbench>,
    set: &'s MutantSet<'_>,
    compare: impl FnOnce(&mut Vec<String>) -> Result<ComparedMutants<'s>, LabError>,
    options: &MutateOptions,
    until: &Until,
    progress: &mut dyn FnMut(MutateProgress),
) -> Result<MutateOutcome, LabError> {
    let ran = match run_set(workbench, set, compare, options, until, progress, &to_kills())? {
        SetRun::BaselineViolated(record) => return Ok(MutateOutcome::BaselineViolated(record)),
        SetRun::Done(ran) => ran,
    };
    let Ran { suite, baselines, compared, results, warnings } = *ran;
    let found =
        record::AnalysisResults { set, compared, results, warnings, in_vain: 0, kind: record::Kept::Run };
    record::outcome(workbench, options, &suite, &baselines, found)
}

/// The result of running the mutants of a set.
pub(crate) enum SetRun<'s, T> {
    /// A relation is violated on the original.
    BaselineViolated(Box<CheckRecord>),
    /// They were run.
    Done(Box<Ran<'s, T>>),
}

/// The results of running the mutants of a set.
pub(crate) struct Ran<'s, T> {
    /// The tests.
    pub suite: Arc<Suite>,
    /// What the original did in each batch.
    pub baselines: Arc<Vec<Baseline>>,
    /// The mutants, with what their optimised code shows.
    pub compared: ComparedMutants<'s>,
    /// The results of the distinct mutants; `None` for mutants that were not run before an interruption.
    pub results: Vec<Option<T>>,
    /// What went wrong beside the results.
    pub warnings: Vec<String>,
}

/// Runs the original, the observing version, and then the distinct mutants of a set, each in the given way.
pub(crate) fn run_set<'s, T: Send + 'static>(
    workbench: &Arc<Workbench>,
    set: &'s MutantSet<'_>,
    compare: impl FnOnce(&mut Vec<String>) -> Result<ComparedMutants<'s>, LabError>,
    options: &MutateOptions,
    until: &Until,
    progress: &mut dyn FnMut(MutateProgress),
    how: &MutantRun<T>,
) -> Result<SetRun<'s, T>, LabError> {
    let (mut analysis, mut warnings) = match begin(workbench, set, options, until, progress)? {
        Begun::BaselineViolated(record) => return Ok(SetRun::BaselineViolated(record)),
        Begun::Ready(analysis, warnings) => (*analysis, warnings),
    };
    let compared = compare(&mut warnings)?;
    let results = analysis.run_distinct(set, &compared, how)?;
    let Analysis { suite, baselines, .. } = analysis;
    Ok(SetRun::Done(Box::new(Ran { suite, baselines, compared, results, warnings })))
}

/// An analysis before the first mutant is run.
enum Begun<'a> {
    /// A relation is violated on the original.
    BaselineViolated(Box<CheckRecord>),
    /// The original was run. With warnings.
    Ready(Box<Analysis<'a>>, Vec<String>),
}

/// Checks that the relations hold on the original, makes the tests, and runs the original on them.
fn begin<'a>(
    workbench: &Arc<Workbench>,
    set: &MutantSet<'_>,
    options: &'a MutateOptions,
    until: &Until,
    progress: &'a mut dyn FnMut(MutateProgress),
) -> Result<Begun<'a>, LabError> {
    let mut warnings = Vec::new();
    let relations = set.selection.relations(workbench, options, &mut warnings)?;
    if !relations.is_empty() {
        let mut wanted = suite::check_options(options);
        wanted.relations = workbench.relation_names(&relations);
        let record = check_until(workbench, &wanted, until, &mut |_| {})?;
        if record.relations.iter().any(|r| r.verdict() == RelationVerdict::Violated) {
            return Ok(Begun::BaselineViolated(Box::new(record)));
        }
    }
    let suite = Suite::new(workbench, options, set.functions(), &relations, &mut warnings)?;
    let mut analysis = Analysis {
        workbench: Arc::clone(workbench),
        options,
        suite: Arc::new(suite),
        baselines: Arc::new(Vec::new()),
        until: until.clone(),
        done: MutateProgress { done: 0, planned: 0, alive: 0 },
        progress,
    };
    analysis.baseline()?;
    if analysis.calls_nothing() {
        return Err(LabError::Sources(NONE_ELIGIBLE.to_owned()));
    }
    Ok(Begun::Ready(Box::new(analysis), warnings))
}

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
    fn mode(&self) -> Mode {
        match self.options.keep_matrix {
            KeepMatrix::Yes => Mode::Matrix,
            KeepMatrix::No => self.options.mode,
        }
    }

    /// Runs the original.
    pub fn baseline(&mut self) -> Result<(), LabError> {
        let (workbench, suite) = (Arc::clone(&self.workbench), Arc::clone(&self.suite));
        let executable = workbench.executable.clone();
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
    fn calls_nothing(&self) -> bool {
        !self.baselines.is_empty() && self.baselines.iter().all(|baseline| baseline.calls_made == 0)
    }

    /// Runs mutants, those of one module at a time; `None` for mutants that were not run before an interruption.
    pub fn run<T: Send + 'static>(
        &mut self,
        all: &Mutants<'_>,
        mutants: &[&Mutant],
        how: &MutantRun<T>,
    ) -> Result<Vec<Option<T>>, LabError> {
        let mut results = Vec::with_capacity(mutants.len());
        let mut rest = mutants;
        let ready = self.baselines.len() == self.suite.batches.len();
        while ready && !rest.is_empty() && self.until.goes_on() {
            let part;
            (part, rest) = rest.split_at(part_length(all, rest));
            match self.part(all, part, how)? {
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
    fn run_distinct<T: Send + 'static>(
        &mut self,
        set: &MutantSet<'_>,
        compared: &ComparedMutants<'_>,
        how: &MutantRun<T>,
    ) -> Result<Vec<Option<T>>, LabError> {
        let run = compared.distinct();
        self.done.planned = run.len() as u64;
        self.run(&set.all, &run, how)
    }

    /// Runs the mutants of one module.
    fn part<T: Send + 'static>(
        &mut self,
        all: &Mutants<'_>,
        mutants: &[&Mutant],
        how: &MutantRun<T>,
    ) -> Result<Ended<T>, LabError> {
        let Some(part) = self.prepare(all, mutants)? else {
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

    /// Compiles the module of some mutants and observes them; `None` where that was interrupted.
    pub(crate) fn prepare(&self, all: &Mutants<'_>, mutants: &[&Mutant]) -> Result<Option<Part>, LabError> {
        let plan = Plan::new(&self.workbench.module, all, mutants, Form::default());
        let executable = self.load(&plan)?;
        let Ended::Done(observed) = self.observe(&executable, &plan)? else { return Ok(None) };
        let changed = mutants.iter().map(|mutant| changed_functions(all, mutant)).collect();
        Ok(Some(Part { executable, plan, observed, changed }))
    }

    /// The strong tests of the mutants of some modules.
    pub(crate) fn strong(&self, parts: &[Arc<Part>]) -> Vec<Test> {
        let notes: Vec<(&[BatchNotes], &[Notes])> =
            parts.iter().map(|part| (&part.observed[..], &part.plan.notes[..])).collect();
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
        let executable = part.executable.clone();
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
                let version = Version {
                    changed: &part.changed[place],
                    choice: part.plan.choices[place],
                    notes: &part.plan.notes[place],
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

    /// Compiles the module of a plan.
    fn load(&self, plan: &Plan) -> Result<Executable, LabError> {
        let Workbench { module, manifest, .. } = &*self.workbench;
        // Of a mutant only the outcome counts. It may trap on every test, and looking up the places took an eighth of the time of
        // an analysis of `subjects/fib`.
        let trap_places = TrapPlaces::Unknown;
        let options = Options { limits: manifest.limits, allocator: manifest.allocator.clone(), trap_places };
        Executable::load_with_variants(module, &manifest.functions, &options, &plan.variants)
            .map_err(|error| LabError::Mutants(error.to_string()))
    }

    /// Runs the observing version.
    fn observe(&self, executable: &Executable, plan: &Plan) -> Result<Ended<BatchNotes>, LabError> {
        let (workbench, suite) = (Arc::clone(&self.workbench), Arc::clone(&self.suite));
        let (executable, observer) = (executable.clone(), plan.observer);
        let note_bits = plan.variants.note_bits;
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

/// The mutants of one module, with what the observing run noted of them.
pub(crate) struct Part {
    executable: Executable,
    plan: Plan,
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

/// How many of these mutants fit into one module.
pub(crate) fn part_length(all: &Mutants<'_>, mutants: &[&Mutant]) -> usize {
    let mut instructions = 0;
    let mut places = std::collections::HashSet::new();
    for (length, mutant) in mutants.iter().enumerate().take(MOST_MUTANTS) {
        let change = &mutant.changes[0];
        if places.insert((change.function, change.candidate.edits[0].at)) {
            instructions += all.function(change).instructions.len();
        }
        if length > 0 && instructions > MOST_INSTRUCTIONS {
            return length;
        }
    }
    mutants.len().min(MOST_MUTANTS)
}
