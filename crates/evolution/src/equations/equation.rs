//! An equation between two terms.

use super::head::Head;
use super::term::{TermId, Terms};

/// Two terms with equal values wherever both have one and the condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Equation {
    /// The greater term: a reader sees what it comes to on the other side.
    pub left: TermId,
    /// The smaller term.
    pub right: TermId,
    /// Where it is claimed; everywhere if there is none.
    pub condition: Option<TermId>,
}

impl Equation {
    /// An equation that is claimed everywhere.
    pub fn new(left: TermId, right: TermId) -> Equation {
        Equation { left, right, condition: None }
    }

    /// The heads of its terms, counted: what it costs a reader.
    pub fn size(self, terms: &Terms) -> u32 {
        terms.size(self.left)
            + terms.size(self.right)
            + self.condition.map_or(0, |condition| terms.size(condition))
    }

    /// The sides as a reader expects them: what is called on the left, and by what it can be said on the right.
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

    /// Whether a function under test is called in it. Without a call it says something of the language alone.
    pub fn is_about_calls(self, terms: &Terms) -> bool {
        terms.calls(self.left) + terms.calls(self.right) > 0
    }
}
