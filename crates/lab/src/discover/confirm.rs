//! The relations that were chosen, put to the test: many new inputs, a search for a counterexample, symbolic execution
//! (section 7 of the study; the last two in place of OASIs).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dodona_evidence::{DiscoveryProof, FilterStep, ProofVerdict};
use dodona_relations::{evaluate_expression, parse_expression};
use dodona_subject::{Column, Value};

use super::candidate;
use super::choose::Chosen;
use super::filter::{Fresh, Ran};
use super::parallel::each;
use super::search::Searches;
use super::{DiscoverProgress, Stage};
use crate::{LabError, LoadedRelation, SearchOptions, Workbench, prove};

/// Source inputs that the search for a counterexample starts from.
const STARTS: usize = 24;

/// Where each call gets a fresh instance, a relation is run on one in so many new inputs.
const DEARER: u64 = 5;

/// The part of the new inputs that a relation is run on even when the time is over.
const LEAST: u64 = 10;

/// What is known of a relation that was chosen.
#[derive(Clone)]
pub(super) struct Confirmed {
    pub(super) chosen: Chosen,
    pub(super) loaded: Arc<LoadedRelation>,
    /// Groups that were run after the search, all together.
    pub(super) held: u64,
    pub(super) ineligible: u64,
    pub(super) proof: DiscoveryProof,
}

/// One relation under test.
struct Trial {
    confirmed: Confirmed,
    refuted: Option<(&'static str, Vec<Value>)>,
    failed: Option<LabError>,
    /// How many steps it passed.
    passed: usize,
    /// Whether there was time and a solver for a proof.
    is_put_to_proof: bool,
}

/// New inputs: so many, as long as there is time.
struct NewInputs<'a> {
    fresh: &'a Fresh<'a>,
    rows: u64,
    go_on: &'a dyn Fn(&Ran) -> bool,
}

/// What each step was given and passed on.
pub(super) struct Steps {
    pub(super) fresh: FilterStep,
    pub(super) search: FilterStep,
    pub(super) symbolic: FilterStep,
    /// The relations that passed all.
    passed: Vec<Confirmed>,
}

const FRESH: &str = "many fresh inputs";
const SEARCH: &str = "counterexample search";
const SYMBOLIC: &str = "symbolic execution";

