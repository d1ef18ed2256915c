//! Mutants as people read them, and what people said of them before.

use std::collections::BTreeMap;

use dodona_evidence::{Fate, Judgement, MutantId, MutantRecord, Place, StaleEntry};
use dodona_mutants::{Mutant, Mutants};
use dodona_subject::CodePoint;

use crate::{LabError, Workbench};

/// The descriptions of mutants.
pub(crate) struct Described<'a, 'm> {
    workbench: &'a Workbench,
    all: &'a Mutants<'m>,
}

impl<'a, 'm> Described<'a, 'm> {
    pub(crate) fn new(workbench: &'a Workbench, all: &'a Mutants<'m>) -> Result<Self, LabError> {
        Ok(Described { workbench, all })
    }

    /// A record of a mutant that was not run.
    pub(crate) fn record(&self, mutant: &Mutant) -> MutantRecord {
        let places = mutant.changes.iter().map(|change| {
            place(self.workbench, self.all.function(change).function, change.candidate.edits[0].at)
        });
        MutantRecord {
            id: mutant.id,
            key: String::new(),
            operator: mutant.operator.code().to_owned(),
            places: places.collect(),
            before: format!(
                "{:?}",
                self.all.function(&mutant.changes[0]).at(mutant.changes[0].candidate.edits[0].at).operator
            ),
            after: format!("{:?}", mutant.changes[0].candidate.edits[0].code),
            source_line: None,
            judgement: Judgement::NotRun,
            fate: Fate::Unreached,
            reached: 0,
            infected: 0,
            revealed_by: None,
            killed_by: Vec::new(),
            survivor: None,
        }
    }

    /// What a person said of a mutant.
    pub(crate) fn accepted(&self, _mutant: &Mutant) -> Option<&str> {
        None
    }

    pub(crate) fn stale(&self, _records: &BTreeMap<MutantId, MutantRecord>) -> Vec<StaleEntry> {
        Vec::new()
    }
}

/// Where an instruction stands.
pub(crate) fn place(workbench: &Workbench, function: u32, instruction: u32) -> Place {
    let point = CodePoint { function, instruction };
    let location = workbench.debug_info().and_then(|debug| debug.location(&workbench.module, point));
    Place {
        function: workbench.module.function_name(function),
        instruction,
        file: location.map(|l| l.file.clone()),
        line: location.map(|l| l.line),
        column: location.filter(|l| l.column > 0).map(|l| l.column),
    }
}
