//! Tests of the chosen relations: many new inputs, a search for a counterexample, and symbolic execution (section 7 of GenMorph;
//! the last two replace OASIs).

use std::sync::Arc;
use std::time::Duration;

use dodona_evidence::{DiscoveryProof, FilterStep, ProofVerdict};
use dodona_generation::{SearchOptions, prove};
use dodona_subject::{Column, Value};
use dodona_workbench::{Interruption, LabError, LoadedRelation, SubjectCaller, Workbench, Worker};

use crate::candidate;
use crate::chosen::Chosen;
use crate::counterexample::values;
use crate::filter::{Fresh, Ran};
use crate::parallel::each;
use crate::search::Searches;
use crate::watch::{Pace, TEST_END, Watch};
use crate::{DiscoverProgress, Stage};

/// How many source inputs the search for a counterexample starts from.
const STARTS: usize = 24;

/// If each call gets a fresh instance, a relation is run on only one in `DEARER` of the new inputs.
const DEARER: u64 = 5;

/// A relation is run on one in `LEAST` of the new inputs even when the time is up.
const LEAST: u64 = 10;

/// How many of the new inputs are chosen to be far from each other.
const ADAPTIVE: usize = 100;

/// A chosen relation, and the results of its tests.
#[derive(Clone)]
pub(super) struct Confirmed {
    pub(super) chosen: Chosen,
    pub(super) loaded: Arc<LoadedRelation>,
    /// How many groups were run after the search, by all tests together.
    pub(super) held: u64,
    pub(super) ineligible: u64,
    pub(super) proof: DiscoveryProof,
}

/// One relation under test.
struct Trial {
    confirmed: Confirmed,
    /// The parts of a relation that is a conjunction: the search for a counterexample violates one comparison at a time.
    parts: Vec<LoadedRelation>,
    refuted: Option<(&'static str, Vec<Value>)>,
    failed: Option<LabError>,
    /// How many steps the relation passed.
    passed: usize,
    /// Whether there was time and a solver to try a proof.
    is_put_to_proof: bool,
}

/// New inputs for the tests.
struct NewInputs<'a> {
    fresh: &'a Fresh<'a>,
    /// Inputs that are far from each other.
    adaptive: Vec<Column>,
    /// How many inputs are drawn as samples, and how many at least if there is less time.
    rows: (u64, u64),
    /// Where the search for a counterexample starts.
    starts: Vec<Vec<Value>>,
    watch: &'a Watch<'a>,
    /// The time for one relation.
    slice: Option<Duration>,
}

/// How many relations each step was given and how many it passed on.
pub(super) struct Steps {
    pub(super) fresh: FilterStep,
    pub(super) search: FilterStep,
    pub(super) symbolic: FilterStep,
    /// The relations that passed all steps.
    passed: Vec<Confirmed>,
    /// Proofs that a run contradicts.
    pub(super) contradictions: Vec<String>,
}

const FRESH: &str = "many fresh inputs";
const SEARCH: &str = "counterexample search";
const SYMBOLIC: &str = "symbolic execution";

impl Steps {
    pub(super) fn new() -> Steps {
        let step = |name: &str| FilterStep { name: name.to_owned(), tried: 0, passed: 0 };
        Steps {
            fresh: step(FRESH),
            search: step(SEARCH),
            symbolic: step(SYMBOLIC),
            passed: Vec::new(),
            contradictions: Vec::new(),
        }
    }

    fn count(&mut self, passed: usize, is_proof_tried: bool) {
        let steps = [&mut self.fresh, &mut self.search, &mut self.symbolic];
        let tried = if is_proof_tried { 3 } else { 2 };
        for (place, step) in steps.into_iter().enumerate().take(tried) {
            step.tried += u64::from(passed >= place);
            step.passed += u64::from(passed > place);
        }
    }
}

