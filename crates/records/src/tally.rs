//! Counting verdicts.

use std::collections::BTreeMap;

use dodona_relations::{Allowance, Ineligible, Verdict, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many metamorphic groups had each verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Tally {
    /// Groups in which the relation holds.
    pub held: u64,
    /// Of the held: groups in which `~=` holds only because rounding explains the difference of its sides.
    pub rounded: u64,
    /// Of the held: groups in which `~=` holds only because of the absolute tolerance that the relation gives.
    pub absolute: u64,
    /// Groups that violate it, those with an undefined expectation included.
    pub violated: u64,
    /// Of the violated: groups whose expectation is undefined (a division by zero, an index out of range).
    pub undefined: u64,
    /// Of the violated: groups with a follow-up call that did not return where the source did.
    pub follow_up_failed: u64,
    /// Ineligible: the `when` condition is false.
    pub condition_false: u64,
    /// Ineligible: the `when` condition is undefined.
    pub condition_undefined: u64,
    /// Ineligible: an input is outside its parameter's type or domain.
    pub out_of_domain: u64,
    /// Ineligible: a source call did not return; by how it ended.
    pub skipped: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts one group.
    pub fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Holds => self.held += 1,
            Verdict::Allowed(by) => {
                self.held += 1;
                match by {
                    Allowance::Rounding => self.rounded += 1,
                    Allowance::Absolute => self.absolute += 1,
                }
            }
            Verdict::Violated(why) => {
                self.violated += 1;
                if let Violation::FollowUp(_) = why {
                    self.follow_up_failed += 1;
                }
            }
            Verdict::Undefined => {
                self.violated += 1;
                self.undefined += 1;
            }
            Verdict::Ineligible(why) => match why {
                Ineligible::Condition => self.condition_false += 1,
                Ineligible::ConditionUndefined => self.condition_undefined += 1,
                Ineligible::OutOfDomain => self.out_of_domain += 1,
                Ineligible::Skipped(outcome) => *self.skipped.entry(outcome.to_string()).or_default() += 1,
            },
        }
    }

    /// Groups that the relation speaks of: those that hold and those that violate.
    pub fn eligible(&self) -> u64 {
        self.held + self.violated
    }

    /// Groups that the relation says nothing of.
    pub fn ineligible(&self) -> u64 {
        self.condition_false
            + self.condition_undefined
            + self.out_of_domain
            + self.skipped.values().sum::<u64>()
    }

    /// All groups.
    pub fn groups(&self) -> u64 {
        self.eligible() + self.ineligible()
    }

    /// The eligible of all groups, from 0 to 1; nothing where there is no group.
    pub fn share(&self) -> Option<f64> {
        let groups = self.groups();
        (groups > 0).then(|| self.eligible() as f64 / groups as f64)
    }

    /// Adds the counts of another tally; the order of merging does not matter.
    pub fn merge(&mut self, other: &Tally) {
        self.held += other.held;
        self.rounded += other.rounded;
        self.absolute += other.absolute;
        self.violated += other.violated;
        self.undefined += other.undefined;
        self.follow_up_failed += other.follow_up_failed;
        self.condition_false += other.condition_false;
        self.condition_undefined += other.condition_undefined;
        self.out_of_domain += other.out_of_domain;
        for (outcome, count) in &other.skipped {
            *self.skipped.entry(outcome.clone()).or_default() += count;
        }
    }
}
