//! The tests of one chosen relation: many new inputs, a search for a counterexample, and symbolic execution (section 7 of GenMorph;
//! the last two replace OASIs).

use std::sync::Arc;
use std::time::Duration;

use dodona_generation::{SearchOptions, prove};
use dodona_records::{Binding, DiscoveryProof, ProofRecord, ProofVerdict};
use dodona_target::{Column, Interruption, Value};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, LoadedRelation, Relations, SubjectCaller};

use crate::chosen::Chosen;
use crate::counterexample::values;
use crate::filter::{FreshInputs, RelationRun, SampleSize};
use crate::filter_counts::FilterTest;
use crate::relation_of;
use crate::watch::{TestPace, Watch};

/// A chosen relation, and the results of its tests.
#[derive(Clone)]
pub(super) struct Confirmed {
    pub(super) chosen: Chosen,
    pub(super) loaded: Arc<LoadedRelation>,
    /// How many groups were run after the search, by all tests together.
    pub(super) held: u64,
    pub(super) ineligible: u64,
    /// Whether all tests that need no solver came to their end. Otherwise the relation is not reported as tested.
    pub(super) is_confirmed: bool,
    pub(super) proof: DiscoveryProof,
}

/// The test that a relation failed, and how.
pub(super) struct FailedTest {
    pub(super) test: FilterTest,
    /// The source input, with one value for each parameter. `None` if its variables are not the parameters of one function.
    pub(super) values: Option<Vec<Value>>,
    /// The input and what it does, in a few words, where that is known.
    pub(super) told: Option<String>,
}

/// New inputs for the tests.
pub(super) struct ConfirmationInputs<'a> {
    pub(super) fresh: &'a FreshInputs<'a>,
    /// Inputs that are far from each other.
    pub(super) adaptive: Vec<Column>,
    /// Inputs where the output changes most.
    pub(super) steep: &'a [Column],
    /// How many inputs are drawn as samples.
    pub(super) size: SampleSize,
    /// Where the search for a counterexample starts.
    pub(super) starts: Vec<Vec<Value>>,
    pub(super) watch: &'a Watch<'a>,
    /// The time for one relation.
    pub(super) slice: Option<Duration>,
}

/// One relation under test.
pub(super) struct RelationUnderTest {
    pub(super) confirmed: Confirmed,
    /// The parts of a relation that is a conjunction: the search for a counterexample violates one comparison at a time.
    parts: Vec<LoadedRelation>,
    pub(super) refuted: Option<FailedTest>,
    pub(super) failed: Option<LabError>,
    /// The runs that contradict its proof.
    pub(super) contradictions: Vec<String>,
    /// How many tests the relation passed.
    pub(super) passed: usize,
    /// How many tests it was put to, or would have been if it had passed: two, and with time and a solver a proof.
    pub(super) given: usize,
}

impl RelationUnderTest {
    /// # Errors
    /// When the relation is not valid, which would be a bug in Dodona.
    pub(super) fn new(workbench: &Workbench, chosen: Chosen) -> Result<RelationUnderTest, LabError> {
        let loaded = Arc::new(relation_of::load(&chosen.relation, workbench.functions())?);
        let parts = parts(workbench, &chosen)?;
        let proof = DiscoveryProof::TestedOn { groups: 0 };
        let confirmed = Confirmed { chosen, loaded, held: 0, ineligible: 0, is_confirmed: false, proof };
        Ok(RelationUnderTest {
            confirmed,
            parts,
            refuted: None,
            failed: None,
            contradictions: Vec::new(),
            passed: 0,
            given: 2,
        })
    }

    /// A relation that held on new inputs already.
    pub(super) fn held(confirmed: Confirmed) -> RelationUnderTest {
        RelationUnderTest {
            confirmed,
            parts: Vec::new(),
            refuted: None,
            failed: None,
            contradictions: Vec::new(),
            passed: 1,
            given: 1,
        }
    }

    /// Runs the relation on new inputs, and searches for an input that violates it. Ends with the first test that the relation does not
    /// pass.
    pub(super) fn test(&mut self, workbench: &Workbench, inputs: &ConfirmationInputs<'_>) {
        let mut caller = workbench.caller();
        let pace = TestPace::start(inputs.watch, inputs.slice);
        for test in [FilterTest::ManyFreshInputs, FilterTest::CounterexampleSearch] {
            let ran = match test {
                FilterTest::ManyFreshInputs => self.run(inputs, &mut caller, &pace),
                _ => self.search(inputs, &mut caller, &pace),
            };
            if !self.is_passed(test, ran, inputs.size.least) {
                break;
            }
        }
        self.confirmed.is_confirmed = self.passed == 2;
        self.confirmed.proof = DiscoveryProof::TestedOn { groups: self.confirmed.held };
    }

