//! The complete test frames that constraints allow.

use crate::formula::Formula;
use crate::specification::{Frame, Specification};

/// The frames that satisfy the constraints, one at a time, in the order of the file: the last category changes fastest.
///
/// A constraint that is false for the choices made so far cuts off all frames with these choices, so that a few thousand frames
/// among millions of combinations are found without trying all of them.
pub fn frames(specification: &Specification) -> impl Iterator<Item = Frame> {
    let constraints: Vec<&Formula> = specification.constraints.iter().map(|(formula, _)| formula).collect();
    Walk::new(specification, constraints)
}

/// Constraints that cannot hold together, by number, none of which can be left out; `None` where some frame satisfies all.
///
/// Each constraint is left out in turn, and stays out where what is left still contradicts itself.
pub fn contradiction(specification: &Specification) -> Option<Vec<usize>> {
    let possible = |among: &[usize]| {
        let formulas = among.iter().map(|&i| &specification.constraints[i].0).collect();
        Walk::new(specification, formulas).next().is_some()
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

/// A walk through all combinations of choices, from the first category to the last.
struct Walk<'s> {
    sizes: Vec<u16>,
    constraints: Vec<&'s Formula>,
    chosen: Vec<Option<u16>>,
    /// The category whose choice comes next; `None` when all is done.
    at: Option<usize>,
}

impl<'s> Walk<'s> {
    fn new(specification: &'s Specification, constraints: Vec<&'s Formula>) -> Walk<'s> {
        let sizes: Vec<u16> = specification.inputs.iter().map(|c| c.choices.len() as u16).collect();
        let chosen = vec![None; sizes.len()];
        let at = (!sizes.is_empty()).then_some(0);
        Walk { sizes, constraints, chosen, at }
    }

    /// Whether no constraint is violated yet.
    fn is_allowed(&self) -> bool {
        self.constraints.iter().all(|constraint| constraint.value(&self.chosen) != Some(false))
    }
}

impl Iterator for Walk<'_> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        while let Some(category) = self.at {
            let choice = self.chosen[category].map_or(0, |choice| choice + 1);
            if choice >= self.sizes[category] {
                self.chosen[category] = None;
                self.at = category.checked_sub(1);
                continue;
            }
            self.chosen[category] = Some(choice);
            if !self.is_allowed() {
                continue;
            }
            if category + 1 < self.sizes.len() {
                self.at = Some(category + 1);
                continue;
            }
            return Some(Frame(self.chosen.iter().flatten().copied().collect()));
        }
        None
    }
}
