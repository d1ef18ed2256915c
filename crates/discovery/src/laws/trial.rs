//! Tests laws on fresh inputs.

use std::cell::Cell;

use dodona_records::{Binding, CheckRecord, RefutedLaw, RelationVerdict};
use dodona_target::{Interruption, Until};
use dodona_workbench::{LabError, Relations, Seed, Workbench, check::check_until};

use super::law_options::LawsOptions;
use super::law_tuning::{HELD_SHARE, LEAST_GROUPS_OF_A_LAW, LONG_FRESH, SHRINK_FUEL_OF_REFUTED};
use crate::relation_of::aside;

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
    /// The same subject with longer sequences and texts, where the domains allow some that are longer than what is usually drawn.
    pub(super) longer: Option<&'a Workbench>,
    pub(super) options: &'a LawsOptions,
    pub(super) interrupted: &'a Interruption,
    pub(super) until: &'a Until,
    /// Set where the clock ends a part of the search before `until`.
    pub(super) time_decided: &'a Cell<bool>,
    /// Whether each law that is found is tested again later on other inputs, so that an equation needs no second test before.
    pub(super) are_tested_again: bool,
}

impl FreshTests<'_> {
    /// Tests a law on all fresh inputs.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn confirm(&self, relation: &str) -> Result<LawVerdict, LabError> {
        self.test(relation, self.options.fresh)
    }

    /// Tests a law, given without `relation NAME`, on this number of inputs, and on some with longer data than is usually drawn: a law about lengths
    /// may be true up to the length of a line, of a block, or of a buffer.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn test(&self, relation: &str, sources: u64) -> Result<LawVerdict, LabError> {
        let verdict = match self.run(self.workbench, relation, sources)? {
            Ran::Ended(record) => verdict(&record, relation),
            Ran::Malformed(why) => refuted(relation, format!("it cannot be written as a relation: {why}")),
            Ran::Stopped => LawVerdict::Open,
        };
        let (LawVerdict::Accepted(_), Some(longer)) = (&verdict, self.longer) else { return Ok(verdict) };
        Ok(match self.run(longer, relation, sources.min(LONG_FRESH))? {
            Ran::Ended(record) => violation(&record, relation).unwrap_or(verdict),
            Ran::Malformed(_) => verdict,
            Ran::Stopped => LawVerdict::Open,
        })
    }

    fn run(&self, workbench: &Workbench, relation: &str, sources: u64) -> Result<Ran, LabError> {
        let text = format!("relation law{relation}");
        let relations = match Relations::of_text(&text, workbench.functions()) {
            Ok(relations) => relations,
            Err(LabError::Relations { problems, .. }) => {
                return Ok(Ran::Malformed(problems.first().map(|p| p.message.clone()).unwrap_or_default()));
            }
            Err(error) => return Err(error),
        };
        // Other inputs than those of the recorded executions.
        let seed = Seed(self.options.seed.0 ^ 0x6672_6573_6800_0000);
        let options = aside(sources, seed, self.options.jobs, SHRINK_FUEL_OF_REFUTED);
        let record = match check_until(workbench.about(relations), &options, self.until, &mut |_| {}) {
            Ok(record) => record,
            Err(error) if error.is_stopped() => return Ok(Ran::Stopped),
            Err(error) => return Err(error),
        };
        let is_stopped = self.interrupted.is_raised() || !self.until.goes_on();
        Ok(if is_stopped { Ran::Stopped } else { Ran::Ended(Box::new(record)) })
    }
}

/// How the run of a law on fresh inputs ended.
enum Ran {
    Ended(Box<CheckRecord>),
    /// It cannot be written as a relation, for this reason.
    Malformed(String),
    Stopped,
}

fn refuted(relation: &str, counterexample: String) -> LawVerdict {
    LawVerdict::Refuted(RefutedLaw { text: relation.trim_start_matches(": ").to_owned(), counterexample })
}

/// The verdict, if an input violates the law.
fn violation(record: &CheckRecord, relation: &str) -> Option<LawVerdict> {
    let first = record.relations.first().filter(|first| first.verdict() == RelationVerdict::Violated)?;
    let counterexample = first.counterexample.as_ref().map(|c| Binding::list(&c.source));
    Some(refuted(relation, counterexample.unwrap_or_default()))
}

fn verdict(record: &CheckRecord, relation: &str) -> LawVerdict {
    let Some(first) = record.relations.first() else { return LawVerdict::Open };
    match first.verdict() {
        RelationVerdict::Violated => violation(record, relation).unwrap_or(LawVerdict::Open),
        RelationVerdict::Holds
            if first.tally.held >= LEAST_GROUPS_OF_A_LAW.min(first.tally.groups().div_ceil(HELD_SHARE)) =>
        {
            LawVerdict::Accepted(AcceptedLaw {
                relation: relation.to_owned(),
                reading: 0,
                held: first.tally.held,
                ineligible: first.tally.groups() - first.tally.held,
            })
        }
        RelationVerdict::Holds | RelationVerdict::OnlyAllowed | RelationVerdict::NeverEligible => {
            let held = first.tally.held;
            refuted(relation, format!("only {held} of {} fresh inputs are eligible", first.tally.groups()))
        }
        RelationVerdict::NotRun => LawVerdict::Open,
    }
}
