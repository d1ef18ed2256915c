//! What tests say of one version.

use std::sync::Arc;

use dodona_records::{
    Against, Binding, CheckRecord, FailedCall, Judgement, KillKind, RelationKill, RelationRecord, Revealed,
    StopReason, Tally,
};
use dodona_target::{CallError, Calls, Outcome, Until};
use dodona_workbench::{CheckOptions, LabError, Regressions, Workbench, bindings, check::check_until};

use super::{InputBatch, OutsideVersion, Tests};
use crate::suite;

/// The most inputs of the suite that are run at once. It begins with one and doubles: a version that does not come back from one input in so many has then met few of them, each of which takes as long
/// as a call may.
const ROWS_AT_ONCE: usize = 256;

/// What was made of a version.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    pub(super) revealed: Option<Revealed>,
    pub(super) killed_by: Vec<RelationKill>,
    pub(super) failed: Option<FailedCall>,
    /// The verdicts on it of all groups that are eligible on the original, where none of them is eligible on it.
    pub(super) untested: Option<Tally>,
    /// Why it could not be run to its end.
    pub(super) not_run: Option<String>,
    /// Tests that were run.
    pub(super) tests: u64,
}

impl Judged {
    pub(super) fn judgement(&self, against: Against) -> Judgement {
        let Judged { killed_by, revealed, failed, untested, not_run, .. } = self;
        match not_run {
            Some(_) => Judgement::NotRun,
            None => Judgement::of_tests(
                against,
                killed_by,
                revealed.as_ref(),
                failed.as_ref(),
                untested.is_some(),
            ),
        }
    }

    pub(super) fn is_alive(&self, against: Against) -> bool {
        matches!(self.judgement(against), Judgement::Alive | Judgement::Untested)
    }
}

/// Runs the tests on a version.
///
/// # Errors
/// When the work was to end. What keeps a version itself from being run is part of the result.
pub(super) fn judged(tests: &Tests, version: &OutsideVersion, until: &Until) -> Result<Judged, LabError> {
    let mut judged = Judged::default();
    let ran = run(tests, version, until, &mut judged);
    match ran {
        Err(error) if error.is_stopped() => Err(error),
        Err(error) => {
            let said = error.to_string();
            judged.not_run = Some(said.lines().next().unwrap_or_default().to_owned());
            Ok(judged)
        }
        Ok(()) => Ok(judged),
    }
}

fn run(tests: &Tests, version: &OutsideVersion, until: &Until, judged: &mut Judged) -> Result<(), LabError> {
    let target = (version.open)(tests.time)?;
    let errors = match target.traits().kind == tests.workbench.target.traits().kind {
        true => Errors::Told,
        false => Errors::Alike,
    };
    let mut session = target.open();
    session.end_at(until);
    for batch in &tests.inputs {
        let rows: Vec<u32> = (0..batch.calls.outcomes.len() as u32).collect();
        let (mut left, mut size) = (rows.as_slice(), 1);
        while !left.is_empty() {
            let (rows, later) = left.split_at(size.min(left.len()));
            (left, size) = (later, (size * 2).min(ROWS_AT_ONCE));
            let columns: Vec<_> = batch.columns.iter().map(|column| column.select(rows)).collect();
            let calls = session.call(batch.function, &columns)?;
            judged.tests += rows.len() as u64;
            for (row, &original) in rows.iter().enumerate() {
                compare((tests, errors), batch, original as usize, (&calls, row), judged);
            }
            if judged.failed.as_ref().is_some_and(|failed| failed.how == KillKind::OutOfTime) {
                // Each further call may take as long. What the relations would say is not waited for.
                return Ok(());
            }
        }
    }
    drop(session);
    let version = Workbench::new(target, Arc::clone(&tests.workbench.relations)).any();
    relations(tests, &version, until, judged)
}

/// Whether two calls that both end in an error differ where the errors do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Errors {
    /// They do.
    Told,
    /// They are alike: languages have different names for them.
    Alike,
}

