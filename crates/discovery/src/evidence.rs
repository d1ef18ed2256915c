//! The evidence for the relations found: which mutants they kill, by mutation analysis, and which mutants inputs reveal.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_inference::discovery::{Origin, RelationWords, Transformation, relation_words};
use dodona_mutation::{FaultyVersion, MutateOutcome};
use dodona_records::{
    Against, DiscoveredRelation, DiscoveryVersion, FoundBy, Judgement, MutantId, MutationRecord,
    UnconfirmedRelation,
};
use dodona_workbench::LabError;

use crate::analysis::{
    BaselineViolation, all_named, analysed, killed_by, named, versions_killed_by, violated,
};
use crate::chosen::ChosenBy;
use crate::collect::MutantSplit;
use crate::measure::timely;
use crate::relation_of;
use crate::relation_test::Confirmed;
use crate::search::Searches;
use crate::tuning::{ANALYSED_IF_SLOW, CALLS_OF_EVIDENCE, LEAST_TIMES, PART_OF_SECOND_EVIDENCE, WEAK};
use crate::watch::END;

/// The relations with their evidence.
#[derive(Default)]
pub(super) struct Evidence {
    pub(super) relations: Vec<DiscoveredRelation>,
    /// The held-out mutants that the relations kill together.
    pub(super) held_out_caught: Vec<MutantId>,
    /// The mutants that inputs reveal.
    pub(super) revealed: Vec<MutantId>,
    /// The mutants that there was no time to run the relations on.
    pub(super) not_run: Vec<MutantId>,
    /// The faulty versions.
    pub(super) versions: Vec<DiscoveryVersion>,
    /// Relations that the analysis found violated on the original, so they are not valid.
    pub(super) violated: Vec<BaselineViolation>,
}

/// Names the relations, and determines which mutants each kills.
///
/// # Errors
/// When the host fails.
pub(super) fn evidence(
    searches: &Searches<'_>,
    mutated: &MutantSplit,
    confirmed: &[Confirmed],
) -> Result<Evidence, LabError> {
    let told = told(searches, confirmed);
    let names: Vec<String> = told.iter().map(|one| one.name.clone()).collect();
    let record = match outcome(searches, mutated, confirmed, &names)? {
        Some(MutateOutcome::BaselineViolated(check)) => {
            let violated = violated(&check, &names);
            return Ok(Evidence { violated, ..Evidence::default() });
        }
        Some(MutateOutcome::Analysed(analysis)) => Some(analysis.record),
        None => None,
    };
    let scores = Scores::new(searches, mutated, confirmed, told, record.as_ref());
    Ok(Evidence {
        relations: scores.kept.iter().map(|&place| scores.relation(place)).collect(),
        held_out_caught: scores.held_out_caught(),
        revealed: record.as_ref().map_or_else(Vec::new, revealed),
        violated: Vec::new(),
        not_run: record.as_ref().map_or_else(Vec::new, not_run),
        versions: scores.versions(record.as_ref()),
    })
}

/// Relations that were confirmed, before it is known which mutants they kill.
pub(super) fn without_mutants(
    searches: &Searches<'_>,
    mutated: &MutantSplit,
    confirmed: &[Confirmed],
) -> Evidence {
    let told = told(searches, confirmed);
    let scores = Scores::new(searches, mutated, confirmed, told, None);
    Evidence {
        relations: scores.kept.iter().map(|&place| scores.relation(place)).collect(),
        not_run: mutated.searched.iter().chain(&mutated.held_out).copied().collect(),
        versions: scores.versions(None),
        ..Evidence::default()
    }
}

/// Relations whose tests did not come to their end, with names that none of these relations has.
pub(super) fn unconfirmed(
    searches: &Searches<'_>,
    unconfirmed: &[Confirmed],
    relations: &[DiscoveredRelation],
) -> Vec<UnconfirmedRelation> {
    let mut taken: Vec<String> = relations.iter().map(|relation| relation.name.clone()).collect();
    let one = |(one, RelationWords { name, sentence, .. }): (&Confirmed, RelationWords)| {
        let name = relation_of::free(name, &taken);
        taken.push(name.clone());
        UnconfirmedRelation {
            text: named(&one.chosen, &name).to_string(),
            name,
            words: sentence,
            held: one.held,
            ineligible: one.ineligible,
        }
    };
    unconfirmed.iter().zip(told(searches, unconfirmed)).map(one).collect()
}

