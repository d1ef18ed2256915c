//! Questions to a solver about the states in which a segment can begin.

use dodona_smt::solver::{Answer, Solver};
use dodona_smt::term::{Assignment, Term, Terms};

/// Asks a solver whether claims are true in every state in which a segment can begin.
pub(super) struct Questions<'a, 's> {
    pub terms: &'a mut Terms,
    /// The facts that are true in each of these states.
    pub facts: &'a [Term],
    solver: &'s mut dyn Solver,
    go_on: &'s dyn Fn() -> bool,
    /// The number of questions that were asked.
    pub asked: u64,
}

/// The answer of a solver to a claim.
pub(super) enum Claim {
    Proved,
    /// It is not true in this state.
    Refuted(Assignment),
    Unknown,
}

impl<'a, 's> Questions<'a, 's> {
    pub(super) fn new(
        terms: &'a mut Terms,
        facts: &'a [Term],
        solver: &'s mut dyn Solver,
        go_on: &'s dyn Fn() -> bool,
    ) -> Questions<'a, 's> {
        Questions { terms, facts, solver, go_on, asked: 0 }
    }

    /// The claim that no state satisfies all of these.
    pub(super) fn claim(&mut self, counterexample: &[Term]) -> Claim {
        if counterexample.iter().any(|term| term.is(false)) {
            return Claim::Proved;
        }
        if !(self.go_on)() {
            return Claim::Unknown;
        }
        self.asked += 1;
        let mut constraints = self.facts.to_vec();
        constraints.extend(counterexample);
        constraints.retain(|constraint| !constraint.is(true));
        if constraints.iter().any(|constraint| constraint.is(false)) {
            return Claim::Proved;
        }
        match self.solver.check(self.terms, &constraints) {
            Answer::Unsatisfiable => Claim::Proved,
            Answer::Satisfiable(state) => Claim::Refuted(state),
            Answer::Unknown(_) => Claim::Unknown,
        }
    }

    /// The claim that two terms of one sort, which are no floats, have the same value.
    pub(super) fn claim_equal(&mut self, a: Term, b: Term) -> Claim {
        let equal = self.terms.equal(a, b);
        let differ = self.terms.not(equal);
        self.claim(&[differ])
    }
}
