//! Tests patterns on fresh inputs before they are chosen: a pattern has to hold on all of them, and apply to more than a few different ones.

use std::collections::{HashMap, HashSet};

use dodona_inference::patterns::{Change, Condition, Pattern, rows_where};
use dodona_target::{CallError, Column};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use super::fresh_inputs::{FreshInputs, any_of};
use super::pattern_candidates::Recorded;
use super::pattern_tuning::{EXAMPLES_IN, MOST_EXAMPLES};
use super::run::ChangeRun;
use crate::target::DiscoveryTarget;

/// Tests patterns on fresh inputs, made like those that the patterns were found with. The follow-up calls of an expectation are made once
/// for all of its conditions.
pub(super) struct FreshTest<'a> {
    target: &'a DiscoveryTarget<'a>,
    recorded: &'a Recorded<'a>,
    fresh: FreshInputs,
    /// The rows on which each atom is true.
    atoms: Vec<FixedBitSet>,
    /// A pattern about no more different inputs than this is none.
    examples: usize,
    /// The expectations that were tested, by their index.
    tested: HashMap<usize, Tested>,
}

/// An expectation that was tested.
struct Tested {
    /// The rows on which it is false.
    broken: FixedBitSet,
    /// The rows with a follow-up input about which the expectation says something.
    valid: FixedBitSet,
    /// The inputs that it is about: those of the follow-up calls, or of the source calls where it compares both.
    about: Vec<Column>,
}

impl Tested {
    /// How many different inputs an expectation is about on these rows, counted to a limit.
    fn examples(&self, rows: &FixedBitSet, limit: usize) -> usize {
        different(&self.about, &(rows & &self.valid), limit)
    }
}

/// How many different inputs these rows have, counted to a limit.
fn different(inputs: &[Column], rows: &FixedBitSet, limit: usize) -> usize {
    let mut seen: HashSet<String> = HashSet::new();
    let count = inputs.first().map_or(0, Column::len);
    for row in (0..count).filter(|&row| rows.contains(row)) {
        if seen.len() >= limit {
            break;
        }
        let values: Vec<String> = inputs.iter().map(|column| column.value(row).to_string()).collect();
        seen.insert(values.join(", "));
    }
    seen.len()
}

impl<'a> FreshTest<'a> {
    /// `fresh` are inputs made like those that the patterns were found with.
    pub(super) fn new(
        target: &'a DiscoveryTarget<'a>,
        recorded: &'a Recorded<'a>,
        fresh: FreshInputs,
    ) -> FreshTest<'a> {
        let atoms = fresh.rows_of(&recorded.vocabulary.atoms);
        let all = rows_where(fresh.inputs.len(), |_| true);
        let examples = different(&fresh.inputs.sources, &all, MOST_EXAMPLES * EXAMPLES_IN) / EXAMPLES_IN;
        FreshTest { target, recorded, fresh, atoms, examples, tested: HashMap::new() }
    }

    /// Whether a pattern holds on the inputs where one of its conditions is true, and is about more of them than a list of examples is.
    /// `held` is the index of its expectation.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn passes(
        &mut self,
        held: usize,
        pattern: &Pattern,
        conditions: &[&Condition],
    ) -> Result<bool, LabError> {
        if !self.tested.contains_key(&held) {
            let tested = self.run(pattern)?;
            self.tested.insert(held, tested);
        }
        let tested = &self.tested[&held];
        let rows = any_of(conditions, &self.atoms, self.fresh.inputs.len());
        Ok(rows.is_disjoint(&tested.broken) && tested.examples(&rows, self.examples + 1) > self.examples)
    }

    fn run(&self, pattern: &Pattern) -> Result<Tested, LabError> {
        let Recorded { function, output, .. } = self.recorded;
        let FreshInputs { inputs, outputs } = &self.fresh;
        let mut runner = self.target.workbench.target.executable.runner();
        let mut call = |columns: &[Column]| {
            runner.call(self.target.function, columns).map_err(|error| LabError::from(CallError::from(error)))
        };
        let run = ChangeRun::new(function, *output, &pattern.change, inputs, outputs, &mut call)?;
        let about = match pattern.expected.is_of_both() {
            false if pattern.change != Change::None => {
                pattern.change.arguments(&inputs.sources, &inputs.others)
            }
            _ => inputs.sources.clone(),
        };
        Ok(Tested {
            broken: run.broken(&pattern.expected, inputs, outputs),
            valid: run.about(&pattern.expected),
            about,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_about_the_different_inputs_that_have_a_follow_up_input() {
        let about = vec![Column::Int(vec![4, 4, 5, 6, 7]), Column::Int(vec![1, 1, 1, 1, 1])];
        let nowhere = FixedBitSet::with_capacity(5);
        let tested = Tested { broken: nowhere, valid: rows_where(5, |row| row < 4), about };
        let examples = |rows: fn(usize) -> bool, limit| tested.examples(&rows_where(5, rows), limit);
        assert_eq!(examples(|_| true, 9), 3, "(4, 1), (5, 1) and (6, 1)");
        assert_eq!(examples(|row| row < 2, 9), 1);
        assert_eq!(examples(|_| true, 2), 2);
    }
}
