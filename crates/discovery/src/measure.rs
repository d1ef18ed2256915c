//! The final choice, by the mutants that relations kill on new inputs. Recorded executions promise more than a relation keeps, most
//! of all if it has a condition.
//!
//! Three times as many relations are chosen as are reported. Of these the best are taken by what they kill of the same mutants on other
//! inputs: what a few recorded executions of a mutant show is often luck, above all under a condition.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use dodona_mutation::MutateOutcome;
use dodona_records::{
    Against, Binding, Judgement, LeftOut, MutantId, MutantRecord, MutationRecord, StopReason,
};
use dodona_sources::Seed;
use dodona_target::{Column, Until, Value};
use dodona_workbench::{LabError, inputs::columns};
use fixedbitset::FixedBitSet;

use crate::analysis::{BaselineViolation, all_named, analysed, killed_by, versions_killed_by, violated};
use crate::choose::{Admission, ChoiceRule, Contender, Representative, Ruling, choose};
use crate::chosen::Chosen;
use crate::counterexample::values;
use crate::filter_counts::FilterTest;
use crate::ledger::{Ledger, RefutingInput};
use crate::search::Searches;
use crate::tuning::{
    CALLS_OF_MEASUREMENT, FEWEST_ANALYSED, FORMS_LEAST_GAIN, MEASURED_LEAST_GAIN, MEASURED_PART,
    MEASURED_SHORTFALL, OTHERS_LEAST_GAIN, POOL, TEXTBOOK_ROOM,
};
use crate::watch::TestPace;
use crate::{DiscoverOptions, relation_of};

/// The mutants that relations kill, among those that the search saw.
#[derive(Default)]
pub(super) struct Measures {
    known: Vec<Measured>,
}

/// A relation with the mutants that it kills.
struct Measured {
    chosen: Chosen,
    /// The mutants, by their index among those that the search saw; then the faulty versions.
    killed: FixedBitSet,
    /// Whether it was run on all of them. If not, it may kill more than is known.
    is_complete: bool,
}

/// What mutation analysis of some relations shows.
enum Measurement {
    /// The mutants that each of them kills, and those that there was no time to run.
    Killed { killed: Vec<FixedBitSet>, not_run: FixedBitSet },
    /// Some of them do not hold on the original.
    Violated(Vec<BaselineViolation>),
}

