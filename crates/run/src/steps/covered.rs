//! What inputs run of a function, and with how many relations each of its branches is tested.

use dodona_generation::{CoveredFunction, Detail, Order, StatementScope};
use dodona_lab::{Aims, CodeCriterion, Measurement, associate};
use dodona_records::{AdequacyRecord, CoverageRecord, StopReason};
use dodona_target::{Column, Until};
use dodona_workbench::{LabError, Workbench, inputs};

use super::{How, MadeRows};
use crate::kept::Made;

/// The number of different relations that each requirement is to be tested with, as in the study of k-MR coverage.
pub(crate) const K: usize = 3;

/// What inputs run of a function.
pub(crate) fn covered(
    workbench: &Workbench,
    function: usize,
    made: &[MadeRows],
    how: How<'_>,
) -> Result<Made<CoverageRecord>, LabError> {
    let batches = batches(workbench, function, made, how)?;
    let covered = CoveredFunction::of(workbench, function, StatementScope::AtHand, Order::Left)?;
    let jobs = how.options.jobs;
    let coverage = covered.cover(batches, Detail::Totals, jobs, how.interrupted, &mut |_| {})?;
    let result = covered.record(workbench, &coverage, how.options.seed);
    let is_whole = matches!(result.stop, StopReason::SourcesRun { .. });
    Ok(Made { result, is_whole })
}

/// Random inputs of a function, and those that were made.
fn batches(
    workbench: &Workbench,
    function: usize,
    made: &[MadeRows],
    how: How<'_>,
) -> Result<Vec<Vec<Column>>, LabError> {
    let (count, seed) = (how.options.inputs, how.options.seed);
    let mut batches = inputs(workbench, function, &[], count, seed, &mut Vec::new())?;
    let columns = made.iter().map(|rows| rows.columns(&workbench.functions()[function]));
    batches.extend(columns.filter(|columns| columns.first().is_some_and(|column| !column.is_empty())));
    Ok(batches)
}

/// With how many different relations, of these by index, each direction of a branch is tested, and where there is no branch each statement: k-MR coverage (section III of
/// the study).
pub(crate) fn adequate(
    workbench: &Workbench,
    function: usize,
    relations: &[usize],
    made: &[MadeRows],
    how: How<'_>,
) -> Result<Made<AdequacyRecord>, LabError> {
    let declared = &workbench.functions()[function];
    let mut columns: Vec<Column> = declared.parameters.iter().map(|p| Column::empty(p.ty)).collect();
    for batch in batches(workbench, function, made, how)? {
        columns.iter_mut().zip(&batch).for_each(|(to, from)| {
            (0..from.len()).for_each(|row| to.push(&from.value(row)));
        });
    }
    let until = Until::interrupted(how.interrupted);
    let executed = associate(workbench, function, relations, &columns, how.options.seed, &until)?;
    let asked = |criterion| {
        let aims = Aims::code(workbench, function, criterion)?;
        aims.requirements(&columns, how.options.jobs, how.interrupted)
    };
    let (mut criterion, mut requirements) =
        (CodeCriterion::Branch, asked(CodeCriterion::Branch)?.requirements);
    if requirements.names.is_empty() {
        criterion = CodeCriterion::Statement;
        requirements = asked(criterion)?.requirements;
    }
    let measurement = Measurement {
        workbench,
        function,
        columns: &columns,
        criterion: dodona_lab::Criterion::Code(criterion).name(),
        requirements: &requirements,
        executed: &executed,
        k: K,
        seed: how.options.seed,
    };
    Ok(Made { result: measurement.record(), is_whole: !how.interrupted.is_raised() })
}
