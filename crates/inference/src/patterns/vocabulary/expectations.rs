//! The expectations that are tried under each change.

use std::cmp::Ordering;

use dodona_target::{Kind, Signature, Type, Value};

use super::{FollowUpOutputs, Vocabulary};
use crate::patterns::atom::compare;
use crate::patterns::change::Direction;
use crate::patterns::{Change, Expected};

impl Vocabulary {
    /// The expectations that are tried under a change.
    pub fn expected(&self, change: &Change, seen: &FollowUpOutputs, function: &Signature) -> Vec<Expected> {
        let mut all = match change {
            Change::None => return self.of_one_call(function),
            Change::Double(_) => [vec![Expected::Same, Expected::Twice], self.orders()].concat(),
            Change::Anew { direction: Direction::Any, .. } | Change::Reverse(_) => vec![Expected::Same],
            _ => [vec![Expected::Same], self.orders()].concat(),
        };
        if matches!(change, Change::Shift { .. }) && self.kind != Some(Kind::Bool) {
            all.extend(seen.differences.iter().cloned().map(Expected::Plus));
        }
        if self.refuses {
            // That the result is higher, lower or different, unless it is negative, says little.
            let is_weak = |expected: &Expected| {
                matches!(expected, Expected::Higher | Expected::Lower | Expected::Differs)
            };
            let others: Vec<Expected> = all.iter().filter(|expected| !is_weak(expected)).cloned().collect();
            all.extend(others.into_iter().map(|other| unless_refused(true, other)));
        }
        if let Change::Set { .. } | Change::Copy { .. } | Change::Anew { direction: Direction::Any, .. } =
            change
        {
            all.extend(self.frequent());
            let is_new = |result: &&Value| !self.outputs.contains(result);
            all.extend(seen.results.iter().filter(is_new).cloned().map(Expected::Is));
        }
        all
    }

    /// The expectations about the output of a single call.
    fn of_one_call(&self, function: &Signature) -> Vec<Expected> {
        let is_alike = |index: &usize| match function.parameters[*index].ty {
            Type::Scalar(scalar) => Some(scalar.kind()) == self.kind,
            _ => false,
        };
        let alike: Vec<usize> = (0..function.parameters.len()).filter(is_alike).collect();
        let numbers = if self.kind == Some(Kind::Int) { alike.clone() } else { Vec::new() };
        let mut all = self.frequent();
        all.extend(alike.into_iter().map(Expected::IsParameter));
        all.extend(self.bounds.iter().cloned());
        all.extend(self.conditional_bounds());
        all.extend((numbers.len() > 1).then(|| Expected::Divides(numbers.clone())));
        all.extend(numbers.into_iter().map(|index| Expected::Divides(vec![index])));
        all
    }

    /// That the output is one of the most frequent ones.
    fn frequent(&self) -> Vec<Expected> {
        self.outputs.iter().cloned().map(Expected::Is).collect()
    }

    /// How the outputs of both calls compare.
    fn orders(&self) -> Vec<Expected> {
        let mut orders = vec![Expected::NotLower, Expected::NotHigher, Expected::Differs];
        // If one Boolean is always higher than another, both are constant, and `Is` says this in fewer words.
        if self.kind != Some(Kind::Bool) {
            orders.extend([Expected::Higher, Expected::Lower]);
        }
        orders
    }

    /// That an output is at least, or at most, a value. If negative outputs are refusals, a lower bound is said of the other outputs only,
    /// and so is that the output is one of the most frequent ones; an upper bound is true of refusals anyway. Of bounds in the same direction the narrowest comes first, because the first of equally good patterns is chosen.
    fn conditional_bounds(&self) -> Vec<Expected> {
        let is_number = |value: &&Value| !self.is_refusal(value);
        let unless = |expected| unless_refused(self.refuses, expected);
        let mut caps: Vec<&Value> = self.caps.iter().filter(is_number).collect();
        caps.sort_by(|a, b| compare(a, b).unwrap_or(Ordering::Equal));
        // Every output that is not negative is at least 0.
        let is_bound = |cap: &&&Value| !self.refuses || ***cap != Value::Int(0);
        let least = caps.iter().rev().filter(is_bound).map(|cap| unless(Expected::AtLeast((*cap).clone())));
        let most = caps.iter().map(|cap| Expected::AtMost((*cap).clone()));
        let is_new = |bound: &Expected| !self.bounds.contains(bound);
        let mut bounds: Vec<Expected> = least.chain(most).filter(is_new).collect();
        if self.refuses {
            bounds.extend(self.outputs.iter().filter(is_number).cloned().map(Expected::Is).map(unless));
        }
        bounds
    }
}

/// The expectation about all outputs; about those that are not negative, if negative outputs are refusals.
pub(super) fn unless_refused(refuses: bool, expected: Expected) -> Expected {
    if refuses { Expected::UnlessNegative(Box::new(expected)) } else { expected }
}
