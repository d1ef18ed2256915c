//! Answers to questions that were asked before.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::slices::{Slice, key};
use crate::solver::Unknown;
use crate::term::{Assignment, Evaluator, Term, Terms, Variable};

/// The most slices whose answers are kept. If there are more, all are forgotten.
const SLICES: usize = 1 << 16;
/// Models that are tried before a solver is asked.
const MODELS: usize = 16;

/// The answer for a slice: values for its variables if it is satisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Satisfiable(Vec<(Variable, u128)>),
    Unsatisfiable,
    Unknown(Unknown),
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Same,
    Subset,
    Model,
}

#[derive(Debug)]
pub(super) struct Cache {
    slices: FxHashMap<Vec<Term>, Known>,
    /// Sets of constraints that cannot be true together, by the last constraint of each.
    unsatisfiable: FxHashMap<Term, Vec<Vec<Term>>>,
    /// The newest first.
    models: VecDeque<Assignment>,
}

impl Default for Cache {
    fn default() -> Cache {
        // The assignment of zeros is worth a try.
        Cache {
            slices: FxHashMap::default(),
            unsatisfiable: FxHashMap::default(),
            models: [Assignment::default()].into(),
        }
    }
}

impl Cache {
    pub(super) fn answer(&self, terms: &Terms, slice: &Slice) -> Option<(Known, Source)> {
        if let Some(known) = self.slices.get(&slice.constraints) {
            return Some((known.clone(), Source::Same));
        }
        if self.has_unsatisfiable_subset(&slice.constraints) {
            return Some((Known::Unsatisfiable, Source::Subset));
        }
        let model = self.models.iter().find(|model| holds(terms, slice, model))?;
        Some((Known::of_model(slice, model), Source::Model))
    }

    pub(super) fn note(&mut self, slice: &Slice, known: &Known) {
        if self.slices.len() >= SLICES {
            self.slices.clear();
            self.unsatisfiable.clear();
        }
        if let (Known::Unsatisfiable, Some(&last)) = (known, slice.constraints.last()) {
            self.unsatisfiable.entry(last).or_default().push(slice.constraints.clone());
        }
        self.slices.insert(slice.constraints.clone(), known.clone());
    }

    pub(super) fn note_model(&mut self, model: &Assignment) {
        if self.models.len() == MODELS {
            self.models.pop_back();
        }
        self.models.push_front(model.clone());
    }

    fn has_unsatisfiable_subset(&self, constraints: &[Term]) -> bool {
        constraints
            .iter()
            .filter_map(|constraint| self.unsatisfiable.get(constraint))
            .flatten()
            .any(|subset| is_subset(subset, constraints))
    }
}

impl Known {
    pub(super) fn of_model(slice: &Slice, model: &Assignment) -> Known {
        Known::Satisfiable(slice.variables.iter().map(|&variable| (variable, model.get(variable))).collect())
    }
}

fn holds(terms: &Terms, slice: &Slice, model: &Assignment) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    // The constraint that was made last is the branch that is being tried, and the most likely one to be false.
    slice.constraints.iter().rev().all(|&constraint| evaluator.holds(constraint))
}

/// Whether a sorted list has all elements of another.
fn is_subset(subset: &[Term], constraints: &[Term]) -> bool {
    let mut rest = constraints.iter();
    subset.len() <= constraints.len()
        && subset
            .iter()
            .all(|&wanted| rest.find(|&&constraint| key(constraint) >= key(wanted)) == Some(&wanted))
}
