//! What exploration asks the solver.

use super::Explorer;
use crate::solver::Answer;
use crate::state::State;
use crate::term::{Assignment, Evaluator, Term};

impl Explorer<'_> {
    /// Whether constraints can hold together: a model that is at hand is tried first.
    pub(super) fn satisfiable(&mut self, constraints: &[Term], model: &Assignment) -> Answer {
        let mut evaluator = Evaluator::new(&self.machine.terms, model);
        if constraints.iter().rev().all(|c| evaluator.holds(*c)) {
            return Answer::Satisfiable(model.clone());
        }
        self.check(constraints)
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
