//! The questions that exploration asks the solver.

use std::rc::Rc;

use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};

use super::Explorer;
use crate::state::State;

impl Explorer<'_> {
    /// Whether constraints can be true together. The model satisfies all of them, except perhaps the last.
    pub(super) fn satisfiable(&mut self, constraints: &[Term], model: &Assignment) -> Answer {
        if constraints.last().is_none_or(|last| self.machine.terms.evaluate(*last, model) == 1) {
            return Answer::Satisfiable(model.clone());
        }
        self.check(constraints)
    }

    /// A model that takes the values of another model wherever the constraints allow it. So the input of a negated choice
    /// differs from the input before only in what the choice is about (Godefroid et al. 2005, section 2.3).
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

    /// At most this many values that a term can have on a path, each with a model in which it has that value, and whether these are all. Each value takes a
    /// question; after `questions` of them the values so far are returned.
    pub(super) fn values(
        &mut self,
        state: &State,
        term: Term,
        most: usize,
        questions: u64,
    ) -> (Vec<(u128, Rc<Assignment>)>, bool) {
        let mut values = vec![(self.machine.terms.evaluate(term, &state.model), Rc::clone(&state.model))];
        let mut constraints = state.constraints.clone();
        for _ in 0..questions {
            let last = Term::Constant(term.sort(), values[values.len() - 1].0);
            let is_last = self.machine.terms.equal(term, last);
            constraints.push(self.machine.terms.not(is_last));
            match self.check(&constraints) {
                Answer::Satisfiable(_) if values.len() >= most => return (values, false),
                Answer::Satisfiable(model) => {
                    values.push((self.machine.terms.evaluate(term, &model), Rc::new(model)));
                }
                Answer::Unsatisfiable => return (values, true),
                Answer::Unknown(_) => return (values, false),
            }
        }
        (values, false)
    }
}
