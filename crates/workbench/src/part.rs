//! Parts of a check that are run apart from each other: what is seen of some source inputs, in numbers that another machine can read.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use dodona_records::Tally;
use dodona_target::Outcome;
use serde::{Deserialize, Serialize};

use crate::sums::Sum;
use crate::work::{CheckRun, Place, PlacedGroup};

/// What was seen of some of the source inputs of a check. Groups are told by their places, for their values are drawn again where they are needed.
///
/// What was seen of all source inputs of a check, in however many parts, adds up to the record of the check.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct PartSeen {
    /// One entry for each relation that is checked.
    relations: Vec<RelationSeen>,
}

/// What was seen of one relation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
struct RelationSeen {
    sources: u64,
    tally: Tally,
    /// The first group that violates it.
    first: Option<Place>,
    took: Duration,
    /// The first group that was skipped for each outcome of its source calls.
    skipped: Vec<(Outcome, Place)>,
    /// The kept source inputs whose group was not eligible, as rows of their batch.
    unjudged: BTreeSet<usize>,
}

impl PartSeen {
    /// Of what adds up to these sums.
    pub(crate) fn of(sums: &[Sum]) -> PartSeen {
        PartSeen { relations: sums.iter().map(RelationSeen::of).collect() }
    }

    /// How many source inputs were run.
    pub fn sources(&self) -> u64 {
        self.relations.iter().fold(0, |sum, relation| sum.saturating_add(relation.sources))
    }

    /// The sums, with the values of the groups; nothing where these are of no source inputs of the check.
    pub(crate) fn sums(mut self, work: &CheckRun) -> Option<Vec<Sum>> {
        // Nothing was seen of relations without source inputs.
        let count = self.relations.len().max(work.relations.len());
        self.relations.resize_with(count, RelationSeen::default);
        let is_of =
            |(relation, seen): (usize, &RelationSeen)| work.has(relation, seen.places(), &seen.unjudged);
        if !self.relations.iter().enumerate().all(is_of) {
            return None;
        }
        Some(self.sums_of(work))
    }

    fn sums_of(self, work: &CheckRun) -> Vec<Sum> {
        self.relations.into_iter().enumerate().map(|(relation, seen)| seen.sum(relation, work)).collect()
    }

    /// Adds what was seen of other source inputs of the same check.
    pub fn add(&mut self, other: PartSeen) {
        self.relations.resize_with(self.relations.len().max(other.relations.len()), RelationSeen::default);
        self.relations.iter_mut().zip(other.relations).for_each(|(all, more)| all.add(more));
    }
}

impl RelationSeen {
    /// The places of all groups that it names.
    fn places(&self) -> impl Iterator<Item = Place> {
        self.first.into_iter().chain(self.skipped.iter().map(|(_, place)| *place))
    }

    fn of(sum: &Sum) -> RelationSeen {
        let Sum { sources, tally, first, took, skipped, unjudged } = sum;
        RelationSeen {
            sources: *sources,
            tally: tally.clone(),
            first: first.as_ref().map(|found| found.place),
            took: *took,
            skipped: skipped.iter().map(|(outcome, found)| (*outcome, found.place)).collect(),
            unjudged: unjudged.clone(),
        }
    }

    fn add(&mut self, other: RelationSeen) {
        self.sources = self.sources.saturating_add(other.sources);
        self.tally.merge(&other.tally);
        self.first = self.first.into_iter().chain(other.first).min();
        self.took = self.took.saturating_add(other.took);
        let mut skipped: BTreeMap<Outcome, Place> = self.skipped.drain(..).collect();
        for (outcome, place) in other.skipped {
            skipped.entry(outcome).and_modify(|known| *known = place.min(*known)).or_insert(place);
        }
        self.skipped = skipped.into_iter().collect();
        self.unjudged.extend(other.unjudged);
    }

    fn sum(self, relation: usize, work: &CheckRun) -> Sum {
        let placed = |place: Place| PlacedGroup { place, values: work.values_at(relation, place) };
        Sum {
            sources: self.sources,
            tally: self.tally,
            first: self.first.map(placed),
            took: self.took,
            skipped: self.skipped.into_iter().map(|(outcome, place)| (outcome, placed(place))).collect(),
            unjudged: self.unjudged,
        }
    }
}
