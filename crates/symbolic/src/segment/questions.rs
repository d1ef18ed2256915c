//! Questions to a solver about the states in which a segment can begin.

use dodona_smt::solver::{Answer, Solver};
use dodona_smt::term::{Assignment, Term, Terms};

/// Asks a solver whether claims hold in every state in which a segment can begin.
pub(super) struct Questions<'a, 's> {
    pub terms: &'a mut Terms,
    /// What holds in each of these states.
    pub facts: &'a [Term],
    solver: &'s mut dyn Solver,
    go_on: &'s dyn Fn() -> bool,
    /// How many questions were put.
    pub asked: u64,
}

/// What a solver says of a claim.
pub(super) enum Claim {
    Proved,
    /// It does not hold in this state.
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

    /// The claim that there is no state in which all of these hold.
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
