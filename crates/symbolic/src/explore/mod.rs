//! Exploration: the paths of a call, one after the other, in the order of a search, within counted bounds.

mod choose;
mod distance;
mod exploration_run;
mod frontier;
mod path;
mod rest;
mod solve;
mod start;
mod tally;

use std::rc::Rc;

use dodona_subject::Function;
use fixedbitset::FixedBitSet;

use dodona_smt::solver::{Answer, Solver};
use dodona_smt::term::{Assignment, Term, Terms};
pub use frontier::Order;
pub use path::Path;
pub use start::{Guess, Starts};
pub use tally::{Bounds, Exploration, Stop};

use crate::call::{Symbol, SymbolicCallError};
use crate::code::Code;
use crate::step::Machine;
use exploration_run::{Counts, Run};

/// When the solver decides whether the other side of a decision is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forking {
    /// At the decision. Sides that are impossible take no memory, and for loops it is known which turns were a choice.
    AtOnce,
    /// When the search reaches the other side. The first path follows the model to its end, as in concolic execution.
    Later,
}

/// What is done with a path that is abandoned at the bound of a loop, and with states that wait when the exploration ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// Nothing. Every path that is produced stays within the bounds.
    Dropped,
    /// A state that was the first to take an edge of a branch, and every path that concolic execution began, is followed by its
    /// concrete values to its end, so that there is an input for the edge. The other sides of its decisions count as abandoned.
    /// A path that does not end within the bounds on instructions or frames of a state is produced as far as it went:
    /// [`crate::End::Left`].
    Followed,
}

/// Explores the paths of functions of one module.
pub struct Explorer<'s> {
    machine: Machine,
    solver: &'s mut dyn Solver,
    bounds: Bounds,
    order: Order,
    forking: Forking,
    unfinished: Unfinished,
    seed: u64,
    /// Questions asked, over all calls.
    queries: u64,
}

/// A start of an exploration: the arguments of a call, assumptions about them, and values that satisfy these.
#[derive(Clone, Debug)]
pub struct Start {
    /// The arguments, one for each parameter.
    pub symbols: Vec<Symbol>,
    /// The assumptions.
    pub assumptions: Vec<Term>,
    /// Values that satisfy the assumptions; the first path is theirs.
    pub model: Assignment,
}

impl<'s> Explorer<'s> {
    /// An explorer of a module.
    pub fn new(code: &Rc<Code>, solver: &'s mut dyn Solver, bounds: Bounds) -> Explorer<'s> {
        Explorer {
            machine: Machine::new(Rc::clone(code), bounds.step),
            solver,
            bounds,
            order: Order::default(),
            forking: Forking::AtOnce,
            unfinished: Unfinished::Dropped,
            seed: 0,
            queries: 0,
        }
    }

    /// The same, searching in another order.
    pub fn with_order(mut self, order: Order, seed: u64) -> Self {
        (self.order, self.seed) = (order, seed);
        self
    }

    /// The same, forking at another time.
    pub fn with_forking(mut self, forking: Forking) -> Self {
        self.forking = forking;
        self
    }

    /// The same, with unfinished paths followed or not followed.
    pub fn with_unfinished(mut self, unfinished: Unfinished) -> Self {
        self.unfinished = unfinished;
        self
    }

    /// Explores within other bounds from now on, and does another thing with what is unfinished; gives what was before. The limits of each
    /// state stay.
    pub fn swap_bounds(&mut self, bounds: Bounds, unfinished: Unfinished) -> (Bounds, Unfinished) {
        (std::mem::replace(&mut self.bounds, bounds), std::mem::replace(&mut self.unfinished, unfinished))
    }

    /// The terms of everything that was explored.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.machine.terms
    }

    /// The edges that some path has taken which ended.
    pub fn covered(&self) -> &FixedBitSet {
        &self.machine.covered
    }

    /// The number of times that constraints were checked.
    pub fn questions(&self) -> u64 {
        self.queries
    }

    /// Asks the solver whether constraints can be true together.
    pub fn check(&mut self, constraints: &[Term]) -> Answer {
        if constraints.iter().any(|c| c.is(false)) {
            return Answer::Unsatisfiable;
        }
        self.queries += 1;
        self.solver.check(&self.machine.terms, constraints)
    }

    /// Continues with another module and the same terms, such as a mutant after its original.
    pub fn swap_code(&mut self, code: &Rc<Code>) {
        self.machine.covered = FixedBitSet::with_capacity(code.branches().edges() as usize);
        self.machine.allocator = dodona_subject::Allocator::usual(code.module());
        self.machine.pointers.clear();
        self.machine.code = Rc::clone(code);
    }

    fn counts(&self) -> Counts {
        let Machine { steps, terms, .. } = &self.machine;
        Counts { queries: self.queries, steps: *steps, terms: terms.len() as u64 }
    }

    /// Explores a call from each start, and passes each path that ends to `visit`. Ends if nothing is left, if a bound is
    /// reached, or if `visit` or `go_on` returns false. If unfinished paths are followed then, `go_on` is asked about each of
    /// them too, and may return true again.
    ///
    /// # Errors
    /// When the function cannot be called with symbolic arguments.
    pub fn explore(
        &mut self,
        function: &Function,
        starts: Vec<Start>,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(&mut Explorer<'_>, Path) -> bool,
    ) -> Result<Exploration, SymbolicCallError> {
        let mut run = Run::new(self);
        run.prepare(function, starts)?;
        let stop = run.explore(function, go_on, visit);
        let left = run.follow_rest(function, stop, go_on, visit);
        Ok(run.finish(stop, left))
    }
}
