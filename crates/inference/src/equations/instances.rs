//! Finds equations that are special cases of an equation under a condition, because the condition is always true there:
//! `f(t, 0) == t` is one of `when n <= len(t): f(t, n) == t`.

use super::enumerate::{Enumeration, computed_values};
use super::equation::Equation;
use super::equation_term::TermId;
use super::head::Head;
use super::values::Values;

/// For some variables the terms that stand for them.
type Substitution = Vec<(u8, TermId)>;

impl Enumeration<'_> {
    /// Whether an equation without a condition is an instance of one that has a condition: `f(t, 0) == t` of
    /// `when n <= len(t): f(t, n) == t`. Rewriting does not find this, because no term says that `0 <= len(t)` is true; the recorded
    /// values do.
    pub(super) fn is_instance(&self, special: Equation, general: Equation) -> bool {
        let Some(condition) = general.condition else { return false };
        [(special.left, special.right), (special.right, special.left)].into_iter().any(|(left, right)| {
            let mut substitution = Substitution::new();
            self.matches(general.left, left, &mut substitution)
                && self.matches(general.right, right, &mut substitution)
                && self
                    .values_under(condition, &substitution)
                    .is_some_and(|values| values.truths().all(|is_true| is_true))
        })
    }

    /// Whether terms can stand for the variables of a pattern so that it becomes a term; those that have to are added to the
    /// substitution.
    fn matches(&self, pattern: TermId, term: TermId, substitution: &mut Substitution) -> bool {
        let [general, special] = [pattern, term].map(|id| self.terms.get(id));
        if let Head::Variable(variable) = general.head {
            if let Some((_, bound)) = substitution.iter().find(|(other, _)| *other == variable) {
                return *bound == term;
            }
            substitution.push((variable, term));
            return self.terms.ty(pattern) == self.terms.ty(term);
        }
        general.head == special.head
            && general.operands.len() == special.operands.len()
            && general.operands.iter().zip(&special.operands).all(|(&g, &s)| self.matches(g, s, substitution))
    }

    /// The recorded values of a term when others stand for its variables. `None` if it has a call.
    fn values_under(&self, id: TermId, substitution: &Substitution) -> Option<Values> {
        let standing = |term: TermId| {
            let Head::Variable(variable) = self.terms.get(term).head else { return None };
            let (_, bound) = substitution.iter().find(|(other, _)| *other == variable)?;
            self.recorded_values(&self.terms, *bound)
        };
        computed_values(&self.terms, id, self.rows, &standing)
    }
}
