//! Counts of mutants, and the scores that are made of them.
//!
//! The mutation score is killed / (all − equivalent − duplicate − accepted − not run). If relations were run, killed means by a relation.
//! The mutants that the suite of inputs reveals, with the original as oracle, are shown beside it: more relations could kill at most
//! these.
//!
//! A mutant on which no group is eligible counts in the score as not killed, and is shown as *untested* and not as alive, because no
//! relation was tested on it.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Against, Judgement, MutantRecord, MutationRecord, StopReason};

/// The mutants of one operator, or of all. Every mutant is in exactly one of the columns but `mutants` and `revealed`, so that these add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct OperatorRow {
    /// The operator.
    pub operator: String,
    /// Its mutants.
    pub mutants: u64,
    /// Those that are equivalent to the original.
    pub equivalent: u64,
    /// Those that are duplicates.
    pub duplicates: u64,
    /// Those that a person judged.
    pub accepted: u64,
    /// Those that were not run.
    pub not_run: u64,
    /// Those that are killed.
    pub killed: u64,
    /// Those with a call that traps where the original returns, and that are not killed.
    pub crashed: u64,
    /// Those with a call that runs out of fuel where the original returns, and that are not killed.
    pub timed_out: u64,
    /// Those that are alive.
    pub alive: u64,
    /// Those on which no relation was tested, because no group was eligible. They are not counted as alive.
    pub untested: u64,
    /// Of the scored: those that the inputs reveal with the original as oracle, which are those of the suite and those of the groups.
    /// What is detected is always revealed.
    pub revealed: u64,
}

impl OperatorRow {
    fn count(&mut self, mutant: &MutantRecord, against: Against) {
        self.mutants += 1;
        let column = match mutant.judgement {
            Judgement::Killed => &mut self.killed,
            Judgement::Crashed => &mut self.crashed,
            Judgement::TimedOut => &mut self.timed_out,
            Judgement::Alive => &mut self.alive,
            Judgement::Untested => &mut self.untested,
            Judgement::Equivalent { .. } => &mut self.equivalent,
            Judgement::Duplicate { .. } => &mut self.duplicates,
            Judgement::Accepted { .. } => &mut self.accepted,
            Judgement::NotRun => &mut self.not_run,
        };
        *column += 1;
        let is_revealed = mutant.is_detected() || mutant.revealed_by.is_some();
        if against != Against::Relations && mutant.is_scored() && is_revealed {
            self.revealed += 1;
        }
    }

    /// Mutants that the tests tell from the original.
    pub fn detected(&self) -> u64 {
        self.killed + self.crashed + self.timed_out
    }

    /// Mutants that a score is over: the detected, the alive and the untested.
    pub fn scored(&self) -> u64 {
        self.detected() + self.alive + self.untested
    }

    /// Detected of scored, from 0 to 1; nothing when there is nothing to detect.
    pub fn score(&self) -> Option<f64> {
        ratio(self.detected(), self.scored())
    }

    /// Revealed of scored, from 0 to 1; nothing when there is nothing to reveal.
    pub fn suite_score(&self) -> Option<f64> {
        ratio(self.revealed, self.scored())
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Why an analysis has no mutation score: a number would say something of tests that were not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScore {
    /// The subject could not be analysed.
    Failed,
    /// The analysis ended before every mutant was run.
    Unfinished {
        /// So many were not run.
        not_run: u64,
    },
    /// Every mutant is equivalent, a duplicate or accepted, or there is none.
    NothingToKill,
    /// Relations were asked for, and there is none.
    NoRelation,
    /// No group of any relation is eligible on the original.
    NoneEligible,
}

impl fmt::Display for NoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoScore::Failed => f.write_str("the subject could not be analysed"),
            NoScore::Unfinished { not_run: 1 } => f.write_str("1 mutant was not run"),
            NoScore::Unfinished { not_run } => write!(f, "{not_run} mutants were not run"),
            NoScore::NothingToKill => f.write_str("there is nothing to kill"),
            NoScore::NoRelation => f.write_str("there is no relation"),
            NoScore::NoneEligible => {
                f.write_str("no group of a relation is eligible, so that none was tested")
            }
        }
    }
}

impl MutationRecord {
    /// The counts of all mutants together; its operator is empty.
    pub fn totals(&self) -> OperatorRow {
        let mut row = OperatorRow::default();
        self.mutants.iter().for_each(|mutant| row.count(mutant, self.against));
        row
    }

    /// A row an operator that has mutants: in the order of [`MutationRecord::operators`], then by name.
    pub fn by_operator(&self) -> Vec<OperatorRow> {
        let mut rows: BTreeMap<(usize, &str), OperatorRow> = BTreeMap::new();
        for mutant in &self.mutants {
            let name = mutant.operator.as_str();
            let rank = self.operators.iter().position(|o| o == name).unwrap_or(usize::MAX);
            let new = || OperatorRow { operator: name.to_owned(), ..OperatorRow::default() };
            rows.entry((rank, name)).or_insert_with(new).count(mutant, self.against);
        }
        rows.into_values().collect()
    }

    /// Why there is no mutation score; nothing where there is one.
    pub fn no_score(&self) -> Option<NoScore> {
        let totals = self.totals();
        let ended_early = matches!(self.stop, StopReason::Interrupted { .. });
        let without_relations = self.asked == Against::Inputs;
        if self.failure.is_some() {
            Some(NoScore::Failed)
        } else if totals.not_run > 0 || ended_early {
            Some(NoScore::Unfinished { not_run: totals.not_run })
        } else if totals.scored() == 0 {
            Some(NoScore::NothingToKill)
        } else if !without_relations && self.relations.is_empty() {
            Some(NoScore::NoRelation)
        } else if !without_relations && self.relations.iter().all(|relation| relation.groups == 0) {
            Some(NoScore::NoneEligible)
        } else {
            None
        }
    }

    /// The mutation score, from 0 to 1: detected / (all − equivalent − duplicates − accepted). Nothing where
    /// [`MutationRecord::no_score`] says why.
    ///
    /// Detected are those that a relation kills, and those that crash or time out where the original returns. Where inputs alone
    /// were asked for, they are those that the suite reveals.
    pub fn score(&self) -> Option<f64> {
        match self.no_score() {
            None => self.totals().score(),
            Some(_) => None,
        }
    }

    /// The score of the inputs with the original as oracle, from 0 to 1: revealed over the same mutants as [`MutationRecord::score`],
    /// which it is never below. Nothing when there is nothing to reveal, no suite was run, or not every mutant was run.
    pub fn suite_score(&self) -> Option<f64> {
        match (self.against, self.no_score()) {
            (Against::Relations, _) | (_, Some(NoScore::Unfinished { .. })) => None,
            (Against::Inputs | Against::Both, _) => self.totals().suite_score(),
        }
    }
}
