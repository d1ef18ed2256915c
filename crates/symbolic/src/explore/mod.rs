//! Exploration: the paths of a call one after the other, in the order of a search, within bounds that are counted.

mod choose;
mod distance;
mod frontier;
mod path;
mod rest;
mod run;
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
use run::{Counts, Run};

/// When the other side of a decision is shown to be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forking {
    /// At the decision: what is known to be impossible takes no memory, and loops count the turns that were a choice.
    AtOnce,
    /// When the search comes to it: the first path follows the model to its end, as concolic execution does.
    Later,
}

/// What becomes of a path that is left at the bound of a loop, and of those that wait when the exploration ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// Nothing: a path that is given out is one of an exploration within its bounds.
    Dropped,
    /// Those that were the first to take an edge of a branch, and each that concolic execution began, go where their values
    /// go, so that there is an input for the edge. What lies beside their way is left all the same, and counted. A path that
    /// does not end within the instructions or frames of a state is given out as far as it went: [`crate::End::Left`].
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
    /// What was seen, over all calls.
    queries: u64,
}

/// Where the exploration of a call starts: its arguments, what is assumed of them, and values that satisfy the assumptions.
#[derive(Clone, Debug)]
pub struct Start {
    /// The arguments, one a parameter.
    pub symbols: Vec<Symbol>,
    /// What is assumed.
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

    /// The same, with unfinished paths followed or not.
    pub fn with_unfinished(mut self, unfinished: Unfinished) -> Self {
        self.unfinished = unfinished;
        self
    }

    /// The terms of all that was explored.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.machine.terms
    }

    /// The edges that some path has taken which ended.
    pub fn covered(&self) -> &FixedBitSet {
        &self.machine.covered
    }

    /// How often constraints were held against each other.
    pub fn questions(&self) -> u64 {
        self.queries
    }

    /// Asks the solver whether constraints can hold together.
    pub fn check(&mut self, constraints: &[Term]) -> Answer {
        if constraints.iter().any(|c| c.is(false)) {
            return Answer::Unsatisfiable;
        }
        self.queries += 1;
        self.solver.check(&self.machine.terms, constraints)
    }

    /// Goes on with another module of the same terms: a mutant beside its original.
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

    /// Explores a call from each start, and gives each path that ends to `visit`, until nothing is left, a bound is met, or
    /// `visit` or `go_on` say no. Where unfinished paths are followed, `go_on` is asked about that too: it may say yes again.
    ///
    /// # Errors
    /// When the function cannot be called on symbols at all.
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
