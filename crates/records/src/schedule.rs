//! How the calls of a check with a budget were spent, for whoever compares schedules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the calls of a budget were spent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ScheduleRecord {
    /// The name of the schedule: `round-robin`, `feedback` or `bandit`.
    pub schedule: String,
    /// The most calls of functions under test that verdicts might take.
    pub budget: u64,
    /// The calls that were made for verdicts, never more than the budget.
    pub runs: u64,
    /// The calls that were made to explain violations and to make them simpler, beside the budget.
    pub beside: u64,
    /// One entry for each relation, in the order of the check's.
    pub relations: Vec<ScheduledRelation>,
}

/// How many calls of a budget one relation took.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ScheduledRelation {
    /// The relation's name.
    pub name: String,
    /// The calls that its groups made.
    pub runs: u64,
    /// The calls that its own groups had made when its first violation was seen, those of that group included. None where it was not violated:
    /// with the calls of the relation as a bound below, that is a censored observation.
    pub own_runs_to_violation: Option<u64>,
    /// The same of the calls of all relations.
    pub runs_to_violation: Option<u64>,
    /// The parts of its source inputs, in order.
    pub partitions: Vec<ScheduledPartition>,
}

/// What one part of a relation's source inputs got.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ScheduledPartition {
    /// Which values lie in it: `x negative, y small`; `all` where there is one part.
    pub name: String,
    /// Groups whose source input lies in it, ineligible ones included.
    pub groups: u64,
    /// The calls of those groups.
    pub runs: u64,
}

impl ScheduleRecord {
    /// The calls after which the first relation was violated; none where none was.
    pub fn runs_to_first_violation(&self) -> Option<u64> {
        self.relations.iter().filter_map(|relation| relation.runs_to_violation).min()
    }
}
