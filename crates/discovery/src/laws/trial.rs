//! Tests laws on fresh inputs.

use std::sync::Arc;

use dodona_evidence::{Binding, CheckRecord, RefutedLaw, RelationVerdict};
use dodona_workbench::{
    CheckOptions, Interruption, LabError, Regressions, Seed, Until, Workbench, check::check_until,
};

use super::options::LawsOptions;
use super::tuning::{HELD_SHARE, LEAST_HELD};

/// A law in a form that no input refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AcceptedLaw {
    /// The relation, without `relation NAME`.
    pub(super) relation: String,
    /// The index of this form among all forms of the law, from the strictest on.
    pub(super) reading: usize,
    pub(super) held: u64,
    pub(super) ineligible: u64,
}

/// The result of testing a law on fresh inputs.
pub(super) enum LawVerdict {
    Accepted(AcceptedLaw),
    Refuted(RefutedLaw),
    /// The time was up.
    Open,
}

/// Runs laws on inputs that the search has not seen.
#[derive(Clone, Copy)]
pub(super) struct FreshTests<'a> {
    pub(super) workbench: &'a Workbench,
    pub(super) options: &'a LawsOptions,
    pub(super) interrupted: &'a Interruption,
    pub(super) until: &'a Until,
}

impl FreshTests<'_> {
    /// Tests a law on all fresh inputs.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn confirm(&self, relation: &str) -> Result<LawVerdict, LabError> {
        self.test(relation, self.options.fresh)
    }

    /// Tests a law, given without `relation NAME`, on this number of inputs.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn test(&self, relation: &str, sources: u64) -> Result<LawVerdict, LabError> {
        let text = format!("relation law{relation}");
        let refuted = |why: String| {
            LawVerdict::Refuted(RefutedLaw {
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
            Err(error) if error.is_stopped() => return Ok(LawVerdict::Open),
            Err(error) => return Err(error),
        };
        if self.interrupted.is_raised() || !self.until.goes_on() {
            return Ok(LawVerdict::Open);
        }
        Ok(verdict(&record, relation, &refuted))
    }
}

fn verdict(record: &CheckRecord, relation: &str, refuted: &dyn Fn(String) -> LawVerdict) -> LawVerdict {
    let Some(first) = record.relations.first() else { return LawVerdict::Open };
    let counterexample = first.counterexample.as_ref().map(|c| Binding::list(&c.source));
    match first.verdict() {
        RelationVerdict::Violated => refuted(counterexample.unwrap_or_default()),
        RelationVerdict::Holds
            if first.tally.held >= LEAST_HELD.min(first.tally.groups().div_ceil(HELD_SHARE)) =>
        {
            LawVerdict::Accepted(AcceptedLaw {
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
        RelationVerdict::NotRun => LawVerdict::Open,
    }
}
