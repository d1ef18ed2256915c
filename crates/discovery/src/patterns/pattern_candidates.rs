//! Finds patterns that hold on the recorded executions of the original.

use dodona_inference::patterns::{
    Atom, Change, Condition, Expected, FollowUpOutputs, Order, Pattern, Vocabulary, conditions,
};
use dodona_mutation::HostError;
use dodona_target::{CallError, Column, Signature, Until};
use dodona_workbench::{LabError, Worker};
use fixedbitset::FixedBitSet;

use super::inputs::PatternInputs;
use super::pattern_tuning::{LEAST_ROWS, LEAST_SUPPORT, MOST_OUTPUT_DIFFERENCES, MOST_RESULTS};
use super::run::ChangeRun;
use crate::parallel::each;
use crate::target::DiscoveryTarget;
use crate::watch::Watch;

/// An expectation under a change, and the conditions under which it holds.
pub(super) struct HeldUnder {
    /// The index of the change.
    pub(super) change: usize,
    pub(super) expected: Expected,
    pub(super) conditions: Vec<Condition>,
}

/// The recorded executions of the original.
pub(super) struct Recorded<'a> {
    pub(super) function: &'a Signature,
    /// The index of the output that patterns are about.
    pub(super) output: usize,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) inputs: &'a PatternInputs,
    /// The outputs of the original.
    pub(super) outputs: &'a Column,
}

impl Recorded<'_> {
    /// The expectations that hold under some condition. The changes are tried in parallel.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn held(
        &self,
        target: &DiscoveryTarget<'_>,
        jobs: usize,
        watch: &Watch<'_>,
        until: &Until,
    ) -> Result<Vec<HeldUnder>, LabError> {
        let atoms = self.vocabulary.atoms.iter();
        let atoms: Vec<FixedBitSet> =
            atoms.map(|atom| atom.rows(&self.inputs.sources, self.outputs)).collect();
        let mut items: Vec<Result<Vec<HeldUnder>, LabError>> =
            self.vocabulary.changes.iter().map(|_| Ok(Vec::new())).collect();
        let work = |index: usize, item: &mut Result<Vec<HeldUnder>, LabError>| {
            if until.goes_on() {
                *item = self.held_under(target, index, &atoms);
            }
        };
        each(Worker::Enumeration, jobs, &mut items, watch, work, &mut |_| {})?;
        let all: Result<Vec<Vec<HeldUnder>>, LabError> = items.into_iter().collect();
        Ok(all?.into_iter().flatten().collect())
    }

    /// Whether the original has the same frequent output wherever a condition is true. Then the pattern "the result is this constant" says
    /// more than a comparison of two outputs, and it is found on its own.
    fn is_constant(&self, valid: &FixedBitSet, condition: &Condition, atoms: &[FixedBitSet]) -> bool {
        let rows = condition.within(valid, atoms);
        let mut constants = self
            .vocabulary
            .atoms
            .iter()
            .zip(atoms)
            .filter(|(atom, _)| matches!(atom, Atom::Output { order: Order::Equal, .. }));
        constants.any(|(_, equal)| rows.is_subset(equal))
    }

    fn held_under(
        &self,
        target: &DiscoveryTarget<'_>,
        index: usize,
        atoms: &[FixedBitSet],
    ) -> Result<Vec<HeldUnder>, LabError> {
        let change = &self.vocabulary.changes[index];
        let mut runner = target.workbench.target.executable.runner();
        let mut call = |columns: &[Column]| {
            runner.call(target.function, columns).map_err(|error: HostError| CallError::from(error).into())
        };
        let run = ChangeRun::new(self.function, self.output, change, self.inputs, self.outputs, &mut call)?;
        let seen = FollowUpOutputs {
            differences: run.differences(
                self.outputs,
                |output| self.vocabulary.is_refusal(output),
                MOST_OUTPUT_DIFFERENCES,
            ),
            results: run.results(MOST_RESULTS),
        };
        let mut held = Vec::new();
        for expected in self.vocabulary.expected(change, &seen, self.function) {
            let conditions = self.conditions_of(&expected, change, &run, atoms);
            if !conditions.is_empty() {
                held.push(HeldUnder { change: index, expected, conditions });
            }
        }
        Ok(held)
    }

    /// The conditions under which an expectation holds, and says more than others do.
    fn conditions_of(
        &self,
        expected: &Expected,
        change: &Change,
        run: &ChangeRun,
        atoms: &[FixedBitSet],
    ) -> Vec<Condition> {
        let least = (self.inputs.len() / LEAST_SUPPORT).max(LEAST_ROWS);
        let broken = run.broken(expected, self.inputs, self.outputs);
        let about = run.about(expected);
        let mut conditions = match change {
            Change::None => {
                let nowhere = FixedBitSet::with_capacity(self.inputs.len());
                let may_stand = |atom| self.vocabulary.may_stand(atom, change, expected);
                let allowed = self.vocabulary.atoms.iter().zip(atoms);
                let allowed = allowed.map(|(atom, rows)| if may_stand(atom) { rows } else { &nowhere });
                conditions(&about, &broken, &allowed.cloned().collect::<Vec<_>>(), least)
            }
            _ => conditions(&about, &broken, atoms, least),
        };
        if says_less_than_output(change, expected) {
            conditions.retain(|condition| !self.is_constant(&about, condition, atoms));
        }
        if let Expected::UnlessNegative(other) = expected {
            // Where the other expectation holds of negative outputs too, it says more.
            let broken = run.broken(other, self.inputs, self.outputs);
            conditions.retain(|condition| !condition.within(&broken, atoms).is_clear());
        }
        conditions
    }
}

/// Whether an expectation says less than the output itself if the output is constant: it compares the outputs of two calls, or the output
/// with a parameter.
fn says_less_than_output(change: &Change, expected: &Expected) -> bool {
    match expected.of_others() {
        Expected::Same | Expected::NotLower | Expected::NotHigher | Expected::Twice => {
            *change != Change::None
        }
        Expected::IsParameter(_) | Expected::Divides(_) => *change == Change::None,
        _ => false,
    }
}

impl HeldUnder {
    /// Its pattern under some of its conditions, at least one.
    pub(super) fn pattern(&self, conditions: &[&Condition], vocabulary: &Vocabulary) -> Pattern {
        let atoms = |condition: &&Condition| {
            let atoms: Vec<Atom> =
                condition.atoms.iter().map(|&atom| vocabulary.atoms[atom].clone()).collect();
            match &atoms[..] {
                [a, b] => a.equality_with(b).map_or(atoms, |equality| vec![equality]),
                _ => atoms,
            }
        };
        let mut all = conditions.iter().map(atoms);
        Pattern {
            change: vocabulary.changes[self.change].clone(),
            condition: all.next().unwrap_or_default(),
            or: all.collect(),
            expected: self.expected.clone(),
        }
    }
}