impl Measures {
    /// Measures the chosen relations that are not measured yet. Measured ones are run on inputs that have refuted other relations since.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn measure(
        &mut self,
        searches: &mut Searches<'_>,
        searched: &[MutantId],
    ) -> Result<(), LabError> {
        self.recheck(searches)?;
        let new = self.not_measured(&searches.ledger);
        let until = searches.watch.part_of_tests(MEASURED_PART);
        self.measure_all(searches, searched, new, &until)
    }

    /// Measures these relations, which are not measured yet.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn measure_all(
        &mut self,
        searches: &mut Searches<'_>,
        searched: &[MutantId],
        mut new: Vec<Chosen>,
        until: &Until,
    ) -> Result<(), LabError> {
        while !new.is_empty() {
            let Some(inputs) = affordable(searches, searched, new.len(), until) else {
                self.take_recorded(new);
                return Ok(());
            };
            match measurement(searches, &new, searched, (inputs, until))? {
                Measurement::Killed { killed, not_run } => {
                    searches.ledger.measured(new.len());
                    let all = new.into_iter().zip(killed);
                    self.known.extend(all.map(|(chosen, killed)| Measured::new(chosen, killed, &not_run)));
                    return Ok(());
                }
                // The others are measured without them.
                Measurement::Violated(violated) => {
                    searches.ledger.measured_in_vain(violated.len());
                    for BaselineViolation { place, source } in violated.iter().rev() {
                        searches.refute_chosen(&new.remove(*place), source)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The mutants that relations of known forms kill, without those that were dropped.
    pub(super) fn killed_by_forms(&self, ledger: &Ledger) -> FixedBitSet {
        let mut killed = FixedBitSet::new();
        let is_form = |m: &&Measured| m.chosen.form().is_some();
        let is_open = |m: &&Measured| !ledger.is_dropped(&m.chosen.relation.to_string());
        let open = self.known.iter().filter(is_form).filter(is_open);
        open.for_each(|measured| killed.union_with(&measured.killed));
        killed
    }

    /// The measured relations that were not dropped.
    pub(super) fn held<'m>(&'m self, ledger: &'m Ledger) -> impl Iterator<Item = &'m Chosen> {
        let is_open = |m: &&Measured| !ledger.is_dropped(&m.chosen.relation.to_string());
        self.known.iter().filter(is_open).map(|m| &m.chosen)
    }

    /// The chosen relations that are not measured yet.
    fn not_measured(&self, ledger: &Ledger) -> Vec<Chosen> {
        let is_new = |one: &&Chosen| {
            self.known.iter().all(|known| known.chosen.relation != one.relation)
                && !ledger.is_dropped(&one.relation.to_string())
        };
        ledger.chosen().iter().filter(is_new).cloned().collect()
    }

    /// There is no time to measure: the mutants that relations kill in the recorded executions have to suffice.
    fn take_recorded(&mut self, new: Vec<Chosen>) {
        let recorded = |chosen: Chosen| {
            let killed = chosen.candidate.caught.clone();
            Measured { chosen, killed, is_complete: false }
        };
        self.known.extend(new.into_iter().map(recorded));
    }

    /// Withdraws relations that an input violates which refuted another relation of the same transformation.
    fn recheck(&mut self, searches: &mut Searches<'_>) -> Result<(), LabError> {
        let new = searches.ledger.take_refuting_inputs();
        let pace = TestPace::start(searches.watch, None);
        for Measured { chosen, .. } in &self.known {
            let text = chosen.relation.to_string();
            let Some(inputs) = inputs_for(searches, chosen, &new) else { continue };
            if searches.ledger.is_dropped(&text) {
                continue;
            }
            let loaded = relation_of::load(&chosen.relation, searches.target.workbench.functions())?;
            let ran = searches.fresh("recheck").run_on(&loaded, &inputs, &mut searches.caller, &pace)?;
            if ran.refuted.is_some() {
                searches.ledger.withdrawn(text);
            }
        }
        Ok(())
    }

    /// The best small set of measured relations, without those that were dropped, that may not be listed, or that kill nothing where others do.
    ///
    /// Laws and invariants, the textbook relations, are in it however little they add to each other; then other relations that add enough to those. What room is left on
    /// the first screen is filled with the textbook relations that kill the most: they are worth reading although others kill the same.
    pub(super) fn best(
        &self,
        ledger: &Ledger,
        most: usize,
        is_listed: &dyn Fn(&Chosen) -> bool,
    ) -> Vec<Chosen> {
        let is_any_killed = self.known.iter().any(|measured| !measured.killed.is_clear());
        let is_open = |m: &&Measured| {
            // What catches nothing is not worth its line, unless nothing is known of mutants. A law that there was no time to run on them all is kept: that nothing
            // is known of it is no word against it.
            let is_known = m.is_complete || !m.chosen.is_textbook();
            let is_idle = is_any_killed && is_known && m.killed.is_clear();
            !is_idle && is_listed(&m.chosen) && !ledger.is_dropped(&m.chosen.relation.to_string())
        };
        let (textbook, others): (Vec<&Measured>, Vec<&Measured>) =
            self.known.iter().filter(is_open).partition(|measured| measured.chosen.is_textbook());
        let mut together = FixedBitSet::new();
        textbook.iter().chain(&others).for_each(|measured| together.union_with(&measured.killed));
        if together.is_clear() {
            // No mutant tells the relations apart.
            return textbook.iter().chain(&others).take(most).map(|one| one.chosen.clone()).collect();
        }
        let has_forms = !textbook.is_empty() || others.iter().any(|one| one.chosen.form().is_some());
        let all = together.count_ones(..);
        let much = all / MEASURED_LEAST_GAIN;
        let (little, some) = match has_forms {
            true => (all / FORMS_LEAST_GAIN, (all / OTHERS_LEAST_GAIN).max(1)),
            false => (much, much),
        };
        let representative = (!has_forms).then_some(Representative::MostKilled);
        let mut selection = Selection { room: most, representative, killed: FixedBitSet::new() };
        let mut told = selection.add_best(&textbook, little);
        let mut beside = match textbook.is_empty() {
            true => Vec::new(),
            false => selection.add_best(&others, much),
        };
        let is_new = |place: &usize| {
            let one = others[*place].contender();
            !beside.contains(place)
                && !beside.iter().any(|&other: &usize| one.is_needless_beside(&others[other].contender()))
        };
        let left: Vec<usize> = (0..others.len()).filter(is_new).collect();
        let of_left: Vec<&Measured> = left.iter().map(|&place| others[place]).collect();
        beside.extend(selection.add_best(&of_left, some).into_iter().map(|place| left[place]));
        selection.room = TEXTBOOK_ROOM.min(most).saturating_sub(told.len() + beside.len());
        told.extend(selection.add_strongest(&textbook, &told));
        told.sort_unstable();
        // Relations of known forms come first in the record.
        let (forms, others): (Vec<&Measured>, Vec<&Measured>) =
            beside.into_iter().map(|place| others[place]).partition(|one| one.chosen.form().is_some());
        let told = told.into_iter().map(|place| textbook[place]);
        told.chain(forms).chain(others).map(|measured| measured.chosen.clone()).collect()
    }
}

impl Measures {
    /// What is not among the best: relations that may not be listed, and those that there was no room for where there are as many as may be.
    pub(super) fn left_out(
        &self,
        ledger: &Ledger,
        (best, most): (&[Chosen], usize),
        is_listed: &dyn Fn(&Chosen) -> bool,
    ) -> LeftOut {
        let is_best = |m: &Measured| best.iter().any(|one| one.relation == m.chosen.relation);
        let mut caught = FixedBitSet::new();
        self.known.iter().filter(|m| is_best(m)).for_each(|m| caught.union_with(&m.killed));
        let is_open = |m: &&Measured| {
            !is_best(m)
                && !ledger.is_dropped(&m.chosen.relation.to_string())
                && m.killed.difference_count(&caught) > 0
        };
        let (readable, unreadable): (Vec<&Measured>, Vec<&Measured>) =
            self.known.iter().filter(is_open).partition(|m| is_listed(&m.chosen));
        let mut further = caught.clone();
        unreadable.iter().for_each(|m| further.union_with(&m.killed));
        LeftOut {
            unreadable: unreadable.len() as u64,
            unreadable_catch: further.difference_count(&caught) as u64,
            without_room: if best.len() < most { 0 } else { readable.len() as u64 },
        }
    }
}

/// A set of relations that grows.
struct Selection {
    /// How many more relations there is room for.
    room: usize,
    /// Which relation of each further transformation is added, if any is.
    representative: Option<Representative>,
    /// The mutants that the relations of the set kill.
    killed: FixedBitSet,
}

impl Selection {
    /// Adds relations greedily, each of which kills more than `least_gain` further mutants. Returns their indices.
    fn add_best(&mut self, from: &[&Measured], least_gain: usize) -> Vec<usize> {
        let rule = ChoiceRule {
            most: self.room,
            least_gain,
            shortfall: MEASURED_SHORTFALL,
            representative: self.representative,
        };
        let contenders: Vec<Contender<'_>> = from.iter().map(|measured| measured.contender()).collect();
        let Ok(set) = choose(&contenders, &rule, &self.killed, &mut AcceptsAll);
        self.add(from, &set.places);
        set.places
    }

    /// Adds the relations that kill the most, without those at `chosen`, as long as there is room. Returns their indices.
    fn add_strongest(&mut self, from: &[&Measured], chosen: &[usize]) -> Vec<usize> {
        let mut left: Vec<usize> = (0..from.len()).filter(|place| !chosen.contains(place)).collect();
        left.sort_by_key(|&place| Reverse(from[place].killed.count_ones(..)));
        left.truncate(self.room);
        self.add(from, &left);
        left
    }

    fn add(&mut self, from: &[&Measured], places: &[usize]) {
        self.room -= places.len();
        places.iter().for_each(|&place| self.killed.union_with(&from[place].killed));
    }
}

/// Accepts every relation, because all measured relations passed their tests.
struct AcceptsAll;

impl Admission for AcceptsAll {
    type Error = Infallible;

    fn decide(&mut self, _: usize, _: &[usize]) -> Result<Ruling, Infallible> {
        Ok(Ruling::Accepted)
    }
}

impl Measured {
    /// A relation that was run on all mutants but these: of them it kills what it kills in the recorded executions.
    fn new(chosen: Chosen, mut killed: FixedBitSet, not_run: &FixedBitSet) -> Measured {
        let mut recorded = chosen.candidate.caught.clone();
        recorded.intersect_with(not_run);
        killed.union_with(&recorded);
        Measured { chosen, killed, is_complete: not_run.is_clear() }
    }

    fn contender(&self) -> Contender<'_> {
        let (transformation, candidate) = (self.chosen.transformation(), &self.chosen.candidate);
        Contender { transformation, candidate, killed: &self.killed }
    }
}

impl Searches<'_> {
    /// Withdraws a chosen relation that a source input violates on the original, as mutation analysis has found.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn refute_chosen(&mut self, chosen: &Chosen, source: &[Binding]) -> Result<(), LabError> {
        self.ledger.dropped(chosen.relation.to_string());
        let loaded = relation_of::load(&chosen.relation, self.target.workbench.functions())?;
        match values(&**self.target.workbench, &loaded, source) {
            Some(values) => self.refute(chosen, &loaded, &values, FilterTest::MutationAnalysis),
            None => Ok(()),
        }
    }
}

/// Those of some inputs that refuted a relation of the same transformation, one column for each parameter; `None` if there are none.
fn inputs_for(searches: &Searches<'_>, chosen: &Chosen, all: &[RefutingInput]) -> Option<Vec<Column>> {
    let mine = all.iter().filter(|input| Some(input.transformation) == chosen.transformation());
    let inputs: Vec<&[Value]> = mine.map(|input| &input.values[..]).collect();
    let function = &searches.target.workbench.functions()[searches.target.function];
    (!inputs.is_empty()).then(|| columns(function, inputs))
}

/// On how many inputs each of these relations is measured: as many as the budget pays for, and as there is time for. `None` after an
/// interruption, without mutants and faulty versions, or if the function is so slow that even a few inputs would take minutes.
fn affordable(
    searches: &Searches<'_>,
    searched: &[MutantId],
    relations: usize,
    until: &Until,
) -> Option<u64> {
    let wanted = searches.options.relations.saturating_mul(POOL);
    let faults = searched.len() + searches.options.versions.len();
    let inputs = searches.budget.analysed(faults, wanted.max(relations));
    let inputs = inputs.filter(|_| searches.watch.may_go_on() && faults > 0)?;
    Some(timely(searches, inputs, faults * relations, (until, CALLS_OF_MEASUREMENT)))
}

/// How many of these inputs so many pairs of a mutant and a relation can be run on until the end of the time, but not fewer than the fewest. It is better to
/// run all mutants on some inputs than some mutants on all. There are so many times the calls that there is time for.
pub(super) fn timely(
    searches: &Searches<'_>,
    inputs: u64,
    pairs: usize,
    (until, times): (&Until, f64),
) -> u64 {
    let Some(left) = until.left() else { return inputs };
    // A group has two calls.
    let of_input = (2 * searches.sources.call_time).as_secs_f64() * pairs as f64;
    let calls = left.as_secs_f64() * searches.options.jobs.get() as f64 * times;
    let timely = (calls / of_input.max(f64::MIN_POSITIVE)) as u64;
    if timely >= inputs {
        return inputs;
    }
    searches.watch.clock_decided();
    timely.max(FEWEST_ANALYSED.min(inputs))
}

/// Records that the clock ended an analysis, if it did.
fn note_end(searches: &Searches<'_>, record: &MutationRecord) {
    if matches!(record.stop, StopReason::Interrupted { .. }) && !searches.watch.is_interrupted() {
        searches.watch.clock_decided();
    }
}

/// Runs relations on the mutants that the search saw, and on the faulty versions.
fn measurement(
    searches: &Searches<'_>,
    chosen: &[Chosen],
    searched: &[MutantId],
    (inputs, until): (u64, &Until),
) -> Result<Measurement, LabError> {
    let names: Vec<String> = (0..chosen.len()).map(|i| format!("measured_{i}")).collect();
    let relations = all_named(chosen.iter(), &names);
    // Other inputs than those of the evidence, so that the choice does not make the evidence look better than it is.
    let options = DiscoverOptions { seed: Seed(searches.options.seed.0 ^ 1), ..searches.options.clone() };
    let how = (Against::Relations, inputs);
    match analysed(searches.target, (searches.sources, &relations), how, searched, &options, until)? {
        MutateOutcome::BaselineViolated(check) => Ok(Measurement::Violated(violated(&check, &names))),
        MutateOutcome::Analysed(analysis) => {
            note_end(searches, &analysis.record);
            let killed = killed(&analysis.record, &names, searched);
            Ok(Measurement::Killed { killed, not_run: not_run(&analysis.record, searched) })
        }
    }
}

/// The mutants and versions that the clock left out, by their index among those that the search saw.
fn not_run(record: &MutationRecord, searched: &[MutantId]) -> FixedBitSet {
    let run = |m: &&MutantRecord| m.judgement != Judgement::NotRun;
    let run: HashSet<MutantId> = record.mutants.iter().filter(run).map(|mutant| mutant.id).collect();
    let mutants = (0..searched.len()).filter(|&place| !run.contains(&searched[place]));
    let versions = record.versions.iter().enumerate();
    let left_out = versions.filter(|(_, version)| version.judgement == Judgement::NotRun);
    mutants.chain(left_out.map(|(place, _)| searched.len() + place)).collect()
}

/// The mutants and versions that each relation kills, by their index among those that the search saw.
fn killed(record: &MutationRecord, names: &[String], searched: &[MutantId]) -> Vec<FixedBitSet> {
    let place: HashMap<MutantId, usize> = searched.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let of = |name: &String| {
        let mut killed = FixedBitSet::with_capacity(searched.len() + record.versions.len());
        killed.extend(killed_by(Some(record), name).iter().map(|id| place[id]));
        killed.extend(versions_killed_by(Some(record), name).iter().map(|version| searched.len() + version));
        killed
    };
    names.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
