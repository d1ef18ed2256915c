//! Tests laws on fresh inputs.

use std::sync::Arc;

use dodona_evidence::{Binding, CheckRecord, RefutedLaw, RelationVerdict};
use dodona_workbench::{
    CheckOptions, Interruption, LabError, Regressions, Seed, Until, Workbench, check::check_until,
};

use super::options::LawsOptions;

/// The inputs of the first test. Most laws that do not hold fail on them.
pub(super) const FIRST: u64 = 2_000;
/// The number of groups on which a law has to hold. A law that hardly any input is eligible for would not be tested.
const LEAST_HELD: u64 = 200;
/// If fewer groups are run than that would need, one in this many of them has to hold. A law without a variable has few groups.
const HELD_SHARE: u64 = 10;

/// A law in a form that no input refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    /// The relation, without `relation NAME`.
    pub(super) relation: String,
    /// The index of this form among all forms of the law, from the strictest on.
    pub(super) reading: usize,
    pub(super) held: u64,
    pub(super) ineligible: u64,
}

/// The result of testing a law on fresh inputs.
pub(super) enum Judged {
    Accepted(Accepted),
    Refuted(RefutedLaw),
    /// The time was up.
    Open,
}

/// Runs laws on inputs that the search has not seen.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub(super) workbench: &'a Workbench,
    pub(super) options: &'a LawsOptions,
    pub(super) interrupted: &'a Interruption,
    pub(super) until: &'a Until,
}

impl Trial<'_> {
    /// Tests a law on all fresh inputs.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn confirm(&self, relation: &str) -> Result<Judged, LabError> {
        self.test(relation, self.options.fresh)
    }

    /// Tests a law, given without `relation NAME`, on this number of inputs.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn test(&self, relation: &str, sources: u64) -> Result<Judged, LabError> {
        let text = format!("relation law{relation}");
        let refuted = |why: String| {
            Judged::Refuted(RefutedLaw {
                text: relation.trim_start_matches(": ").to_owned(),
                counterexample: why,
            })
        };
        let loaded = match self.workbench.with_relations(&text) {
            Ok(loaded) => Arc::new(loaded),
            Err(LabError::Relations { problems, .. }) => {
                let why = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
                return Ok(refuted(format!("it cannot be written as a relation: {why}")));
            }
            Err(error) => return Err(error),
        };
        let options = CheckOptions {
            sources,
            files: Vec::new(),
            made: Vec::new(),
            relations: Vec::new(),
            // Other inputs than those of the recorded executions.
            seed: Seed(self.options.seed.0 ^ 0x6672_6573_6800_0000),
            jobs: self.options.jobs,
            regressions: Regressions::Ignore,
        };
        let record = match check_until(&loaded, &options, self.until, &mut |_| {}) {
            Ok(record) => record,
            Err(error) if error.is_stopped() => return Ok(Judged::Open),
            Err(error) => return Err(error),
        };
        if self.interrupted.is_raised() || !self.until.goes_on() {
            return Ok(Judged::Open);
        }
        Ok(verdict(&record, relation, &refuted))
    }
}

fn verdict(record: &CheckRecord, relation: &str, refuted: &dyn Fn(String) -> Judged) -> Judged {
    let Some(first) = record.relations.first() else { return Judged::Open };
    let counterexample = first.counterexample.as_ref().map(|c| Binding::list(&c.source));
    match first.verdict() {
        RelationVerdict::Violated => refuted(counterexample.unwrap_or_default()),
        RelationVerdict::Holds
            if first.tally.held >= LEAST_HELD.min(first.tally.groups().div_ceil(HELD_SHARE)) =>
        {
            Judged::Accepted(Accepted {
                relation: relation.to_owned(),
                reading: 0,
                held: first.tally.held,
                ineligible: first.tally.groups() - first.tally.held,
            })
        }
        RelationVerdict::Holds | RelationVerdict::NeverEligible => {
            let held = first.tally.held;
            refuted(format!("only {held} of {} fresh inputs are eligible", first.tally.groups()))
        }
        RelationVerdict::NotRun => Judged::Open,
    }
}
