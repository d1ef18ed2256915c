//! An equation between two terms.

use super::equation_term::{TermId, Terms};
use super::head::Head;

/// Two terms that have equal values wherever both have a value and the condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Equation {
    /// The greater term. A reader meets it first.
    pub left: TermId,
    /// The smaller term.
    pub right: TermId,
    /// The condition under which they are equal. Without one they are equal everywhere.
    pub condition: Option<TermId>,
}

impl Equation {
    /// An equation without a condition.
    pub fn new(left: TermId, right: TermId) -> Equation {
        Equation { left, right, condition: None }
    }

    /// The number of heads in its terms: how much there is to read.
    pub fn size(self, terms: &Terms) -> u32 {
        terms.size(self.left)
            + terms.size(self.right)
            + self.condition.map_or(0, |condition| terms.size(condition))
    }

    /// The equation with its sides as a reader expects them: a call on the left, and what it is equal to on the right.
    #[must_use]
    pub fn oriented(self, terms: &Terms) -> Equation {
        let Equation { left, right, condition } = self;
        let is_call = |term| matches!(terms.get(term).head, Head::Output { .. });
        let is_longer = |a, b| terms.size(a) >= terms.size(b);
        let reads_better_exchanged = terms.calls(left) == 0
            || is_call(right)
                && !is_call(left)
                && !terms.get(left).operands.contains(&right)
                && (terms.calls(right) < terms.calls(left) || is_longer(right, left));
        if reads_better_exchanged { Equation { left: right, right: left, condition } } else { self }
    }

    /// Whether it contains a call of a function under test. Without one it is a statement about the language.
    pub fn is_about_calls(self, terms: &Terms) -> bool {
        terms.calls(self.left) + terms.calls(self.right) > 0
    }
}
