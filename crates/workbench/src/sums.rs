//! What was seen of each relation of a check, and the records that are made of it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use dodona_records::{CallRecord, Counterexample, Elapsed, Provenance, RelationRecord, Tally};
use dodona_target::{Outcome, Trap, Until};

use crate::sources::SourceInputs;
use crate::violation::Violations;
use crate::work::{PlacedGroup, Slice};
use crate::{CheckOptions, LabError, LoadedRelation, Workbench, explain, kept};

/// The time after an interruption in which the counterexamples found so far are reported. The user has to be answered within
/// two seconds.
const GRACE: Duration = Duration::from_millis(700);

/// Tells what was out of domain in the first group of a relation that is ineligible for that reason, by the place of the relation and what was seen of it.
pub(crate) type Outside<'a> = dyn FnMut(usize, &Sum, &Until) -> Result<Option<String>, LabError> + 'a;

/// What was checked.
pub(crate) struct Checked<'a> {
    pub(crate) workbench: &'a Workbench,
    /// The relations checked, as indices into the workbench's.
    pub(crate) relations: &'a [usize],
    pub(crate) sources: &'a SourceInputs,
    pub(crate) options: &'a CheckOptions,
}

/// What was seen of one relation.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) sources: u64,
    pub(crate) tally: Tally,
    pub(crate) first: Option<PlacedGroup>,
    pub(crate) took: Duration,
    /// The first group that was skipped for each outcome of its source calls.
    pub(crate) skipped: BTreeMap<Outcome, PlacedGroup>,
    /// The kept source inputs whose group was not eligible, as rows of their batch.
    pub(crate) unjudged: BTreeSet<usize>,
}

impl Checked<'_> {
    /// The records of all relations; the first violation of each is shrunk.
    pub(crate) fn records(
        &self,
        sums: Vec<Sum>,
        until: &Until,
        warnings: &mut Vec<String>,
        outside_of: &mut Outside<'_>,
    ) -> Result<Vec<RelationRecord>, LabError> {
        let &Checked { workbench, relations, sources, options } = self;
        // Violations that were found are reported, even after an interruption.
        let grace = if until.goes_on() { until.clone() } else { Until::default().within(GRACE) };
        let mut violations = Violations { workbench, sources, options, warnings, grace: &grace };
        let mut found = Vec::new();
        let mut outside = Vec::new();
        for (place, (sum, &index)) in sums.iter().zip(relations).enumerate() {
            if !options.explains {
                found.push(None);
                outside.push((None, BTreeMap::new()));
                continue;
            }
            let violation =
                sum.first.as_ref().map(|f| violations.found(&workbench.relations[index], place, f));
            found.push(match violation.transpose() {
                // It is known that the relation is violated. The details are not waited for.
                Err(error) if error.is_stopped() => None,
                violation => violation?,
            });
            outside.push((
                sum.outside(place, violations.grace, outside_of)?,
                sum.skips(workbench, &workbench.relations[index], violations.grace)?,
            ));
        }
        for (place, sum) in sums.iter().enumerate() {
            sum.tell_unjudged(&mut violations, &workbench.relations[relations[place]], place)?;
        }
        // From here on every verdict and every violation is known. An interruption only ends the shrinking.
        let go_on = || until.goes_on();
        let mut records = Vec::new();
        for (((sum, violation), outside), &index) in sums.into_iter().zip(found).zip(outside).zip(relations) {
            let relation = &workbench.relations[index];
            let counterexample = sum.first.as_ref().zip(violation);
            let counterexample = counterexample.map(|(f, v)| violations.small(relation, f, v, &go_on));
            records.push(sum.record(relation, counterexample, outside));
        }
        Ok(records)
    }
}

/// The outcome of so many calls with what is known of one of them.
fn such_as(outcome: Outcome, count: u64, call: &CallRecord) -> String {
    let details = call.details();
    // What is to be done about an import is the same for all calls. What `abort` was called with is not.
    let is_advice = matches!(outcome, Outcome::Trapped(Trap::UnknownImport(_)));
    let is_advice = is_advice && !details.contains(": abort");
    match details.strip_prefix(':') {
        _ if is_advice || details.is_empty() || count == 1 => call.ended(),
        said => format!("{outcome}, such as{}", said.unwrap_or(&details)),
    }
}

