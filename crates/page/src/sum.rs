//! Sums over the functions of a run: relations by verdict, and the score.

use std::collections::BTreeSet;

use dodona_records::{FunctionRun, RelationState, RelationVerdict, RunRecord, Share};

use crate::words::functions;

/// Sums over functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) functions: usize,
    /// Accepted relations that hold, are violated, and were never tested.
    pub(crate) hold: usize,
    pub(crate) violated: usize,
    pub(crate) never_tested: usize,
    pub(crate) proved: usize,
    /// Relations that were found and hold, and that nobody accepted yet.
    pub(crate) found: usize,
}

impl Sum {
    /// Of a whole run.
    pub(crate) fn of(run: &RunRecord) -> Sum {
        Sum::about(run, run).unwrap_or_default()
    }

    /// Of what a run found of subjects that another run is about too; `None` where it is about none of them. Figures of different subjects say nothing of each other.
    pub(crate) fn about(run: &RunRecord, other: &RunRecord) -> Option<Sum> {
        let is_in_both = |name: &str| other.subjects.iter().any(|one| one.subject == name);
        if !run.subjects.iter().any(|subject| is_in_both(&subject.subject)) {
            return None;
        }
        let mut sum = Sum::default();
        functions(run)
            .filter(|(subject, _)| is_in_both(&subject.subject))
            .for_each(|(_, function)| sum.add(function));
        Some(sum)
    }

    fn add(&mut self, function: &FunctionRun) {
        self.functions += 1;
        for relation in &function.relations {
            match (relation.state, relation.verdict()) {
                (RelationState::Accepted, RelationVerdict::Holds) => {
                    self.hold += 1;
                    self.proved += usize::from(relation.is_proved());
                }
                (RelationState::Accepted, RelationVerdict::Violated) => self.violated += 1,
                (RelationState::Accepted, _) => self.never_tested += 1,
                (RelationState::Found, RelationVerdict::Holds) => self.found += 1,
                (RelationState::Found, _) => {}
            }
        }
    }
}

/// Functions by the manifests of their subjects and their own names.
pub(crate) type Names<'r> = BTreeSet<(&'r str, &'r str)>;

/// The functions of whose faults all were run. A score of a part of them is none.
pub(crate) fn judged(run: &RunRecord) -> Names<'_> {
    let is_judged =
        |function: &FunctionRun| function.faults.as_ref().is_some_and(|faults| faults.not_run == 0);
    let judged = functions(run).filter(|(_, function)| is_judged(function));
    judged.map(|(subject, function)| (subject.manifest.as_str(), function.function.as_str())).collect()
}

/// How many of the faults of these functions that inputs reveal the accepted relations catch.
pub(crate) fn score(run: &RunRecord, of: &Names<'_>) -> Share {
    let mut score = Share { covered: 0, total: 0 };
    for (subject, function) in functions(run) {
        if let Some(faults) = &function.faults
            && of.contains(&(subject.manifest.as_str(), function.function.as_str()))
        {
            let Share { covered, total } = faults.score();
            score = Share { covered: score.covered + covered, total: score.total + total };
        }
    }
    score
}