/// Compares a call of a version with that of the original.
fn compare(
    (tests, errors): (&Tests, Errors),
    batch: &InputBatch,
    original: usize,
    (calls, row): (&Calls, usize),
    judged: &mut Judged,
) {
    let outcomes = [batch.calls.outcomes[original], calls.outcomes[row]];
    let differs = |how: KillKind| (!batch.calls.same_outputs(original, calls, row)).then_some(how);
    let how = match KillKind::of_outcomes(outcomes[0], outcomes[1]) {
        None if outcomes[1].has_outputs() => differs(KillKind::Output),
        how => how,
    };
    let is_error = outcomes.map(|outcome| !outcome.has_outputs() && !outcome.meets_a_limit());
    if errors == Errors::Alike && is_error == [true, true] {
        return;
    }
    // What the original does not do within its limits says nothing of a version.
    let Some(how) = how.filter(|_| outcomes[0] != Outcome::OutOfTime) else { return };
    if judged.failed.is_none() && outcomes[0].has_outputs() && how.failure().is_some() {
        let name = tests.workbench.functions()[batch.function].name.clone();
        judged.failed =
            Some(FailedCall { test: name, input: input(tests, batch, original), how: how.clone() });
    }
    match &mut judged.revealed {
        Some(revealed) => revealed.inputs += 1,
        None => {
            judged.revealed = Some(Revealed {
                inputs: 1,
                first: input(tests, batch, original),
                expected: batch.calls.told(original),
                found: calls.told(row),
                how,
            });
        }
    }
}

/// An input of the suite, by the names of the parameters.
fn input(tests: &Tests, batch: &InputBatch, row: usize) -> Vec<Binding> {
    let parameters = &tests.workbench.functions()[batch.function].parameters;
    let values: Vec<_> = batch.columns.iter().map(|column| column.value(row)).collect();
    bindings(parameters.iter().map(|p| p.name.as_str()).zip(&values))
}

/// Runs the relations on a version, which stands in the place of the original.
fn relations(
    tests: &Tests,
    version: &Arc<Workbench>,
    until: &Until,
    judged: &mut Judged,
) -> Result<(), LabError> {
    if tests.relations.is_empty() {
        return Ok(());
    }
    let options = CheckOptions {
        relations: tests.workbench.relation_names(&tests.relations),
        jobs: std::num::NonZeroUsize::MIN,
        regressions: Regressions::Ignore,
        shrink_fuel: 0,
        ..suite::check_options(&tests.options)
    };
    let check = match check_until(Arc::clone(version), &options, until, &mut |_| {}) {
        Err(LabError::CutShort(record)) => *record,
        check => check?,
    };
    if matches!(check.stop, StopReason::Interrupted { .. }) {
        return Err(LabError::Call(CallError::Stopped));
    }
    note(&check, judged);
    Ok(())
}

/// Notes which relations are violated, or that none was tested.
fn note(check: &CheckRecord, judged: &mut Judged) {
    judged.killed_by = check.relations.iter().filter_map(kill).collect();
    let mut all = Tally::default();
    check.relations.iter().for_each(|relation| all.merge(&relation.tally));
    judged.tests += all.groups();
    if all.eligible() == 0 && all.groups() > 0 {
        judged.untested = Some(all);
    }
}

fn kill(relation: &RelationRecord) -> Option<RelationKill> {
    let groups = relation.tally.violated;
    (groups > 0).then(|| {
        let counterexample = relation.counterexample.as_ref();
        let failing = counterexample.and_then(|one| one.calls.iter().find(|call| call.outputs.is_empty()));
        let how = match failing {
            Some(call) if call.outcome.starts_with("trapped") => {
                KillKind::Trap { trap: call.outcome.trim_start_matches("trapped: ").to_owned() }
            }
            _ => KillKind::Output,
        };
        RelationKill {
            relation: relation.name.clone(),
            groups,
            source: counterexample.map(|one| one.found.clone()).unwrap_or_default(),
            how,
        }
    })
}
