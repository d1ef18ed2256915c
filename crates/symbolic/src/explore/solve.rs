//! What exploration asks the solver.

use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};

use super::Explorer;
use crate::state::State;

impl Explorer<'_> {
    /// Whether constraints can hold together, of which a model satisfies all but perhaps the last.
    pub(super) fn satisfiable(&mut self, constraints: &[Term], model: &Assignment) -> Answer {
        if constraints.last().is_none_or(|last| self.machine.terms.evaluate(*last, model) == 1) {
            return Answer::Satisfiable(model.clone());
        }
        self.check(constraints)
    }

    /// A model with the values of another one wherever the constraints allow: an input of a negated choice differs from the one
    /// before it only in what the choice is about (Godefroid et al. 2005, section 2.3).
    pub(super) fn near(
        &self,
        constraints: &[Term],
        mut model: Assignment,
        before: &Assignment,
    ) -> Assignment {
        let terms = &self.machine.terms;
        for variable in terms.variable_numbers() {
            let own = model.get(variable);
            if own == before.get(variable) {
                continue;
            }
            model.set(variable, before.get(variable));
            let mut touched =
                constraints.iter().filter(|c| terms.variables_of(**c).binary_search(&variable).is_ok());
            if !touched.all(|c| terms.evaluate(*c, &model) == 1) {
                model.set(variable, own);
            }
        }
        model
    }

    /// Values that a term can have on a path, at most so many, and whether those are all.
    pub(super) fn values(&mut self, state: &State, term: Term, most: usize) -> (Vec<u128>, bool) {
        let mut values = vec![self.machine.terms.evaluate(term, &state.model)];
        let mut constraints = state.constraints.clone();
        loop {
            let last = Term::Constant(term.sort(), values[values.len() - 1]);
            let is_last = self.machine.terms.equal(term, last);
            constraints.push(self.machine.terms.not(is_last));
            match self.check(&constraints) {
                Answer::Satisfiable(_) if values.len() >= most => return (values, false),
                Answer::Satisfiable(model) => values.push(self.machine.terms.evaluate(term, &model)),
                Answer::Unsatisfiable => return (values, true),
                Answer::Unknown(_) => return (values, false),
            }
        }
    }
}
