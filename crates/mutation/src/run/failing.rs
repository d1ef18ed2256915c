//! Calls of a mutant that do not return although the original's do.

use dodona_records::{Ineligible, KillKind, Mode, SectionKind, Verdict};
use dodona_target::Outcome;
use dodona_wasm::execute::Runner;
use dodona_workbench::LabError;

use super::{FIRST_SLICE, Tests, Version};
use crate::result::{Failure, MutantResult};
use crate::strong::Test;
use crate::suite::TestKind;

impl Tests<'_> {
    /// Whether there are relations and none kills the mutant.
    pub(super) fn passes_relations(&self, result: &MutantResult) -> bool {
        let sections = self.suite.sections.iter().zip(&result.kills);
        let mut of_relations = sections.filter(|(s, _)| s.kind == SectionKind::Relation).peekable();
        of_relations.peek().is_some() && of_relations.all(|(_, kills)| kills.is_none())
    }

    /// Runs a mutant that no relation kills on the inputs after the first that reveals it, until a call fails. So whether it crashes or times out does not
    /// depend on how long it was run.
    pub(super) fn failing_input(
        &self,
        version: &Version<'_>,
        (ran_first, ends): (&[Test], &[usize]),
        runner: &mut Runner,
        result: &mut MutantResult,
    ) -> Result<(), LabError> {
        for (index, batch) in self.suite.batches.iter().enumerate() {
            // Where no input reveals the mutant, it was run on all of them.
            let is_input = matches!(batch.kind, TestKind::Inputs { .. });
            let was_cut = is_input && result.kills[batch.section].is_some() && self.mode != Mode::Matrix;
            if !was_cut || !version.can_run_in(self.suite, batch.section) {
                continue;
            }
            let rows = self.rows_but(index, version, ran_first);
            let mut rest = &rows[ends[index]..];
            let mut size = FIRST_SLICE;
            while !rest.is_empty() && result.failure.is_none() {
                let slice;
                (slice, rest) = rest.split_at(size.min(rest.len()));
                size *= 8;
                self.slice(index, slice, version, runner, result)?;
                result.executed += slice.len() as u64;
            }
        }
        Ok(())
    }
}

/// Notes the first call that fails, given by its row and how it ends.
pub(super) fn note_failure(result: &mut MutantResult, index: usize, failed: Option<(usize, KillKind)>) {
    if let (None, Some((row, how))) = (&result.failure, failed) {
        result.failure = Some(Failure { test: (index, row), how });
    }
}

/// The row of a group that holds on the original and in which a source call of the mutant does not return.
pub(super) fn failed_source((verdict, row): (&Verdict, &u32)) -> Option<(usize, KillKind)> {
    match verdict {
        Verdict::Ineligible(Ineligible::Skipped(outcome)) => {
            let how = KillKind::of_outcomes(Outcome::Returned, *outcome)?;
            how.failure().is_some().then_some((*row as usize, how))
        }
        _ => None,
    }
}