impl Sum {
    /// What was out of domain, if that left no group to test. `place` is the index of the relation in the work.
    fn outside(
        &self,
        place: usize,
        grace: &Until,
        outside_of: &mut Outside<'_>,
    ) -> Result<Option<String>, LabError> {
        if self.tally.eligible() > 0 || self.tally.out_of_domain == 0 {
            return Ok(None);
        }
        match outside_of(place, self, grace) {
            // After an interruption this is not waited for.
            Err(error) if error.is_stopped() => Ok(None),
            outside => outside,
        }
    }

    /// Warns of each kept counterexample whose group is not eligible any more, whatever the reason: it does not show what it was kept for, and nobody
    /// checked that it is mended. `place` is the index of the relation in the work.
    fn tell_unjudged(
        &self,
        work: &mut Violations<'_>,
        relation: &LoadedRelation,
        place: usize,
    ) -> Result<(), LabError> {
        let sources = work.sources;
        for &row in &self.unjudged {
            let (group, values) = (sources.kept_group(place, row), sources.kept_values(place, row));
            let mut caller = work.workbench.caller().until(work.grace);
            let why = match explain::tell(work.workbench, relation, group, &values, &mut caller) {
                // After an interruption the details are not waited for.
                Err(error) if error.is_stopped() => "ineligible".to_owned(),
                told => told?.why,
            };
            let Provenance::Regression { path } = sources.kept_place(place, row) else { continue };
            let why = format!("{why}; if it is meant to be, remove the file");
            work.warnings.push(kept::not_checked(&path, &why));
        }
        Ok(())
    }

    /// How the first source call ended that did not return, for each outcome, with what is known of it.
    fn skips(
        &self,
        workbench: &Workbench,
        relation: &LoadedRelation,
        grace: &Until,
    ) -> Result<BTreeMap<String, String>, LabError> {
        let mut skips = BTreeMap::new();
        for (outcome, found) in &self.skipped {
            if outcome.meets_a_limit() {
                skips.insert(outcome.to_string(), outcome.with_limit());
                continue;
            }
            let mut caller = workbench.caller().until(grace);
            let told = match explain::tell(workbench, relation, found.group(), &found.values, &mut caller) {
                // After an interruption this is not waited for.
                Err(error) if error.is_stopped() => break,
                told => told?,
            };
            let name = outcome.to_string();
            let call = told.calls.iter().find(|call| call.outcome == name);
            let count = self.tally.skipped.get(&name).copied().unwrap_or(0);
            skips.extend(call.map(|call| (name, such_as(*outcome, count, call))));
        }
        Ok(skips)
    }

    fn record(
        self,
        relation: &LoadedRelation,
        counterexample: Option<Counterexample>,
        (outside, skipped): (Option<String>, BTreeMap<String, String>),
    ) -> RelationRecord {
        RelationRecord {
            name: relation.relation.name().to_owned(),
            text: relation.relation.text().to_owned(),
            file: relation.file.display().to_string(),
            line: relation.line,
            sources: self.sources,
            tally: self.tally,
            counterexample,
            skipped,
            outside,
            elapsed: Elapsed(self.took),
        }
    }

    pub(crate) fn add(&mut self, slice: Slice) {
        self.sources += slice.rows;
        self.took += slice.took;
        self.tally.merge(&slice.tally);
        if let Some(found) = slice.first
            && self.first.as_ref().is_none_or(|f| found.place < f.place)
        {
            self.first = Some(found);
        }
        self.unjudged.extend(slice.unjudged);
        for (outcome, found) in slice.skipped {
            match self.skipped.entry(outcome) {
                Entry::Occupied(known) if known.get().place <= found.place => {}
                entry => drop(entry.insert_entry(found)),
            }
        }
    }
}
