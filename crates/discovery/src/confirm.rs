//! Tests the chosen relations, several at a time.
//!
//! What is not confirmed is not found: a relation is listed as found if all of its tests ended, and otherwise apart from those that were
//! found. Of `gcd`, laws that had held on the 2,000 inputs of their first test were false (`crates/discovery/src/laws/last_tests.rs`).

use std::collections::HashSet;
use std::time::Duration;

use dodona_records::DiscoveryProof;
use dodona_workbench::{LabError, Worker};

use crate::chosen::Chosen;
use crate::filter::SampleSize;
use crate::forms;
use crate::hard_inputs::{HardInputs, HardVerdict};
use crate::overhead;
use crate::parallel::each;
use crate::relation_test::{ConfirmationInputs, Confirmed, FailedTest, RelationUnderTest};
use crate::search::Searches;
use crate::tuning::{CONFIRMED_ADAPTIVE, CONFIRMED_AT_LEAST, CONFIRMED_IF_FRESH, SEARCH_STARTS, TEST_END};
use crate::{DiscoverProgress, Stage};

/// The relations that were confirmed. A relation that was confirmed before is not tested again.
#[derive(Default)]
pub(super) struct Confirmations {
    passed: Vec<Confirmed>,
    /// Those that inputs drawn to refute them did not refute, as text.
    stood: HashSet<String>,
    hard: Option<HardInputs>,
}