    /// Records how a test ended; `true` if the relation passed. A test that was given up is not passed, unless it had run the fewest
    /// inputs by then.
    fn is_passed(&mut self, test: FilterTest, ran: Result<RelationRun, LabError>, least: u64) -> bool {
        match ran {
            Ok(RelationRun { refuted: Some(values), .. }) => {
                self.refuted = Some(FailedTest { test, values: Some(values), told: None });
                false
            }
            Ok(RelationRun { held, ineligible, is_cut, .. }) => {
                self.confirmed.held += held;
                self.confirmed.ineligible += ineligible;
                let is_enough = test == FilterTest::ManyFreshInputs && held + ineligible >= least;
                let is_passed = !is_cut || is_enough;
                self.passed += usize::from(is_passed);
                is_passed
            }
            Err(error) => {
                self.failed = Some(error);
                false
            }
        }
    }

    /// Runs the relation on new inputs.
    fn run(
        &self,
        inputs: &ConfirmationInputs<'_>,
        caller: &mut SubjectCaller,
        pace: &TestPace<'_>,
    ) -> Result<RelationRun, LabError> {
        let loaded = &self.confirmed.loaded;
        let mut all = RelationRun::default();
        for special in [inputs.steep, &inputs.adaptive] {
            let ran = inputs.fresh.run_on(loaded, special, caller, pace)?;
            all = ran.after(&all);
            if all.refuted.is_some() || all.is_cut {
                return Ok(all);
            }
        }
        Ok(inputs.fresh.run(loaded, inputs.size, caller, pace)?.after(&all))
    }

    /// Searches for an input that violates the relation, for one of its parts after the other.
    fn search(
        &self,
        inputs: &ConfirmationInputs<'_>,
        caller: &mut SubjectCaller,
        pace: &TestPace<'_>,
    ) -> Result<RelationRun, LabError> {
        let mut all = RelationRun::default();
        for part in &self.parts {
            let ran = inputs.fresh.search(part, &inputs.starts, caller, pace)?;
            if ran.refuted.is_some() || ran.is_cut {
                return Ok(ran);
            }
            // Groups of one part do not count as groups of the relation.
            if self.parts.len() == 1 {
                all = ran;
            }
        }
        Ok(all)
    }

    /// Tries to prove a relation that passed its tests, in its share of the time that is left for so many rounds of relations, or of the time that is kept for proofs where
    /// less is left; returns the runs that contradict a proof.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn put_to_proof(
        &mut self,
        workbench: &Workbench,
        options: Option<&SearchOptions>,
        watch: &Watch<'_>,
        rounds: u32,
    ) -> Result<Vec<String>, LabError> {
        let (Some(options), None) = (options, &self.refuted) else { return Ok(Vec::new()) };
        // After an interruption there are no proofs.
        if !self.confirmed.is_confirmed || watch.is_interrupted() {
            return Ok(Vec::new());
        }
        let left = watch.left_for_proofs().map(|left| left / rounds.max(1));
        let slice = [options.time, left].into_iter().flatten().min();
        let pace = TestPace::start(watch, slice);
        let options = SearchOptions { time: slice, ..options.clone() };
        let contradictions = self.prove(workbench, &options, watch.interruption())?;
        pace.end();
        Ok(contradictions)
    }

    /// Tries to prove the relation; returns the runs that contradict a proof.
    fn prove(
        &mut self,
        workbench: &Workbench,
        options: &SearchOptions,
        interrupted: &Interruption,
    ) -> Result<Vec<String>, LabError> {
        let relation = &self.confirmed.chosen.relation;
        let alone =
            workbench.with(Relations::of_trees(std::slice::from_ref(relation), workbench.functions())?);
        match prove(&alone, &[0], options, interrupted, &mut |_| {}) {
            Ok(record) => Ok(self.take_proof(workbench, record)),
            // Without a solver there is no proof, but the tests still count.
            Err(LabError::Solver(_)) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Records what an attempt to prove the relation has shown; returns the runs that contradict a proof.
    fn take_proof(&mut self, workbench: &Workbench, record: ProofRecord) -> Vec<String> {
        (self.given, self.passed) = (self.given + 1, self.passed + 1);
        let loop_bound = record.loop_bound;
        match record.relations.into_iter().next().map(|r| (r.verdict, r.random_source)) {
            Some((ProofVerdict::Proved { longest }, random_source)) => {
                let proof = DiscoveryProof::ProvedWithin { longest, loop_bound, random_source };
                self.confirmed.proof = proof;
            }
            Some((ProofVerdict::Refuted { counterexample }, _)) => {
                // The variables of a law over several functions are not the parameters of one of them: it is refuted all the same.
                let values = values(workbench, &self.confirmed.loaded, &counterexample.source);
                let told = format!("{}: {}", Binding::list(&counterexample.source), counterexample.why);
                self.passed -= 1;
                self.refuted =
                    Some(FailedTest { test: FilterTest::SymbolicExecution, values, told: Some(told) });
            }
            _ => {}
        }
        record.contradictions
    }
}

/// The parts of a relation, each as a relation of its own.
fn parts(workbench: &Workbench, chosen: &Chosen) -> Result<Vec<LoadedRelation>, LabError> {
    let candidate = &chosen.candidate;
    let parts = match candidate.parts.len() {
        0 | 1 => vec![chosen.relation.clone()],
        _ => {
            let part = |part| relation_of::part(candidate, part, workbench.functions());
            candidate.parts.iter().filter_map(part).collect()
        }
    };
    parts.iter().map(|part| relation_of::load(part, workbench.functions())).collect()
}
