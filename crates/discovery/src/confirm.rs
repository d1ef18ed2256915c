//! Tests the chosen relations, several at a time.

use std::time::Duration;

use dodona_evidence::DiscoveryProof;
use dodona_workbench::{LabError, Worker};

use crate::chosen::Chosen;
use crate::filter::SampleSize;
use crate::forms;
use crate::overhead;
use crate::parallel::each;
use crate::relation_test::{ConfirmationInputs, Confirmed, FailedTest, RelationUnderTest};
use crate::search::Searches;
use crate::tuning::{
    CONFIRMED_ADAPTIVE, CONFIRMED_AT_LEAST, CONFIRMED_IF_FRESH, CONFIRMED_IF_INTERRUPTED, SEARCH_STARTS,
};
use crate::{DiscoverProgress, Stage};

/// The relations that passed all tests. A relation that passed before is not tested again.
#[derive(Default)]
pub(super) struct Confirmations {
    passed: Vec<Confirmed>,
}

impl Confirmations {
    /// Tests relations. The refuted relations are reported to their searches; the others are returned in their order.
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
        for chosen in all.iter().cloned() {
            match self.passed.iter().find(|passed| passed.chosen.relation == chosen.relation) {
                Some(before) => confirmed.push(Confirmed { chosen, ..before.clone() }),
                None if chosen.form().is_some() => {
                    confirmed.extend(self.form(searches, &chosen, all.len())?)
                }
                None => tests.push(RelationUnderTest::new(searches.target.workbench, chosen)?),
            }
        }
        run(searches, &mut tests, progress)?;
        let count = tests.len();
        for (done, mut test) in tests.into_iter().enumerate() {
            if let Some(error) = test.failed.take() {
                return Err(error);
            }
            progress(&searches.told(Stage::Proof, done as u64, count as u64));
            confirmed.extend(self.concluded(searches, test, (count - done) as u32)?);
        }
        let place = |one: &Confirmed| all.iter().position(|c| c.relation == one.chosen.relation);
        confirmed.sort_by_key(place);
        Ok(confirmed)
    }

    /// Tests one relation of a known form and tries to prove it. `relations` relations share the time.
    fn form(
        &mut self,
        searches: &mut Searches<'_>,
        chosen: &Chosen,
        relations: usize,
    ) -> Result<Option<Confirmed>, LabError> {
        let slice = searches.watch.left_for_tests().map(|left| left / relations.max(1) as u32);
        let Some(confirmed) = forms::confirmed(searches, chosen, size(searches), slice)? else {
            searches.ledger.confirmed(1, 0);
            searches.ledger.dropped(chosen.relation.to_string());
            return Ok(None);
        };
        searches.ledger.confirmed(1, 1);
        let mut test = RelationUnderTest::held(confirmed);
        let (workbench, proofs) = (searches.target.workbench, searches.options.prove.as_ref());
        let relations = searches.options.relations.clamp(1, 100) as u32;
        searches.ledger.contradicted(test.put_to_proof(workbench, proofs, searches.watch, relations)?);
        if test.refuted.is_some() {
            searches.ledger.dropped(chosen.relation.to_string());
            return Ok(None);
        }
        self.passed.push(test.confirmed.clone());
        Ok(Some(test.confirmed))
    }

    /// Tries to prove a relation, and tells the ledger how its tests ended. Returns the relation if it passed. The time that is
    /// left is divided among `relations` relations.
    fn concluded(
        &mut self,
        searches: &mut Searches<'_>,
        mut test: RelationUnderTest,
        relations: u32,
    ) -> Result<Option<Confirmed>, LabError> {
        let (workbench, proofs) = (searches.target.workbench, searches.options.prove.as_ref());
        searches.ledger.contradicted(test.put_to_proof(workbench, proofs, searches.watch, relations)?);
        searches.ledger.confirmed(test.given, test.passed);
        let RelationUnderTest { confirmed, refuted, .. } = test;
        if let Some(FailedTest { test, values }) = refuted {
            searches.refute(&confirmed.chosen, &confirmed.loaded, &values, test)?;
            return Ok(None);
        }
        // A relation that held on no group was not tested: there was no time, or every follow-up call failed or was ineligible.
        if confirmed.proof == (DiscoveryProof::TestedOn { groups: 0 }) {
            return Ok(None);
        }
        self.passed.push(confirmed.clone());
        Ok(Some(confirmed))
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

/// On how many new inputs a relation is run.
fn size(searches: &Searches<'_>) -> SampleSize {
    let fresh = searches.options.fresh;
    let rows = match overhead::is_fresh(searches.target.workbench, searches.target.function) {
        // After an interruption the user waits: relations are kept with the evidence of a few inputs.
        _ if searches.watch.is_interrupted() => fresh / CONFIRMED_IF_INTERRUPTED,
        true => fresh.div_ceil(CONFIRMED_IF_FRESH),
        false => fresh,
    };
    let rows = searches.budget.fresh(rows);
    SampleSize { rows, least: (rows / CONFIRMED_AT_LEAST).max(1) }
}

/// The time for one of this number of relations.
fn slice(searches: &Searches<'_>, relations: usize) -> Option<Duration> {
    let rounds = relations.div_ceil(searches.options.jobs.get()).max(1) as u32;
    searches.watch.left_for_tests().map(|left| left / rounds)
}
