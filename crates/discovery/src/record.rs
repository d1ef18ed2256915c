//! Puts together the record of a discovery: what was searched, what was found, and what there was no time for.

use dodona_records::{DiscoveryRecord, DiscoverySearch, DiscoveryStop, DiscoveryWork, UnconfirmedRelation};

use crate::discover::Discovery;
use crate::evidence::{Evidence, without_mutants};
use crate::relation_test::Confirmed;
use crate::search::Searches;
use crate::snapshot::begun;
use crate::transformation_search::TransformationSearch;

const NOTHING_TO_SEARCH: &str = "no input transformation has a pair of executions in which both calls return: the domains hold \
    nothing to change an input to, or every follow-up call fails";

const NO_TIME_TO_SEARCH: &str = "the time was up before the search could begin: running the function and its mutants took all of \
    it; give more with --time, or fewer --mutants, --inputs or --executions";

impl Discovery<'_, '_> {
    /// The record of what was found, with its evidence, and of the relations that are not confirmed.
    pub(super) fn record(
        &self,
        stop: DiscoveryStop,
        evidence: Evidence,
        unconfirmed: Vec<UnconfirmedRelation>,
    ) -> DiscoveryRecord {
        let Searches { target, options, sources, under, ledger, watch, .. } = &self.searches;
        let is_short_of_time = !unconfirmed.is_empty() && !watch.is_interrupted();
        // The user may have interrupted after the end of the search.
        let stop = match watch.is_interrupted() {
            true => DiscoveryStop::Interrupted { generations: self.generations() },
            false => stop,
        };
        DiscoveryRecord {
            stop,
            time_decided: sources.time_decided
                || watch.has_clock_decided()
                || !evidence.not_run.is_empty()
                || is_short_of_time,
            transformations: under.len() as u64,
            searched_mutants: self.mutated.searched.clone(),
            held_out: self.mutated.held_out.clone(),
            warnings: self.told_beside(&evidence),
            held_out_caught: evidence.held_out_caught,
            revealed: evidence.revealed,
            not_run: evidence.not_run,
            versions: evidence.versions,
            pairs: self.pairs,
            work: self.work(),
            searches: under.iter().map(reached).collect(),
            filter: ledger.filter_steps(),
            relations: evidence.relations,
            left_out: self.left_out,
            unconfirmed,
            contradictions: [sources.contradictions.as_slice(), ledger.contradictions()].concat(),
            refuted: ledger.refuted_relations().to_vec(),
            ..begun(target, options, sources)
        }
    }

    /// Notes what is known by now: confirmed relations, whose mutants are not known yet, and those that are not confirmed.
    pub(super) fn note(&self, confirmed: &[Confirmed], mut unconfirmed: Vec<UnconfirmedRelation>) {
        let evidence = without_mutants(&self.searches, &self.mutated, confirmed);
        unconfirmed.retain(|one| evidence.relations.iter().all(|other| other.name != one.name));
        let stop = DiscoveryStop::Interrupted { generations: self.generations() };
        self.searches.options.so_far.note(self.record(stop, evidence, unconfirmed));
    }

    /// What went wrong, or was left out, beside the relations.
    fn told_beside(&self, evidence: &Evidence) -> Vec<String> {
        let watch = self.searches.watch;
        let mut warnings = [self.searches.sources.warnings.as_slice(), &self.warnings].concat();
        if !evidence.not_run.is_empty() {
            warnings.push(format!(
                "there was no time to run the relations on {} of the mutants: they may catch more",
                evidence.not_run.len()
            ));
        }
        if self.searches.under.is_empty() && !watch.is_interrupted() {
            let why = if watch.has_clock_decided() { NO_TIME_TO_SEARCH } else { NOTHING_TO_SEARCH };
            warnings.push(why.to_owned());
        }
        warnings
    }

    fn work(&self) -> DiscoveryWork {
        DiscoveryWork {
            enumerated: self.searches.states().map(|state| state.enumerated).sum(),
            evaluated: self.searches.states().map(|state| state.evaluated).sum(),
            generations: self.generations(),
            seconds: self.searches.watch.elapsed().as_secs_f64(),
        }
    }
}

/// The progress of the search under one transformation.
fn reached(search: &TransformationSearch) -> DiscoverySearch {
    DiscoverySearch {
        transformation: search.transformation().name.clone(),
        generations: search.state().generation.into(),
        false_negatives: search.false_negatives(),
    }
}