impl Confirmations {
    /// Tests relations. The refuted relations are reported to their searches; the others are returned in their order, those included whose tests did not come to
    /// their end.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn confirm(
        &mut self,
        searches: &mut Searches<'_>,
        all: &[Chosen],
        progress: &mut dyn FnMut(&DiscoverProgress),
    ) -> Result<Vec<Confirmed>, LabError> {
        let (mut confirmed, mut tests) = (Vec::new(), Vec::new());
        for (done, chosen) in all.iter().cloned().enumerate() {
            if self.is_refuted(searches, &chosen)? {
                continue;
            }
            match self.passed.iter().find(|passed| passed.chosen.relation == chosen.relation) {
                Some(before) => confirmed.push(Confirmed { chosen, ..before.clone() }),
                None if chosen.form().is_some() => {
                    confirmed.extend(self.form(searches, &chosen, all.len() - done)?)
                }
                None => tests.push(RelationUnderTest::new(searches.target.workbench, chosen)?),
            }
        }
        run(searches, &mut tests, progress)?;
        put_to_proof(searches, &mut tests, progress)?;
        for mut test in tests {
            if let Some(error) = test.failed.take() {
                return Err(error);
            }
            confirmed.extend(self.concluded(searches, test)?);
        }
        let place = |one: &Confirmed| all.iter().position(|c| c.relation == one.chosen.relation);
        confirmed.sort_by_key(place);
        Ok(confirmed)
    }

    /// Whether inputs that are drawn to refute it show that a relation does not hold, or holds of special inputs only.
    fn is_refuted(&mut self, searches: &mut Searches<'_>, chosen: &Chosen) -> Result<bool, LabError> {
        let text = chosen.relation.to_string();
        if self.stood.contains(&text) {
            return Ok(false);
        }
        let (workbench, options) = (searches.target.workbench, searches.options);
        let hard =
            self.hard.get_or_insert_with(|| HardInputs::new(&workbench.any(), options.seed, options.jobs));
        let verdict = hard.judge(&chosen.relation, &searches.watch.until(TEST_END))?;
        match verdict {
            HardVerdict::Holds => _ = self.stood.insert(text),
            HardVerdict::Violated(_) | HardVerdict::Special => {
                searches.ledger.confirmed(1, 0);
                searches.ledger.dropped(text);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tests one relation of a known form and tries to prove it. `relations` relations share the time.
    fn form(
        &mut self,
        searches: &mut Searches<'_>,
        chosen: &Chosen,
        relations: usize,
    ) -> Result<Option<Confirmed>, LabError> {
        let slice = searches.watch.left_for_tests().map(|left| left / relations.max(1) as u32);
        let Some(tested) = forms::confirmed(searches, chosen, size(searches), slice)? else {
            searches.ledger.confirmed(1, 0);
            searches.ledger.dropped(chosen.relation.to_string());
            return Ok(None);
        };
        let mut test = RelationUnderTest::held(tested);
        let (workbench, proofs) = (searches.target.workbench, searches.options.prove.as_ref());
        searches.ledger.confirmed(1, usize::from(test.confirmed.is_confirmed));
        let contradictions = test.put_to_proof(workbench, proofs, searches.watch, relations as u32)?;
        searches.ledger.contradicted(contradictions);
        if test.given > 1 {
            searches.ledger.put_to_proof(test.refuted.is_none());
        }
        match test.refuted {
            Some(refuted) => {
                searches.ledger.dropped(chosen.relation.to_string());
                searches.ledger.refuted_form(test.confirmed.loaded.relation.text(), refuted.told);
                Ok(None)
            }
            None => Ok(self.kept(test.confirmed)),
        }
    }

    /// A relation that nothing refuted. If it was confirmed, it is not tested again.
    fn kept(&mut self, tested: Confirmed) -> Option<Confirmed> {
        if tested.is_confirmed {
            self.passed.push(tested.clone());
        }
        Some(tested)
    }

    /// Tells the ledger how the tests and the proof of a relation ended. Returns the relation if it passed.
    fn concluded(
        &mut self,
        searches: &mut Searches<'_>,
        test: RelationUnderTest,
    ) -> Result<Option<Confirmed>, LabError> {
        searches.ledger.contradicted(test.contradictions.clone());
        searches.ledger.confirmed(test.given, test.passed);
        let RelationUnderTest { confirmed, refuted, .. } = test;
        if let Some(FailedTest { test, values, .. }) = refuted {
            if let Some(values) = values {
                searches.refute(&confirmed.chosen, &confirmed.loaded, &values, test)?;
            }
            return Ok(None);
        }
        // A relation that held on no group was not tested: there was no time, or every follow-up call failed or was ineligible.
        if confirmed.proof == (DiscoveryProof::TestedOn { groups: 0 }) {
            return Ok(None);
        }
        Ok(self.kept(confirmed))
    }
}

/// Runs relations on new inputs, several at a time.
fn run(
    searches: &Searches<'_>,
    tests: &mut [RelationUnderTest],
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<(), LabError> {
    let fresh = searches.fresh("confirm");
    let (workbench, watch) = (searches.target.workbench, searches.watch);
    let before = searches.told(Stage::Filter, 0, tests.len() as u64);
    let jobs = searches.options.jobs.get();
    let inputs = ConfirmationInputs {
        fresh: &fresh,
        // If no inputs can be drawn, there were none for the search either, and a warning says so.
        adaptive: fresh.adaptive(CONFIRMED_ADAPTIVE).unwrap_or_default(),
        steep: &searches.steep,
        size: size(searches),
        starts: searches.sources.spread(SEARCH_STARTS),
        watch,
        slice: slice(searches, tests.len()),
    };
    let test = |_: usize, test: &mut RelationUnderTest| test.test(workbench, &inputs);
    each(Worker::Confirmation, jobs, tests, watch, test, &mut |done| {
        progress(&DiscoverProgress { done: done as u64, ..before })
    })
}

/// Tries to prove relations that passed their tests, several at a time, each with a solver of its own.
fn put_to_proof(
    searches: &Searches<'_>,
    tests: &mut [RelationUnderTest],
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<(), LabError> {
    let (workbench, watch) = (searches.target.workbench, searches.watch);
    let (proofs, jobs, count) = (searches.options.prove.as_ref(), searches.options.jobs.get(), tests.len());
    let before = searches.told(Stage::Proof, 0, count as u64);
    let prove = |place: usize, test: &mut RelationUnderTest| {
        if test.failed.is_some() {
            return;
        }
        // The time that is left is divided among the rounds that are left.
        let rounds = (count - place).div_ceil(jobs) as u32;
        match test.put_to_proof(workbench, proofs, watch, rounds) {
            Ok(contradictions) => test.contradictions = contradictions,
            Err(error) => test.failed = Some(error),
        }
    };
    each(Worker::Confirmation, jobs, tests, watch, prove, &mut |done| {
        progress(&DiscoverProgress { done: done as u64, ..before })
    })
}

/// On how many new inputs a relation is run. After an interruption the user waits, and the fewest have to do.
fn size(searches: &Searches<'_>) -> SampleSize {
    let fresh = searches.options.fresh;
    let rows = match overhead::is_fresh(&**searches.target.workbench, searches.target.function) {
        true => fresh.div_ceil(CONFIRMED_IF_FRESH),
        false => fresh,
    };
    let rows = searches.budget.fresh(rows);
    let least = (rows / CONFIRMED_AT_LEAST).max(1);
    SampleSize { rows: if searches.watch.is_interrupted() { least } else { rows }, least }
}

/// The time for one of this number of relations.
fn slice(searches: &Searches<'_>, relations: usize) -> Option<Duration> {
    let rounds = relations.div_ceil(searches.options.jobs.get()).max(1) as u32;
    searches.watch.left_for_tests().map(|left| left / rounds)
}