impl Steps {
    pub(super) fn new() -> Steps {
        let step = |name: &str| FilterStep { name: name.to_owned(), tried: 0, passed: 0 };
        Steps { fresh: step(FRESH), search: step(SEARCH), symbolic: step(SYMBOLIC), passed: Vec::new() }
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

/// Puts relations to the test. Those that are refuted are handed to their searches; the others are given back, in their order.
pub(super) fn confirm(
    searches: &mut Searches<'_>,
    all: &[Chosen],
    starts: &[Column],
    steps: &mut Steps,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<Vec<Confirmed>, LabError> {
    let (mut confirmed, mut trials) = (Vec::new(), Vec::new());
    for chosen in all.iter().cloned() {
        // What passed before passes again.
        if let Some(before) = steps.passed.iter().find(|passed| passed.chosen.relation == chosen.relation) {
            confirmed.push(Confirmed { chosen, ..before.clone() });
            continue;
        }
        let loaded = Arc::new(candidate::load(searches.workbench, &chosen.relation)?);
        let proof = DiscoveryProof::TestedOn { groups: 0 };
        let confirmed = Confirmed { chosen, loaded, held: 0, ineligible: 0, proof };
        trials.push(Trial { confirmed, refuted: None, failed: None, passed: 0, is_put_to_proof: false });
    }
    let starts = starts_of(starts);
    let fresh = searches.fresh("confirm");
    let workbench = searches.workbench;
    let rows = match workbench.executable.isolation(searches.function).is_reused() {
        // Somebody waits: what was found is kept, on the evidence that a moment gives.
        _ if searches.watch.is_interrupted() => searches.options.fresh / 100,
        true => searches.options.fresh,
        false => searches.options.fresh.div_ceil(DEARER),
    };
    let before = searches.told(Stage::Filter, 0, trials.len() as u64);
    let jobs = searches.options.jobs.get();
    let rounds = trials.len().div_ceil(jobs).max(1) as u32;
    let watch = searches.watch;
    let slice = watch.left_for_tests().map(|left| left / rounds);
    each(
        jobs,
        &mut trials,
        |_, trial| {
            let started = Instant::now();
            let go_on = |ran: &Ran| {
                let is_over = slice.is_some_and(|slice| started.elapsed() >= slice);
                let is_enough = ran.drawn >= (rows / LEAST).max(1);
                if is_over && is_enough {
                    watch.decides();
                }
                !(is_over && is_enough)
            };
            trial.test(workbench, &NewInputs { fresh: &fresh, rows, go_on: &go_on }, &starts);
        },
        &mut |done| progress(&DiscoverProgress { done: done as u64, ..before }),
    );
    let prove = searches.options.prove.as_ref();
    let count = trials.len();
    for (done, mut trial) in trials.into_iter().enumerate() {
        if let Some(error) = trial.failed {
            return Err(error);
        }
        progress(&searches.told(Stage::Proof, done as u64, count as u64));
        if let (Some(how), None) = (prove, &trial.refuted) {
            let left = searches.watch.left().map(|left| left / (count - done) as u32);
            let started = Instant::now();
            trial.prove(workbench, how, left, searches.interrupted)?;
            if left.is_some_and(|left| started.elapsed() >= left) {
                watch.decides();
            }
        }
        steps.count(trial.passed, trial.is_put_to_proof);
        match trial.refuted {
            Some((step, values)) => {
                let Confirmed { chosen, loaded, .. } = &trial.confirmed;
                searches.refute(chosen.tried, loaded, &values, step)?;
            }
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

/// Some source inputs, spread evenly over all.
fn starts_of(columns: &[Column]) -> Vec<Vec<Value>> {
    let rows = columns.first().map_or(0, Column::len);
    let step = rows.div_ceil(STARTS).max(1);
    (0..rows).step_by(step).map(|row| columns.iter().map(|c| c.value(row)).collect()).collect()
}

impl Trial {
    fn test(&mut self, workbench: &Workbench, inputs: &NewInputs<'_>, starts: &[Vec<Value>]) {
        let mut caller = workbench.caller();
        let loaded = &self.confirmed.loaded;
        for (step, name) in [FRESH, SEARCH].into_iter().enumerate() {
            let ran = match step {
                0 => inputs.fresh.run(loaded, inputs.rows, &mut caller, inputs.go_on),
                _ => inputs.fresh.search(loaded, starts, &mut caller),
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

    /// Puts the relation to proof, within the time that is left for it.
    fn prove(
        &mut self,
        workbench: &Workbench,
        how: &SearchOptions,
        left: Option<Duration>,
        interrupted: &AtomicBool,
    ) -> Result<(), LabError> {
        let time = [how.time, left].into_iter().flatten().min();
        if time.is_some_and(|time| time.is_zero()) {
            return Ok(());
        }
        let options = SearchOptions { time, ..how.clone() };
        let alone = workbench.with_relations(self.confirmed.loaded.relation.text())?;
        let record = match prove(&alone, &[0], &options, interrupted, &mut |_| {}) {
            Ok(record) => record,
            // Without a solver there is no proof, and what was tested stays tested.
            Err(LabError::Solver(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.is_put_to_proof = true;
        self.passed += 1;
        let loop_bound = record.loop_bound;
        match record.relations.into_iter().next().map(|r| r.verdict) {
            Some(ProofVerdict::Proved { longest }) => {
                self.confirmed.proof = DiscoveryProof::ProvedWithin { longest, loop_bound };
            }
            Some(ProofVerdict::Refuted { counterexample }) => {
                if let Some(values) = values(workbench, &self.confirmed, &counterexample.source) {
                    self.passed -= 1;
                    self.refuted = Some((SYMBOLIC, values));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The source input of a counterexample, a value a parameter, out of its literals.
fn values(
    workbench: &Workbench,
    confirmed: &Confirmed,
    source: &[dodona_evidence::Binding],
) -> Option<Vec<Value>> {
    let functions = &workbench.manifest.functions;
    let variable = confirmed.loaded.relation.variables().first()?;
    let literal = |name: &str| -> Option<Value> {
        let binding = source.iter().find(|b| b.name == name)?;
        let expression = parse_expression(&binding.value).ok()?;
        evaluate_expression(&expression, functions, &mut workbench.caller()).ok()?.value
    };
    functions[variable.function].parameters.iter().map(|p| literal(&p.name)).collect()
}
