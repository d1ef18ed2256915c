//! Tests composite relations on inputs that the search has not seen, in the same way as discovered relations.

use std::sync::Arc;

use dodona_generation::{SearchOptions, prove};
use dodona_records::{
    Binding, CheckRecord, CompositionRecord, DiscoveryProof, LayerRecord, ProofVerdict, RefutedRelation,
    RelationRecord, RelationVerdict,
};
use dodona_relations::ast::Relation;
use dodona_sources::Seed;
use dodona_target::{Interruption, Until, Value, splitmix64};
use dodona_workbench::{
    CheckOptions, LabError, LoadedRelation, Regressions, Relations, Workbench, Worker, check::check_until,
    explain,
};

use super::composites::{Candidates, Saying};
use super::composition_tuning::TESTED_AT_ONCE;
use super::{ComposeOptions, ComposeProgress, ComposeStage};
use crate::filter::{FreshInputs, RelationRun, values_by_variable};
use crate::filter_counts::FilterTest;
use crate::near::row_of;
use crate::parallel::each;
use crate::tuning::SEARCH_STARTS;
use crate::watch::{TestPace, Watch};

/// A relation that nothing refuted.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    pub(super) saying: Saying,
    pub(super) held: u64,
    pub(super) ineligible: u64,
    pub(super) proof: DiscoveryProof,
}

/// The results for all relations.
#[derive(Default)]
pub(super) struct Verdicts {
    pub(super) confirmed: Vec<Confirmed>,
    /// The indices of the candidates that were refuted.
    refuted: Vec<usize>,
    /// The indices of the candidates for which no fresh input was eligible.
    untested: Vec<usize>,
    /// The indices of the candidates whose tests did not come to their end.
    unfinished: Vec<usize>,
    /// Relations that an input violates perhaps only because an inner call fails, in the form that does not apply then. They
    /// are tested again.
    again: Vec<Saying>,
    pub(super) examples: Vec<RefutedRelation>,
    pub(super) contradictions: Vec<String>,
}

/// The inputs and options of the tests.
struct Trials<'a> {
    workbench: &'a Workbench,
    options: &'a ComposeOptions,
    interrupted: &'a Interruption,
    until: &'a Until,
}

impl Verdicts {
    /// Runs relations on fresh inputs, searches for inputs that violate them, and tries to prove them if the options ask for
    /// that.
    ///
    /// # Errors
    /// When no input can be drawn or the host fails.
    pub(super) fn of(
        workbench: &Workbench,
        options: &ComposeOptions,
        sayings: Vec<Saying>,
        (interrupted, until): (&Interruption, &Until),
        progress: &mut dyn FnMut(&ComposeProgress),
    ) -> Result<Verdicts, LabError> {
        let mut verdicts = Verdicts::default();
        let trials = Trials { workbench, options, interrupted, until };
        let mut sayings = sayings;
        let mut confirmed = Vec::new();
        // Where the time is bounded, some relations after the other: what there was time for was tested to the end.
        let at_once = if until.left().is_some() { TESTED_AT_ONCE } else { usize::MAX };
        while !sayings.is_empty() && until.goes_on() {
            let rest = sayings.split_off(at_once.min(sayings.len()));
            trials.put(&mut verdicts, sayings, progress)?;
            confirmed.append(&mut verdicts.confirmed);
            sayings = std::mem::take(&mut verdicts.again);
            sayings.extend(rest);
        }
        verdicts.unfinished.extend(sayings.iter().map(|saying| saying.place));
        confirmed.sort_by_key(|one: &Confirmed| one.saying.place);
        Ok(Verdicts { confirmed, ..verdicts })
    }

    /// Counts those that are refuted, untested and unfinished in the records of their layers.
    pub(super) fn count(&self, candidates: &Candidates, layers: &mut [LayerRecord]) {
        self.refuted.iter().for_each(|&place| candidates.count(place, layers, |layer| layer.refuted += 1));
        self.untested.iter().for_each(|&place| candidates.count(place, layers, |layer| layer.untested += 1));
        self.unfinished
            .iter()
            .for_each(|&place| candidates.count(place, layers, |layer| layer.unfinished += 1));
    }

