//! Makes the follow-up calls of a change, for the original function or a mutant of it.

use dodona_inference::patterns::{Change, Direction, Expected, rows_where};
use dodona_target::{Calls, Column, Signature, Value};
use dodona_workbench::{LabError, inputs::eligible_rows};
use fixedbitset::FixedBitSet;

use super::inputs::PatternInputs;

/// Calls the function under test, or a mutant of it, with a column for each parameter.
pub(super) type Call<'c> = &'c mut dyn FnMut(&[Column]) -> Result<Calls, LabError>;

/// The follow-up calls of the original or of a mutant under a change.
pub(super) struct ChangeRun {
    /// The inputs with a follow-up input in the domains that differs from the source input.
    pub(super) valid: FixedBitSet,
    /// Those of the valid inputs whose follow-up call did not return.
    stopped: FixedBitSet,
    /// The outputs of the follow-up calls, with a default value for each input without one.
    follow_ups: Column,
}

impl ChangeRun {
    /// Runs the follow-up calls of inputs whose source calls had these outputs; `output` is the index of the output that is looked at.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn new(
        function: &Signature,
        output: usize,
        change: &Change,
        inputs: &PatternInputs,
        outputs: &Column,
        call: Call<'_>,
    ) -> Result<ChangeRun, LabError> {
        let count = inputs.len();
        if *change == Change::None {
            let valid = rows_where(count, |_| true);
            return Ok(ChangeRun {
                valid,
                stopped: FixedBitSet::with_capacity(count),
                follow_ups: outputs.clone(),
            });
        }
        let arguments = change.arguments(&inputs.sources, &inputs.others);
        let rows: Vec<u32> = eligible_rows(function, &arguments)
            .into_iter()
            .filter(|&row| is_changed(change, inputs, &arguments, row as usize))
            .collect();
        let some: Vec<Column> = arguments.iter().map(|column| column.select(&rows)).collect();
        let calls = call(&some)?;
        let mut follow_ups = outputs.select(&[]);
        let [mut valid, mut stopped] = [(); 2].map(|()| FixedBitSet::with_capacity(count));
        let mut next = 0;
        for row in 0..count {
            let at = (rows.get(next) == Some(&(row as u32))).then_some(next);
            let Some(at) = at else {
                follow_ups.push_default();
                continue;
            };
            next += 1;
            valid.insert(row);
            match calls.outcomes[at].has_outputs() {
                true => follow_ups.push(&calls.outputs[output].value(at)),
                false => {
                    stopped.insert(row);
                    follow_ups.push_default();
                }
            }
        }
        Ok(ChangeRun { valid, stopped, follow_ups })
    }

    /// The valid inputs about which an expectation says something.
    pub(super) fn about(&self, expected: &Expected) -> FixedBitSet {
        &self.valid & &expected.applies(&self.follow_ups)
    }

    /// The inputs on which an expectation is false, or whose follow-up call did not return.
    pub(super) fn broken(
        &self,
        expected: &Expected,
        inputs: &PatternInputs,
        outputs: &Column,
    ) -> FixedBitSet {
        let mut broken = expected.broken(&inputs.sources, outputs, &self.follow_ups);
        broken.union_with(&self.stopped);
        broken.intersect_with(&self.valid);
        broken
    }

    /// The most frequent differences between the outputs of follow-up and source calls, without 0. Outputs that stand for something other
    /// than a number have no difference.
    pub(super) fn differences(
        &self,
        outputs: &Column,
        is_refusal: impl Fn(&Value) -> bool,
        most: usize,
    ) -> Vec<Value> {
        let difference = |row| {
            if is_refusal(&self.follow_ups.value(row)) || is_refusal(&outputs.value(row)) {
                return None;
            }
            Some(match (self.follow_ups.value(row), outputs.value(row)) {
                (Value::Int(a), Value::Int(b)) if a != b => Value::Int(a.saturating_sub(b)),
                // Rounding errors make equal differences look different. Rounded to six decimals, they are equal again.
                (Value::Float(a), Value::Float(b)) if a != b && (a - b).is_finite() => {
                    Value::Float(((a - b) * 1e6).round() / 1e6)
                }
                _ => return None,
            })
            .filter(|difference| *difference != Value::Float(0.0))
        };
        self.frequent(difference, most)
    }

    /// The most frequent outputs of follow-up calls, without infinities and NaN.
    pub(super) fn results(&self, most: usize) -> Vec<Value> {
        let is_finite = |value: &Value| !matches!(value, Value::Float(x) if !x.is_finite());
        self.frequent(|row| Some(self.follow_ups.value(row)).filter(is_finite), most)
    }

    /// The most frequent values of rows, of which each occurs more than five times in the first 1,000 rows that are valid and returned.
    fn frequent(&self, value: impl Fn(usize) -> Option<Value>, most: usize) -> Vec<Value> {
        let mut counts: Vec<(Value, usize)> = Vec::new();
        let returned = |row: &usize| self.valid.contains(*row) && !self.stopped.contains(*row);
        let rows = (0..self.follow_ups.len()).filter(returned).take(1_000);
        for value in rows.filter_map(value) {
            match counts.iter_mut().find(|(known, _)| *known == value) {
                Some((_, count)) => *count += 1,
                None => counts.push((value, 1)),
            }
        }
        counts.retain(|(_, count)| *count > 5);
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.into_iter().take(most).map(|(value, _)| value).collect()
    }
}

/// Whether the follow-up input of a row differs from the source input, in the direction that the change requires.
fn is_changed(change: &Change, inputs: &PatternInputs, arguments: &[Column], row: usize) -> bool {
    let differs = |parameter: usize| {
        let (old, new) = (inputs.sources[parameter].value(row), arguments[parameter].value(row));
        match (change, &old, &new) {
            (Change::Anew { direction: Direction::Up, .. }, Value::Int(old), Value::Int(new)) => new > old,
            (Change::Anew { direction: Direction::Up, .. }, Value::Float(old), Value::Float(new)) => {
                new > old
            }
            (Change::Anew { direction: Direction::Down, .. }, Value::Int(old), Value::Int(new)) => new < old,
            (Change::Anew { direction: Direction::Down, .. }, Value::Float(old), Value::Float(new)) => {
                new < old
            }
            _ => old != new,
        }
    };
    (0..arguments.len()).any(|parameter| change.is_of(parameter) && differs(parameter))
}
