//! What inputs run of a function, and how many relations test it.

use std::collections::BTreeMap;

use dodona_records::{
    AdequacyRecord, CoverageRecord, FileCoverage, FileLines, LineCoverage, RelationState, RelationVerdict,
    RunAdequacy, RunCoverage, RunRelation,
};
use dodona_session::Key;
use dodona_target::CallError;
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, takes};

use super::{Judged, Run};
use crate::kept::Made;
use crate::steps::{adequate, covered};
use crate::{RunError, Step};

impl Run<'_, '_, '_> {
    /// What inputs run of a function.
    pub(super) fn cover(&mut self, function: usize) -> Result<Option<CoverageRecord>, RunError> {
        let key = self.depends.begin(Step::Cover.name()).with(self.depends.lines(function).bytes());
        let key = self.with_inputs(key, &[function].into()).key();
        let (workbench, how, name) = (self.workbench.any(), self.how, self.name(function));
        let made = self.rows_for(function)?;
        self.piece(Step::Cover, &name, key, || covered(&workbench, function, &made, how).and_then(whole))
    }

    /// With how many of the relations that hold each branch of a function is tested: of the accepted ones, or where none is accepted of those that were found. `None` where no
    /// relation takes inputs of the function.
    pub(super) fn adequacy(
        &mut self,
        together: &Workbench,
        function: usize,
        relations: &[Judged],
    ) -> Result<Option<RunAdequacy>, RunError> {
        let of = |state: RelationState| -> BTreeMap<&str, usize> {
            let holds = |r: &RunRelation| r.state == state && r.verdict() == RelationVerdict::Holds;
            let is_chosen = |one: &&Judged| {
                holds(&one.relation) && takes(&together.relations[one.place].relation, function)
            };
            relations.iter().filter(is_chosen).map(|one| (one.relation.name(), one.place)).collect()
        };
        let accepted = of(RelationState::Accepted);
        let chosen = if accepted.is_empty() { of(RelationState::Found) } else { accepted };
        if chosen.is_empty() {
            return Ok(None);
        }
        let key = self.depends.begin(Step::Adequacy.name()).with(self.depends.lines(function).bytes());
        let mut key = self.with_inputs(key, &[function].into());
        for &index in chosen.values() {
            let relation: Key = self.depends.relation(&together.relations[index]);
            key = key.with(relation.bytes());
        }
        self.planned += 1;
        let (how, name) = (self.how, self.name(function));
        let (made, chosen) = (self.rows_for(function)?, chosen.into_values().collect::<Vec<_>>());
        let together = together.any();
        let make = || adequate(&together, function, &chosen, &made, how).and_then(whole);
        let record: Option<AdequacyRecord> = self.piece(Step::Adequacy, &name, key.key(), make)?;
        Ok(record.map(|record| RunAdequacy::of(&record)))
    }
}

/// A measurement, if it came to its end: a part of one would say that the rest is not run.
fn whole<T>(made: Made<T>) -> Result<Made<T>, LabError> {
    match made.is_whole {
        true => Ok(made),
        false => Err(LabError::Call(CallError::Stopped)),
    }
}

pub(crate) fn coverage_of(record: &CoverageRecord) -> RunCoverage {
    let lines = |file: &FileCoverage| {
        let (run, never_run): (Vec<&LineCoverage>, Vec<&LineCoverage>) =
            file.lines.iter().partition(|line| line.hits > 0);
        let numbers = |lines: Vec<&LineCoverage>| lines.into_iter().map(|line| line.line).collect();
        let branches = file.lines.iter().filter(|line| !line.branches.is_empty());
        FileLines {
            file: file.path.clone(),
            run: numbers(run),
            never_run: numbers(never_run),
            branches: branches.map(|line| (line.line, line.directions())).collect(),
        }
    };
    RunCoverage {
        statements: record.statements,
        branches: record.branches,
        files: record.files.iter().map(lines).collect(),
    }
}