/// Mutation analysis of all mutants, those held out too, and of the faulty versions; `None` if there are neither, or no relations.
fn outcome(
    searches: &Searches<'_>,
    mutated: &MutantSplit,
    confirmed: &[Confirmed],
    names: &[String],
) -> Result<Option<MutateOutcome>, LabError> {
    let mutants: Vec<MutantId> = mutated.searched.iter().chain(&mutated.held_out).copied().collect();
    let faults = mutants.len() + searches.options.versions.len();
    if faults == 0 || confirmed.is_empty() {
        return Ok(None);
    }
    let relations = all_named(confirmed.iter().map(|one| &one.chosen), names);
    let until = searches.watch.until(END);
    let analyse = |inputs: u64| {
        let (sources, options) = (searches.sources, searches.options);
        analysed(searches.target, (sources, &relations), (Against::Both, inputs), &mutants, options, &until)
    };
    let wanted = searches.budget.analysed(faults, confirmed.len()).unwrap_or(ANALYSED_IF_SLOW);
    let inputs = timely(searches, wanted, faults * confirmed.len(), (&until, CALLS_OF_EVIDENCE));
    let started = Instant::now();
    let first = analyse(inputs)?;
    // Most mutants are killed by the first few inputs, so that it takes less time than all calls would.
    let more = until.left().map_or(0, |left| more_inputs(inputs, started.elapsed(), left)).min(wanted);
    if more <= inputs || !matches!(first, MutateOutcome::Analysed(_)) {
        return Ok(Some(first));
    }
    let second = match analyse(more) {
        Err(error) if error.is_stopped() => return Ok(Some(first)),
        second => second?,
    };
    let is_whole = match &second {
        MutateOutcome::Analysed(analysis) => not_run(&analysis.record).is_empty(),
        MutateOutcome::BaselineViolated(_) => true,
    };
    Ok(Some(if is_whole { second } else { first }))
}

/// How many inputs a second analysis is made with, if one with `inputs` inputs took some time and so much is left.
fn more_inputs(inputs: u64, took: Duration, left: Duration) -> u64 {
    let times = left.as_secs_f64() * PART_OF_SECOND_EVIDENCE / took.as_secs_f64().max(1e-3);
    if times >= LEAST_TIMES { (inputs as f64 * times) as u64 } else { 0 }
}

/// The mutants that an input reveals or a relation kills, by ascending number.
fn revealed(record: &MutationRecord) -> Vec<MutantId> {
    let mutants = record.mutants.iter();
    let seen = mutants.filter(|mutant| mutant.revealed_by.is_some() || !mutant.killed_by.is_empty());
    seen.map(|mutant| mutant.id).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The mutants that an analysis did not run, because it was interrupted.
fn not_run(record: &MutationRecord) -> Vec<MutantId> {
    let mutants = record.mutants.iter();
    mutants.filter(|mutant| mutant.judgement == Judgement::NotRun).map(|mutant| mutant.id).collect()
}

/// The name of each relation, no two of which are equal, and what it says in words.
fn told(searches: &Searches<'_>, confirmed: &[Confirmed]) -> Vec<RelationWords> {
    let declared = &searches.target.workbench.functions()[searches.target.function];
    let mut told: Vec<RelationWords> = Vec::new();
    for Confirmed { chosen, .. } in confirmed {
        let RelationWords { name, sentence, says_all } = match &chosen.by {
            ChosenBy::Search(transformation) => {
                relation_words(declared, searches.under[*transformation].transformation(), &chosen.relation)
            }
            ChosenBy::Form(form) => {
                RelationWords { name: form.name.clone(), sentence: form.words.clone(), says_all: true }
            }
        };
        let taken: Vec<&str> = told.iter().map(|one| one.name.as_str()).collect();
        told.push(RelationWords { name: relation_of::free(name, &taken), sentence, says_all });
    }
    told
}

/// The mutants that each relation kills.
struct Scores<'e> {
    searches: &'e Searches<'e>,
    mutated: &'e MutantSplit,
    confirmed: &'e [Confirmed],
    told: Vec<RelationWords>,
    caught: Vec<BTreeSet<MutantId>>,
    /// The faulty versions that each relation kills, by their places.
    caught_versions: Vec<BTreeSet<usize>>,
    /// The relations that are reported, by index.
    kept: Vec<usize>,
}

