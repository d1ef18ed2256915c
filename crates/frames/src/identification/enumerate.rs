//! The complete test frames that constraints allow.

use std::collections::BTreeSet;

use crate::identification::formula::Formula;
use crate::identification::specification::{Frame, Specification};

/// The frames that satisfy the constraints, one at a time, in the order of the file: the last category changes fastest.
///
/// If a constraint is false for the choices made so far, all frames with these choices are skipped. So a few thousand frames
/// among millions of combinations are found without trying all of them.
pub fn frames(specification: &Specification) -> impl Iterator<Item = Frame> {
    let constraints: Vec<&Formula> = specification.constraints.iter().map(|(formula, _)| formula).collect();
    let all = (0..specification.inputs.len()).collect();
    // Checked first, because otherwise a contradiction in the last categories would be found again for every combination of the others.
    let is_possible = is_possible(specification, &constraints);
    is_possible.then(|| Walk::new(specification, constraints, all)).into_iter().flatten()
}

/// Whether some frame satisfies formulas. Formulas without common categories are treated separately, and only categories that occur in
/// formulas are looked at.
fn is_possible(specification: &Specification, formulas: &[&Formula]) -> bool {
    let mut groups: Vec<(BTreeSet<usize>, Vec<&Formula>)> = Vec::new();
    for formula in formulas {
        let mut own = BTreeSet::new();
        formula.categories(&mut own);
        let (with, without): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(categories, _)| !categories.is_disjoint(&own));
        let mut joined = (own, vec![*formula]);
        for (categories, formulas) in with {
            joined.0.extend(categories);
            joined.1.extend(formulas);
        }
        groups = without;
        groups.push(joined);
    }
    groups.into_iter().all(|(categories, formulas)| match categories.is_empty() {
        true => formulas.iter().all(|formula| formula.value(&[]) == Some(true)),
        false => Walk::new(specification, formulas, categories.into_iter().collect()).next().is_some(),
    })
}

/// Constraints that cannot be true together, by number, such that none of them can be left out; `None` if some frame satisfies
/// all constraints.
///
/// Each constraint is left out in turn, and is dropped if the others still contradict each other.
pub fn contradiction(specification: &Specification) -> Option<Vec<usize>> {
    let possible = |among: &[usize]| {
        let formulas: Vec<&Formula> = among.iter().map(|&i| &specification.constraints[i].0).collect();
        is_possible(specification, &formulas)
    };
    let mut guilty: Vec<usize> = (0..specification.constraints.len()).collect();
    if possible(&guilty) {
        return None;
    }
    for constraint in 0..specification.constraints.len() {
        let without: Vec<usize> = guilty.iter().copied().filter(|&i| i != constraint).collect();
        if !possible(&without) {
            guilty = without;
        }
    }
    Some(guilty)
}

/// A walk through all combinations of choices of some categories, from the first to the last.
struct Walk<'s> {
    specification: &'s Specification,
    /// The categories, by number.
    categories: Vec<usize>,
    constraints: Vec<&'s Formula>,
    chosen: Vec<Option<u16>>,
    /// The index of the category whose choice comes next; `None` at the end.
    at: Option<usize>,
}

impl<'s> Walk<'s> {
    fn new(
        specification: &'s Specification,
        constraints: Vec<&'s Formula>,
        categories: Vec<usize>,
    ) -> Walk<'s> {
        let chosen = vec![None; specification.inputs.len()];
        let at = (!categories.is_empty()).then_some(0);
        Walk { specification, categories, constraints, chosen, at }
    }

    /// Whether no constraint is violated yet.
    fn is_allowed(&self) -> bool {
        self.constraints.iter().all(|constraint| constraint.value(&self.chosen) != Some(false))
    }
}

impl Iterator for Walk<'_> {
    type Item = Frame;

    /// The choices of the categories that are walked through.
    fn next(&mut self) -> Option<Frame> {
        while let Some(at) = self.at {
            let category = self.categories[at];
            let choice = self.chosen[category].map_or(0, |choice| choice + 1);
            if usize::from(choice) >= self.specification.inputs[category].choices.len() {
                self.chosen[category] = None;
                self.at = at.checked_sub(1);
                continue;
            }
            self.chosen[category] = Some(choice);
            if !self.is_allowed() {
                continue;
            }
            if at + 1 < self.categories.len() {
                self.at = Some(at + 1);
                continue;
            }
            return Some(Frame(self.chosen.iter().flatten().copied().collect()));
        }
        None
    }
}