/// Tests relations. The refuted relations are reported to their searches; the others are returned in their order.
pub(super) fn confirm(
    searches: &mut Searches<'_>,
    all: &[Chosen],
    starts: &[Column],
    steps: &mut Steps,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<Vec<Confirmed>, LabError> {
    let (mut confirmed, mut trials) = (Vec::new(), Vec::new());
    for chosen in all.iter().cloned() {
        // A relation that passed before passes again.
        match steps.passed.iter().find(|passed| passed.chosen.relation == chosen.relation) {
            Some(before) => confirmed.push(Confirmed { chosen, ..before.clone() }),
            None => trials.push(Trial::new(searches.target.workbench, chosen)?),
        }
    }
    run(searches, &mut trials, starts, progress)?;
    let count = trials.len();
    for (done, mut trial) in trials.into_iter().enumerate() {
        if let Some(error) = trial.failed {
            return Err(error);
        }
        progress(&searches.told(Stage::Proof, done as u64, count as u64));
        steps.contradictions.extend(trial.put_to_proof(searches, (count - done) as u32)?);
        steps.count(trial.passed, trial.is_put_to_proof);
        match trial.refuted {
            Some((step, values)) => {
                let Confirmed { chosen, loaded, .. } = &trial.confirmed;
                searches.refute(chosen.tried, loaded, &values, step)?;
            }
            // A relation that held on no group was not tested: there was no time, or every follow-up call failed or was ineligible.
            None if trial.confirmed.proof == (DiscoveryProof::TestedOn { groups: 0 }) => {}
            None => {
                steps.passed.push(trial.confirmed.clone());
                confirmed.push(trial.confirmed);
            }
        }
    }
    let place = |one: &Confirmed| all.iter().position(|c| c.relation == one.chosen.relation);
    confirmed.sort_by_key(place);
    Ok(confirmed)
}

/// Runs relations on new inputs, several at a time.
fn run(
    searches: &Searches<'_>,
    trials: &mut [Trial],
    starts: &[Column],
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<(), LabError> {
    let fresh = searches.fresh("confirm");
    let (workbench, watch) = (searches.target.workbench, searches.watch);
    let rows = match workbench.executable.isolation(searches.target.function).is_reused() {
        // After an interruption the user waits: relations are kept with the evidence of a few inputs.
        _ if watch.is_interrupted() => searches.options.fresh / 100,
        true => searches.options.fresh,
        false => searches.options.fresh.div_ceil(DEARER),
    };
    let rows = searches.budget.fresh(rows);
    let before = searches.told(Stage::Filter, 0, trials.len() as u64);
    let jobs = searches.options.jobs.get();
    let rounds = trials.len().div_ceil(jobs).max(1) as u32;
    let inputs = NewInputs {
        fresh: &fresh,
        // If no inputs can be drawn, there were none for the search either, and a warning says so.
        adaptive: fresh.adaptive(ADAPTIVE).unwrap_or_default(),
        rows: (rows, (rows / LEAST).max(1)),
        starts: starts_of(starts),
        watch,
        slice: watch.left_for_tests().map(|left| left / rounds),
    };
    let test = |_: usize, trial: &mut Trial| trial.test(workbench, &inputs);
    each((Worker::Confirmation, jobs), trials, watch, test, &mut |done| {
        progress(&DiscoverProgress { done: done as u64, ..before })
    })
}

/// The parts of a relation, each as a relation of its own.
fn parts(workbench: &Workbench, chosen: &Chosen) -> Result<Vec<LoadedRelation>, LabError> {
    let candidate = &chosen.candidate;
    let parts = match candidate.parts.len() {
        0 | 1 => vec![chosen.relation.clone()],
        _ => {
            let part = |part| candidate::part(candidate, part, &workbench.manifest.functions);
            candidate.parts.iter().filter_map(part).collect()
        }
    };
    parts.iter().map(|part| candidate::load(workbench, part)).collect()
}

/// Some source inputs, evenly spread.
fn starts_of(columns: &[Column]) -> Vec<Vec<Value>> {
    let rows = columns.first().map_or(0, Column::len);
    let step = rows.div_ceil(STARTS).max(1);
    (0..rows).step_by(step).map(|row| columns.iter().map(|c| c.value(row)).collect()).collect()
}

impl Trial {
    fn new(workbench: &Workbench, chosen: Chosen) -> Result<Trial, LabError> {
        let loaded = Arc::new(candidate::load(workbench, &chosen.relation)?);
        let parts = parts(workbench, &chosen)?;
        let proof = DiscoveryProof::TestedOn { groups: 0 };
        let confirmed = Confirmed { chosen, loaded, held: 0, ineligible: 0, proof };
        Ok(Trial { confirmed, parts, refuted: None, failed: None, passed: 0, is_put_to_proof: false })
    }

    /// Tries to prove a relation that no input refuted, in its share of the time that is left for so many relations; returns the runs that
    /// contradict a proof.
    fn put_to_proof(&mut self, searches: &Searches<'_>, relations: u32) -> Result<Vec<String>, LabError> {
        let (Some(how), None) = (&searches.options.prove, &self.refuted) else { return Ok(Vec::new()) };
        let watch = searches.watch;
        let left = watch.until(TEST_END).left().map(|left| left / relations);
        // After an interruption there are no proofs.
        let left = if watch.is_interrupted() { Some(Duration::ZERO) } else { left };
        let slice = [how.time, left].into_iter().flatten().min();
        let pace = Pace::start(watch, slice);
        let how = SearchOptions { time: slice, ..how.clone() };
        let contradictions = self.prove(searches.target.workbench, &how, searches.interrupted)?;
        pace.end();
        Ok(contradictions)
    }

    fn test(&mut self, workbench: &Workbench, inputs: &NewInputs<'_>) {
        let mut caller = workbench.caller();
        let pace = Pace::start(inputs.watch, inputs.slice);
        for name in [FRESH, SEARCH] {
            let ran = match name {
                FRESH => self.run(inputs, &mut caller, &pace),
                _ => self.search(inputs, &mut caller, &pace),
            };
            match ran {
                Ok(Ran { refuted: Some(values), .. }) => {
                    self.refuted = Some((name, values));
                    return;
                }
                Ok(Ran { held, ineligible, .. }) => {
                    self.confirmed.held += held;
                    self.confirmed.ineligible += ineligible;
                    self.passed += 1;
                }
                Err(error) => {
                    self.failed = Some(error);
                    return;
                }
            }
        }
        self.confirmed.proof = DiscoveryProof::TestedOn { groups: self.confirmed.held };
    }

    /// Runs the relation on new inputs.
    fn run(
        &self,
        inputs: &NewInputs<'_>,
        caller: &mut SubjectCaller,
        pace: &Pace<'_>,
    ) -> Result<Ran, LabError> {
        let loaded = &self.confirmed.loaded;
        let far = inputs.fresh.run_on(loaded, &inputs.adaptive, caller, pace)?;
        if far.refuted.is_some() || far.is_cut {
            return Ok(far);
        }
        let ran = inputs.fresh.run(loaded, inputs.rows, caller, pace)?;
        Ok(Ran { held: ran.held + far.held, ineligible: ran.ineligible + far.ineligible, ..ran })
    }

    /// Searches for an input that violates the relation, for one of its parts after the other.
    fn search(
        &self,
        inputs: &NewInputs<'_>,
        caller: &mut SubjectCaller,
        pace: &Pace<'_>,
    ) -> Result<Ran, LabError> {
        let mut all = Ran::default();
        for part in &self.parts {
            let ran = inputs.fresh.search(part, &inputs.starts, caller, pace)?;
            if ran.refuted.is_some() {
                return Ok(ran);
            }
            // Groups of one part do not count as groups of the relation.
            if self.parts.len() == 1 {
                all = ran;
            }
        }
        Ok(all)
    }

    /// Tries to prove the relation; returns the runs that contradict a proof.
    fn prove(
        &mut self,
        workbench: &Workbench,
        how: &SearchOptions,
        interrupted: &Interruption,
    ) -> Result<Vec<String>, LabError> {
        if how.time.is_some_and(|time| time.is_zero()) {
            return Ok(Vec::new());
        }
        let alone = workbench.with_relations(self.confirmed.loaded.relation.text())?;
        let record = match prove(&alone, &[0], how, interrupted, &mut |_| {}) {
            Ok(record) => record,
            // Without a solver there is no proof, but the tests still count.
            Err(LabError::Solver(_)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        self.is_put_to_proof = true;
        self.passed += 1;
        let loop_bound = record.loop_bound;
        match record.relations.into_iter().next().map(|r| (r.verdict, r.random_source)) {
            Some((ProofVerdict::Proved { longest }, random_source)) => {
                let proof = DiscoveryProof::ProvedWithin { longest, loop_bound, random_source };
                self.confirmed.proof = proof;
            }
            Some((ProofVerdict::Refuted { counterexample }, _)) => {
                if let Some(values) = values(workbench, &self.confirmed.loaded, &counterexample.source) {
                    self.passed -= 1;
                    self.refuted = Some((SYMBOLIC, values));
                }
            }
            _ => {}
        }
        Ok(record.contradictions)
    }
}
