//! A search for values by the alternating variable method on the branch distance of the constraints.
//!
//! Floats are searched before a solver is asked: the search finds values in milliseconds for which solvers take seconds. It is also used
//! where a solver gave up. It finds values or says nothing.

mod climb;
mod distance;
mod start;
mod tape;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::weight::{Weight, Weights};
use super::{Answer, Solver};
use crate::term::{Assignment, Evaluator, Term, Terms};
use climb::Climb;
use tape::Tape;

/// Models of other constraints to begin from.
const KNOWN: usize = 4;

/// The limits of a search. Work is counted in steps: operators computed on values, about ten million of them in a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Steps after the solver has not known an answer; with 0 there is no search then.
    pub after: u64,
    /// Steps before the solver is asked, for constraints with float arithmetic, for which solvers take long.
    pub before: u64,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for SearchLimits {
    fn default() -> SearchLimits {
        SearchLimits { after: 10_000_000, before: 100_000, seed: 0 }
    }
}

/// Asks a solver, and searches if it does not know. The search only answers with models that satisfy the constraints.
#[derive(Debug)]
pub struct Searching<S> {
    inner: S,
    limits: SearchLimits,
    known: VecDeque<Assignment>,
    weights: Weights,
    statistics: SearchStatistics,
}

/// Statistics of searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStatistics {
    /// Searches that were begun.
    pub searches: u64,
    /// How many of them found values.
    pub found: u64,
    /// Time spent in them.
    pub time: Duration,
}

impl<S: Solver> Searching<S> {
    /// Searches behind (and before) a solver.
    pub fn new(inner: S, limits: SearchLimits) -> Searching<S> {
        Searching {
            inner,
            limits,
            known: VecDeque::new(),
            weights: Weights::default(),
            statistics: SearchStatistics::default(),
        }
    }

    /// The solver that is asked.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// The solver that is asked, to be started or configured.
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// Sets other limits for the next searches.
    pub fn limit(&mut self, limits: SearchLimits) {
        self.limits = limits;
    }

    /// The statistics so far.
    pub fn statistics(&self) -> SearchStatistics {
        self.statistics
    }

    fn search_before(&mut self, terms: &Terms, constraints: &[Term]) -> Option<Assignment> {
        let is_worth_it =
            self.limits.before > 0 && self.weights.heaviest(terms, constraints) == Weight::Float;
        if !is_worth_it {
            return None;
        }
        self.search(terms, constraints, self.limits.before)
    }

    fn ask(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        match self.inner.check(terms, constraints) {
            Answer::Unknown(why) if self.limits.after > 0 => {
                let found = self.search(terms, constraints, self.limits.after);
                found.map_or(Answer::Unknown(why), Answer::Satisfiable)
            }
            answer => answer,
        }
    }

    fn search(&mut self, terms: &Terms, constraints: &[Term], steps: u64) -> Option<Assignment> {
        self.statistics.searches += 1;
        let known: Vec<Assignment> = self.known.iter().cloned().collect();
        let begun = Instant::now();
        let found = search(terms, constraints, &known, self.limits.seed, steps);
        self.statistics.time += begun.elapsed();
        self.statistics.found += u64::from(found.is_some());
        found
    }

    fn note(&mut self, model: &Assignment) {
        self.known.truncate(KNOWN - 1);
        self.known.push_front(model.clone());
    }
}

impl<S: Solver> Solver for Searching<S> {
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        let answer = match self.search_before(terms, constraints) {
            Some(found) => Answer::Satisfiable(found),
            None => self.ask(terms, constraints),
        };
        if let Answer::Satisfiable(model) = &answer {
            self.note(model);
        }
        answer
    }
}

/// Values for which constraints are true together, if a search of this many steps finds some. `known` are points to begin from.
/// The same arguments give the same values.
///
/// ```
/// use dodona_smt::solver::search;
/// use dodona_smt::term::{Op, Sort, Term, Terms};
///
/// let mut terms = Terms::new();
/// let bits = terms.variable("x", Sort::Bits(64));
/// let x = terms.apply(Op::FromBits, Sort::F64, &[bits]);
/// let square = terms.binary(Op::FloatMul, x, x);
/// let two = Term::Constant(Sort::F64, 2f64.to_bits().into());
/// let over_two = terms.compare(Op::FloatLess, two, square);
/// let model = search(&terms, &[over_two], &[], 0, 100_000).expect("a number whose square is over two");
/// assert_eq!(terms.evaluate(over_two, &model), 1);
/// ```
pub fn search(
    terms: &Terms,
    constraints: &[Term],
    known: &[Assignment],
    seed: u64,
    steps: u64,
) -> Option<Assignment> {
    let mut tape = Tape::new(terms, constraints);
    let left = steps.saturating_sub(tape.len());
    let found = Climb::run(&mut tape, known, seed, left)?;
    let mut evaluator = Evaluator::new(terms, &found);
    constraints.iter().all(|&constraint| evaluator.holds(constraint)).then_some(found)
}