impl<'e> Scores<'e> {
    fn new(
        searches: &'e Searches<'e>,
        mutated: &'e MutantSplit,
        confirmed: &'e [Confirmed],
        told: Vec<RelationWords>,
        record: Option<&MutationRecord>,
    ) -> Scores<'e> {
        let caught: Vec<BTreeSet<MutantId>> = told.iter().map(|one| killed_by(record, &one.name)).collect();
        // Only mutants that the search saw count: the held-out mutants are for scoring and must not influence the choice.
        let of_versions = told.iter().map(|one| versions_killed_by(record, &one.name));
        let caught_versions: Vec<BTreeSet<usize>> = of_versions.collect();
        let sets = caught.iter().zip(&caught_versions);
        let count = |(set, versions): (&BTreeSet<MutantId>, &BTreeSet<usize>)| {
            within(set, &mutated.searched).len() + versions.len()
        };
        let counts: Vec<usize> = sets.map(count).collect();
        let best = counts.iter().copied().max().unwrap_or(0);
        // A law is reported whatever it kills, and a pattern even if it kills only a few mutants, provided that no other relation kills them.
        let is_kept = |place: &usize| {
            let (chosen, count) = (&confirmed[*place].chosen, counts[*place]);
            match chosen.form() {
                Some(_) => chosen.is_textbook() || count > 0 || best == 0,
                None => count * WEAK >= best,
            }
        };
        let kept = (0..caught.len()).filter(is_kept).collect();
        Scores { searches, mutated, confirmed, told, caught, caught_versions, kept }
    }

    /// The held-out mutants that the relations kill together.
    fn held_out_caught(&self) -> Vec<MutantId> {
        let together = self.kept.iter().flat_map(|&place| self.caught[place].iter().copied()).collect();
        within(&together, &self.mutated.held_out)
    }

    /// The transformation of a relation and its canonical input relation; for a known form the name of the form, and nothing.
    fn made_by(&self, place: usize) -> (String, String) {
        match &self.confirmed[place].chosen.by {
            ChosenBy::Search(transformation) => {
                let transformation: &Transformation = self.searches.under[*transformation].transformation();
                (transformation.name.clone(), transformation.given())
            }
            ChosenBy::Form(form) => (form.kind.name().to_owned(), String::new()),
        }
    }

    /// A relation with its evidence.
    fn relation(&self, place: usize) -> DiscoveredRelation {
        let (one, (transformation, given)) = (&self.confirmed[place], self.made_by(place));
        let RelationWords { name, sentence, .. } = &self.told[place];
        let caught = within(&self.caught[place], &self.mutated.searched);
        DiscoveredRelation {
            name: name.clone(),
            text: named(&one.chosen, name).to_string(),
            words: sentence.clone(),
            transformation,
            given,
            found_by: match one.chosen.form() {
                Some(_) => FoundBy::Form,
                None => found_by(one.chosen.candidate.origin),
            },
            sources_tried: one.held + one.ineligible,
            held: one.held,
            ineligible: one.ineligible,
            proof: one.proof,
            only: self.caught_by_no_other(place, &caught),
            held_out_caught: within(&self.caught[place], &self.mutated.held_out).len() as u64,
            caught_versions: self.caught_versions[place].iter().map(|&version| self.name(version)).collect(),
            caught,
        }
    }

    /// The name of a faulty version.
    fn name(&self, version: usize) -> String {
        self.searches.options.versions[version].name().to_owned()
    }

    /// The faulty versions, with what the analysis found of each, if there was one.
    fn versions(&self, record: Option<&MutationRecord>) -> Vec<DiscoveryVersion> {
        let versions = self.searches.options.versions.iter().enumerate();
        let found = |place: usize| record.and_then(|record| record.versions.get(place));
        let one = |(place, version): (usize, &Arc<FaultyVersion>)| DiscoveryVersion {
            name: version.name().to_owned(),
            path: version.path().display().to_string(),
            is_fault: version.same_as().is_none(),
            was_run: found(place).is_some_and(|found| found.judgement != Judgement::NotRun),
            is_revealed: found(place).is_some_and(|f| f.revealed_by.is_some() || !f.killed_by.is_empty()),
            is_caught: self.kept.iter().any(|&kept| self.caught_versions[kept].contains(&place)),
        };
        versions.map(one).collect()
    }

    /// The mutants of a relation that no other kills.
    fn caught_by_no_other(&self, place: usize, caught: &[MutantId]) -> Vec<MutantId> {
        let others = || self.kept.iter().filter(|&&other| other != place);
        let is_caught = |id: &MutantId| others().any(|&other| self.caught[other].contains(id));
        caught.iter().filter(|id| !is_caught(id)).copied().collect()
    }
}

fn found_by(origin: Origin) -> FoundBy {
    match origin {
        Origin::Enumeration => FoundBy::Enumeration,
        Origin::Evolution { generation } => FoundBy::Evolution { generation },
    }
}

/// Those of some mutants that are in a set, in their order.
fn within(all: &BTreeSet<MutantId>, some: &[MutantId]) -> Vec<MutantId> {
    some.iter().filter(|id| all.contains(id)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_analysis_takes_a_part_of_the_time_that_is_left() {
        let of = |took, left| more_inputs(100, Duration::from_millis(took), Duration::from_millis(left));
        assert_eq!(of(1000, 10_000), 400, "four of ten seconds");
        assert_eq!(of(1000, 3000), 0, "1.2 times the inputs would say nearly the same");
        assert_eq!(of(1000, 0), 0);
        assert_eq!(of(0, 1000), 40_000, "an analysis that took no time counts as a millisecond");
    }
}