    fn take_check(&mut self, saying: Saying, record: &RelationRecord, fresh: u64) {
        match record.verdict() {
            RelationVerdict::Violated => {
                let input = record.counterexample.as_ref();
                let told = input.map(|c| format!("{}: {}", Binding::list(&c.source), c.why));
                self.refute(&saying, told.unwrap_or_default(), FilterTest::FreshInputs);
            }
            _ if record.sources < fresh => self.unfinished.push(saying.place),
            _ if record.tally.eligible() == 0 => self.untested.push(saying.place),
            _ => self.confirmed.push(Confirmed {
                saying,
                held: record.tally.held,
                ineligible: record.tally.ineligible(),
                proof: DiscoveryProof::TestedOn { groups: record.tally.held },
            }),
        }
    }

    /// Records that an input violates a relation. If an inner call may have failed, the relation is tested again in the form
    /// that does not apply then; otherwise it is refuted.
    pub(super) fn refute(&mut self, saying: &Saying, counterexample: String, test: FilterTest) {
        if let Some(softened) = saying.softened() {
            self.again.push(softened);
            return;
        }
        self.refuted.push(saying.place);
        if self.examples.len() < CompositionRecord::MOST_REFUTED {
            self.examples.push(RefutedRelation {
                text: saying.relation.to_string(),
                counterexample,
                step: test.name().to_owned(),
            });
        }
    }
}

impl Trials<'_> {
    /// Another seed than that of the search, for other inputs.
    fn seed(&self) -> Seed {
        Seed(splitmix64(self.options.seed.0))
    }

    /// Runs all tests on relations.
    fn put(
        &self,
        verdicts: &mut Verdicts,
        sayings: Vec<Saying>,
        progress: &mut dyn FnMut(&ComposeProgress),
    ) -> Result<(), LabError> {
        let relations: Vec<Relation> = sayings.iter().map(|saying| saying.relation.clone()).collect();
        let loaded = self.workbench.about(Relations::of_trees(&relations, self.workbench.functions())?);
        let check = self.check(&loaded, progress)?;
        for (saying, record) in sayings.into_iter().zip(&check.relations) {
            verdicts.take_check(saying, record, self.options.fresh);
        }
        self.search(verdicts, &loaded, progress)?;
        self.prove(verdicts, progress)
    }

    fn check(
        &self,
        loaded: &Arc<Workbench>,
        progress: &mut dyn FnMut(&ComposeProgress),
    ) -> Result<CheckRecord, LabError> {
        let options = CheckOptions {
            sources: self.options.fresh,
            seed: self.seed(),
            jobs: self.options.jobs,
            regressions: Regressions::Ignore,
            ..CheckOptions::default()
        };
        check_until(loaded.clone(), &options, self.until, &mut |p| {
            let stage = ComposeProgress::of(ComposeStage::FreshInputs);
            progress(&ComposeProgress { done: p.run, planned: p.planned, ..stage });
        })
    }

    /// Searches near drawn inputs for an input that violates a relation.
    fn search(
        &self,
        verdicts: &mut Verdicts,
        loaded: &Workbench,
        progress: &mut dyn FnMut(&ComposeProgress),
    ) -> Result<(), LabError> {
        let watch = Watch::start(self.until.left(), self.interrupted);
        let mut searched: Vec<SearchedRelation<'_>> = Vec::new();
        for confirmed in std::mem::take(&mut verdicts.confirmed) {
            let name = &confirmed.saying.relation.name.text;
            let relation = loaded.relations.iter().find(|r| r.relation.name() == name);
            searched.push(SearchedRelation { confirmed, relation, ended: Ok(Searched::Cut) });
        }
        let stage = ComposeProgress::of(ComposeStage::Counterexamples);
        let planned = searched.len() as u64;
        let work = |_: usize, one: &mut SearchedRelation<'_>| one.search(loaded, self.seed(), &watch);
        each(Worker::Confirmation, self.options.jobs.get(), &mut searched, &watch, work, &mut |done| {
            progress(&ComposeProgress { done: done as u64, planned, ..stage });
        })?;
        for SearchedRelation { confirmed, ended, .. } in searched {
            match ended? {
                Searched::Refuted(told) => {
                    verdicts.refute(&confirmed.saying, told, FilterTest::CounterexampleSearch);
                }
                Searched::Cut => verdicts.unfinished.push(confirmed.saying.place),
                Searched::Passed => verdicts.confirmed.push(confirmed),
            }
        }
        Ok(())
    }

    /// Tries to prove relations, if the options ask for that.
    fn prove(
        &self,
        verdicts: &mut Verdicts,
        progress: &mut dyn FnMut(&ComposeProgress),
    ) -> Result<(), LabError> {
        let Some(options) = &self.options.prove else { return Ok(()) };
        let module = dodona_wasm::needed(self.workbench, "a proof")?;
        let all = std::mem::take(&mut verdicts.confirmed);
        let planned = all.len() as u64;
        for (done, mut confirmed) in all.into_iter().enumerate() {
            let stage = ComposeProgress::of(ComposeStage::Proofs);
            progress(&ComposeProgress { done: done as u64, planned, ..stage });
            // Without time for a proof it stays tested.
            if !self.until.goes_on() {
                verdicts.confirmed.push(confirmed);
                continue;
            }
            let relation = std::slice::from_ref(&confirmed.saying.relation);
            let alone = module.with(Relations::of_trees(relation, module.functions())?);
            let share = self.until.share(planned as usize - done).left();
            let time = [options.time, share].into_iter().flatten().min();
            let options = SearchOptions { time, ..options.clone() };
            let record = prove(&alone, &[0], &options, self.interrupted, &mut |_| {})?;
            verdicts.contradictions.extend(record.contradictions);
            let loop_bound = record.loop_bound;
            match record.relations.into_iter().next().map(|proof| (proof.verdict, proof.random_source)) {
                Some((ProofVerdict::Proved { longest }, random_source)) => {
                    confirmed.proof = DiscoveryProof::ProvedWithin { longest, loop_bound, random_source };
                }
                Some((ProofVerdict::Refuted { counterexample }, _)) => {
                    let told = format!("{}: {}", Binding::list(&counterexample.source), counterexample.why);
                    verdicts.refute(&confirmed.saying, told, FilterTest::SymbolicExecution);
                    continue;
                }
                _ => {}
            }
            verdicts.confirmed.push(confirmed);
        }
        Ok(())
    }
}

