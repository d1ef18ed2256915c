//! The record of a composition.

use std::time::Duration;

use dodona_inference::composition::{SearchKind, SearchResult};
use dodona_records::{
    BasicRelation, CompositeRelation, CompositionRecord, CompositionStop, FORMAT_VERSION, GivenRelations,
    LayerRecord, MutantId, RefusedSequences,
};
use dodona_workbench::{LoadedRelation, Workbench};

use super::ComposeOptions;
use super::basics::BasicRelations;
use super::composites::{Candidate, Candidates};
use super::kills::Kills;
use super::relation_choice::{Choice, Offer, choice};
use super::verdict::{Confirmed, Verdicts};

/// All that a composition found.
pub(super) struct Results<'a> {
    pub(super) workbench: &'a Workbench,
    pub(super) options: &'a ComposeOptions,
    pub(super) basics: &'a BasicRelations,
    pub(super) candidates: &'a Candidates,
    pub(super) layers: Vec<LayerRecord>,
    pub(super) verdicts: Verdicts,
    pub(super) kills: Kills,
    pub(super) warnings: Vec<String>,
}

impl Results<'_> {
    pub(super) fn record(self, stop: CompositionStop) -> CompositionRecord {
        let basics: Vec<BasicRelation> =
            self.candidates.basics().iter().map(|basic| self.basic(basic)).collect();
        let relations: Vec<CompositeRelation> =
            self.verdicts.confirmed.iter().map(|one| self.composite(one)).collect();
        let basic = |one: &BasicRelation| self.offer(&one.name, one.runs, 1, &one.killed);
        let composite =
            |one: &CompositeRelation| self.offer(&one.name, one.runs, one.sequence.len(), &one.killed);
        let offers: Vec<Offer> = basics.iter().map(basic).chain(relations.iter().map(composite)).collect();
        let Choice { names, is_smallest, front } = choice(&offers, &self.kills.mutants);
        let given = self.given();
        let target = &self.workbench.target;
        CompositionRecord {
            format_version: FORMAT_VERSION,
            subject: target.name().to_owned(),
            manifest: target.declared_in().display().to_string(),
            seed: self.options.seed.0,
            inputs: self.options.inputs,
            fresh: self.options.fresh,
            basics,
            given,
            left_out: self.basics.left_out.clone(),
            layers: self.layers,
            relations,
            refuted: self.verdicts.examples,
            mutants: self.kills.mutants,
            chosen: names,
            is_smallest,
            front,
            stop,
            warnings: self.warnings,
            contradictions: self.verdicts.contradictions,
        }
    }

    fn offer(&self, name: &str, runs: u64, layers: usize, killed: &[MutantId]) -> Offer {
        let twice = self.kills.twice(name);
        Offer { name: name.to_owned(), runs, layers, killed: killed.to_vec(), twice }
    }

    fn given(&self) -> GivenRelations {
        let all: Vec<&LoadedRelation> = self.basics.given(self.workbench).collect();
        let runs = |one: &&LoadedRelation| (one.relation.calls().len() * one.relation.group_count()) as u64;
        GivenRelations {
            relations: all.len() as u64,
            runs: all.iter().map(runs).sum(),
            killed: self.kills.given.iter().copied().collect(),
        }
    }

    fn basic(&self, basic: &Candidate) -> BasicRelation {
        let relation = &basic.composite.relation;
        BasicRelation {
            name: relation.name.text.clone(),
            text: relation.to_string(),
            runs: basic.composite.runs as u64,
            killed: self.kills.of(&relation.name.text),
        }
    }

    fn composite(&self, one: &Confirmed) -> CompositeRelation {
        let Candidate { composite, counts } = self.candidates.at(one.saying.place);
        let relation = &one.saying.relation;
        CompositeRelation {
            name: relation.name.text.clone(),
            text: relation.to_string(),
            sequence: composite.sequence.relations().map(|place| place as u64 + 1).collect(),
            sequences: one.saying.sequences as u64,
            runs: composite.runs as u64,
            eligible: counts.eligible.into(),
            fitness: counts.holds.into(),
            held: one.held,
            ineligible: one.ineligible,
            proof: one.proof,
            killed: self.kills.of(&relation.name.text),
        }
    }
}

/// The record of a search. The number of relations that pass further tests is added later.
pub(super) fn layer(found: &SearchResult, layers: usize, sequences: u128, took: Duration) -> LayerRecord {
    let search = match found.search {
        SearchKind::Enumerate | SearchKind::Auto => "exhaustive",
        SearchKind::Genetic => "genetic algorithm",
        SearchKind::Anneal => "simulated annealing",
    };
    let refused = found.refused.iter();
    LayerRecord {
        layers: layers as u64,
        search: search.to_owned(),
        sequences,
        tried: found.tried as u64,
        refused: refused
            .map(|(why, &sequences)| RefusedSequences { why: why.to_string(), sequences: sequences as u64 })
            .collect(),
        rarely_eligible: found.rarely_eligible as u64,
        rejected: found.rejected as u64,
        accepted: found.accepted.len() as u64,
        returned: found.accepted.iter().filter(|accepted| accepted.is_best).count() as u64,
        is_complete: found.is_complete,
        seconds: took.as_secs_f64(),
        ..LayerRecord::default()
    }
}
