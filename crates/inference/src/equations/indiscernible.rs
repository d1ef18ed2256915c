//! Functions that tell equal arguments from different ones: `(distance(a, b) == 0) == (a == b)`.

use super::enumerate::Enumeration;
use super::equation::Equation;
use super::equation_term::TermId;
use super::head::Head;
use super::laboratory::Laboratory;
use super::values::Values;
use crate::discovery::Operator;

impl Enumeration<'_> {
    /// Looks for calls `f(a, b)` that give a constant exactly where `a` and `b` are equal, as the distance of two texts is 0 only
    /// for equal texts. Such a law replaces the equation that `f(a, a)` is this constant, which follows from it.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub(super) fn run_indiscernible<L: Laboratory>(
        &mut self,
        call: TermId,
        laboratory: &mut L,
    ) -> Result<(), L::Error> {
        let Some((of_equals, constant)) = self.constant_of_equals(call) else { return Ok(()) };
        let [a, b] = self.terms.get(call).operands[..] else { return Ok(()) };
        let is_constant = self.terms.insert(self.vocabulary, Head::Word(Operator::Equal), &[call, constant]);
        let are_equal = self.terms.insert(self.vocabulary, Head::Word(Operator::Equal), &[a, b]);
        let (Some(is_constant), Some(are_equal)) = (is_constant, are_equal) else { return Ok(()) };
        let rows = |left: TermId, right: TermId| {
            Values::applied(Operator::Equal.op(), &[&self.values[&left], &self.values[&right]])
        };
        let holds = rows(call, constant).agrees_within(&rows(a, b));
        let law = self.terms.insert(self.vocabulary, Head::Word(Operator::Equal), &[is_constant, are_equal]);
        if let (true, Some(law)) = (holds, law)
            && self.is_listed(law, laboratory)?
        {
            self.equations.retain(|equation| *equation != of_equals);
        }
        Ok(())
    }

    /// The equation that says which constant a call has at equal arguments, with that constant.
    fn constant_of_equals(&self, call: TermId) -> Option<(Equation, TermId)> {
        let head = self.terms.get(call).head;
        self.equations.iter().find_map(|&equation| {
            let Equation { left, right, .. } = equation.oriented(&self.terms);
            let term = self.terms.get(left);
            let has_equals = matches!(term.operands[..], [a, b] if a == b && self.terms.is_variable(a));
            let is_constant = self.terms.get(right).operands.is_empty() && self.terms.variables(right) == 0;
            (term.head == head && has_equals && is_constant).then_some((equation, right))
        })
    }
}