/// A relation, and the result of the search for an input that violates it.
struct SearchedRelation<'l> {
    confirmed: Confirmed,
    relation: Option<&'l LoadedRelation>,
    /// How the search ended, or why it failed.
    ended: Result<Searched, LabError>,
}

/// How the search for an input that violates a relation ended.
enum Searched {
    /// With such an input, and what it does.
    Refuted(String),
    /// It found none.
    Passed,
    /// It was given up, or there was no time to begin it.
    Cut,
}

impl SearchedRelation<'_> {
    fn search(&mut self, workbench: &Workbench, seed: Seed, watch: &Watch<'_>) {
        self.ended = match self.relation.and_then(|r| Some((r, only_function(r)?))) {
            Some((relation, function)) => searched(workbench, relation, function, seed, watch),
            None => Ok(Searched::Passed),
        };
    }
}

/// The result of the search for an input that violates a relation of one function.
fn searched(
    workbench: &Workbench,
    relation: &LoadedRelation,
    function: usize,
    seed: Seed,
    watch: &Watch<'_>,
) -> Result<Searched, LabError> {
    if !watch.may_go_on() {
        return Ok(Searched::Cut);
    }
    let fresh = FreshInputs { workbench, function, seed };
    // If no inputs that are far from each other can be drawn, the search has nowhere to start.
    let starts = fresh.adaptive(SEARCH_STARTS).unwrap_or_default();
    let rows = starts.first().map_or(0, dodona_target::Column::len);
    let starts: Vec<Vec<Value>> = (0..rows).map(|row| row_of(&starts, row)).collect();
    let mut caller = workbench.caller();
    let pace = TestPace::start(watch, None);
    let RelationRun { refuted, is_cut, .. } = fresh.search(relation, &starts, &mut caller, &pace)?;
    let Some(values) = refuted else { return Ok(if is_cut { Searched::Cut } else { Searched::Passed }) };
    let values = values_by_variable(relation, &values);
    let source = Binding::list(&explain::source(relation, &values));
    match explain::tell(workbench, relation, 0, &values, &mut caller) {
        Ok(told) => Ok(Searched::Refuted(format!("{source}: {}", told.why))),
        // That the relation is refuted is known. There is no time to find out how.
        Err(error) if error.is_stopped() => Ok(Searched::Refuted(source)),
        Err(error) => Err(error),
    }
}

/// The function whose parameters the variables of a relation are drawn for, each parameter once. `None` if there are several
/// functions, or a second source input.
fn only_function(relation: &LoadedRelation) -> Option<usize> {
    let variables = relation.relation.variables();
    let function = variables.first()?.function;
    let is_its_own = |place: usize| {
        let variable = &variables[place];
        variable.function == function && variables[..place].iter().all(|v| v.parameter != variable.parameter)
    };
    (0..variables.len()).all(is_its_own).then_some(function)
}
