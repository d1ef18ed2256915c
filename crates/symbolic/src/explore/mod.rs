//! Exploration: the paths of a call one after the other, in the order of a search, within bounds that are counted.

mod distance;
mod frontier;
mod path;
mod solve;
mod start;
mod tally;

use std::rc::Rc;

use dodona_subject::Function;
use fixedbitset::FixedBitSet;

pub use frontier::Order;
pub use path::Path;
pub use start::{Guess, Starts};
pub use tally::{Bounds, Exploration, Stop};

use crate::call::{self, CallError, Placed, Symbol};
use crate::code::Code;
use crate::solver::{Answer, Solver};
use crate::state::State;
use crate::step::{Alternative, Cut, End, Kind, Machine, Pause, Then, Wanted};
use crate::term::{Assignment, Term, Terms};
use frontier::{Entry, Frontier};

/// When the other side of a decision is shown to be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forking {
    /// At the decision: what is known to be impossible takes no memory, and loops count the turns that were a choice.
    AtOnce,
    /// When the search comes to it: the first path follows the model to its end, as concolic execution does.
    Later,
}

/// Explores the paths of functions of one module.
pub struct Explorer<'s> {
    machine: Machine,
    solver: &'s mut dyn Solver,
    bounds: Bounds,
    order: Order,
    forking: Forking,
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

/// One exploration under way.
struct Run<'e, 's> {
    explorer: &'e mut Explorer<'s>,
    frontier: Frontier,
    tally: Exploration,
    placed: Vec<Rc<Placed>>,
    before: Counts,
}

/// What had been counted before a run.
#[derive(Clone, Copy)]
struct Counts {
    queries: u64,
    steps: u64,
    terms: u64,
}

/// What follows when a state was advanced.
enum Advanced {
    /// It is waiting in the frontier, or gone.
    Elsewhere,
    Ended(Box<State>, End),
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
    /// `visit` or `go_on` say no.
    ///
    /// # Errors
    /// When the function cannot be called on symbols at all.
    pub fn explore(
        &mut self,
        function: &Function,
        starts: Vec<Start>,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(&mut Explorer<'_>, Path) -> bool,
    ) -> Result<Exploration, CallError> {
        let before = self.counts();
        let (order, seed) = (self.order, self.seed);
        let mut run = Run {
            explorer: self,
            frontier: Frontier::new(order, seed),
            tally: Exploration::default(),
            placed: Vec::new(),
            before,
        };
        run.prepare(function, starts)?;
        let stop = run.explore(function, go_on, visit);
        Ok(run.finish(stop))
    }
}

impl Run<'_, '_> {
    fn prepare(&mut self, function: &Function, starts: Vec<Start>) -> Result<(), CallError> {
        // The first start is explored first whatever the order.
        for start in starts.into_iter().rev() {
            let model = Rc::new(start.model);
            let machine = &mut self.explorer.machine;
            let (mut state, placed) =
                call::prepare(machine, function, &start.symbols, start.assumptions, model)?;
            state.start = self.placed.len() as u32;
            state.assumptions = state.constraints.len() as u32;
            self.placed.push(Rc::new(placed));
            self.frontier.push(Entry::new(state));
        }
        Ok(())
    }

    fn explore(
        &mut self,
        function: &Function,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(&mut Explorer<'_>, Path) -> bool,
    ) -> Stop {
        loop {
            if let Some(stop) = self.spent() {
                return stop;
            }
            if !go_on() {
                return Stop::Interrupted;
            }
            let machine = &self.explorer.machine;
            let Some(entry) = self.frontier.pop(&machine.code, &machine.covered) else {
                return Stop::Exhausted;
            };
            let Some(state) = self.resolve(entry) else { continue };
            if let Advanced::Ended(state, end) = self.advance(state) {
                self.tally.paths += 1;
                self.explorer.machine.covered.extend(state.fresh.iter().map(|edge| *edge as usize));
                let path = self.path(function, *state, end);
                if !visit(self.explorer, path) {
                    return Stop::Visitor;
                }
            }
        }
    }

    /// The bound that is spent, if one is.
    fn spent(&self) -> Option<Stop> {
        let bounds = &self.explorer.bounds;
        let (now, before) = (self.explorer.counts(), self.before);
        if self.tally.paths >= bounds.paths {
            Some(Stop::Paths(bounds.paths))
        } else if now.queries - before.queries >= bounds.queries {
            Some(Stop::Queries(bounds.queries))
        } else if now.steps - before.steps >= bounds.total_steps {
            Some(Stop::Steps(bounds.total_steps))
        } else if now.terms - before.terms >= bounds.terms {
            Some(Stop::Terms(bounds.terms))
        } else {
            None
        }
    }

    /// Makes a waiting state ready: a side of a decision that was put off is shown to be possible first.
    fn resolve(&mut self, entry: Entry) -> Option<State> {
        let Entry { mut state, pending, .. } = entry;
        let Some(then) = pending else { return Some(state) };
        match self.explorer.satisfiable(&state.constraints, &state.model) {
            Answer::Satisfiable(model) => {
                let near = self.explorer.near(&state.constraints, model, &state.model);
                state.model = Rc::new(near);
            }
            Answer::Unsatisfiable => {
                self.tally.infeasible += 1;
                return None;
            }
            Answer::Unknown(_) => {
                self.tally.cut(Cut::Unknown);
                return None;
            }
        }
        self.follow(state, &then)
    }

    /// Follows a decision; a state that pauses at once waits in the frontier with what it does next.
    fn follow(&mut self, mut state: State, then: &Then) -> Option<State> {
        match self.explorer.machine.follow(&mut state, then) {
            None => Some(state),
            Some(Pause::Ended(end)) => {
                state.ended = Some(end);
                Some(state)
            }
            Some(Pause::Cut(cut)) => {
                self.tally.cut(cut);
                None
            }
            Some(_) => Some(state),
        }
    }

    /// Steps a state to its next choice, or to its end.
    fn advance(&mut self, mut state: State) -> Advanced {
        loop {
            let pause = match state.ended.take() {
                Some(end) => Pause::Ended(end),
                None => self.explorer.machine.run(&mut state),
            };
            match pause {
                Pause::Ended(end) => return Advanced::Ended(Box::new(state), end),
                Pause::Cut(cut) => {
                    self.tally.cut(cut);
                    return Advanced::Elsewhere;
                }
                Pause::Choose(alternatives) => match self.choose(state, alternatives) {
                    Some(next) => state = next,
                    None => return Advanced::Elsewhere,
                },
                Pause::Value { what, kind } => match self.value(state, what, kind) {
                    Some(next) => state = next,
                    None => return Advanced::Elsewhere,
                },
            }
        }
    }

    /// Splits a state at a decision. Gives the state back when there is but one way on.
    fn choose(&mut self, state: State, alternatives: Vec<Alternative>) -> Option<State> {
        let mut held = None;
        let mut others = Vec::new();
        for alternative in alternatives {
            if alternative.constraint.is(false) {
                continue;
            }
            if held.is_none() && self.holds(&state, alternative.constraint) {
                held = Some(alternative);
            } else {
                others.push(alternative);
            }
        }
        match self.explorer.forking {
            Forking::AtOnce => self.fork(state, held, others),
            Forking::Later => self.put_off(state, held, others),
        }
    }

    fn holds(&self, state: &State, constraint: Term) -> bool {
        self.explorer.machine.terms.evaluate(constraint, &state.model) == 1
    }

    /// Each other side is shown to be possible or impossible now.
    fn fork(&mut self, state: State, held: Option<Alternative>, others: Vec<Alternative>) -> Option<State> {
        let mut possible = Vec::new();
        let mut unknown = false;
        for other in others {
            let mut constraints = state.constraints.clone();
            constraints.push(other.constraint);
            match self.explorer.satisfiable(&constraints, &state.model) {
                Answer::Satisfiable(model) => possible.push((other, model)),
                Answer::Unsatisfiable => self.tally.infeasible += 1,
                Answer::Unknown(_) => {
                    self.tally.cut(Cut::Unknown);
                    unknown = true;
                }
            }
        }
        if possible.is_empty() && !unknown {
            return self.follow(state, &held?.then);
        }
        for (other, model) in possible {
            let mut fork = state.clone();
            fork.assume(other.constraint);
            fork.model = Rc::new(model);
            if let Some(fork) = self.follow(fork, &other.then) {
                self.wait(Entry::new(fork));
            }
        }
        let held = held?;
        let mut state = state;
        state.assume(held.constraint);
        let state = self.follow(state, &held.then)?;
        self.wait(Entry::new(state));
        None
    }

    /// The other sides wait, and the state follows its model.
    fn put_off(
        &mut self,
        mut state: State,
        held: Option<Alternative>,
        others: Vec<Alternative>,
    ) -> Option<State> {
        for other in &others {
            let mut fork = state.clone();
            fork.assume(other.constraint);
            self.wait(Entry::pending(fork, other.then.clone()));
        }
        let held = held?;
        if !others.is_empty() {
            state.assume(held.constraint);
        }
        self.follow(state, &held.then)
    }

    fn wait(&mut self, entry: Entry) {
        self.frontier.push(entry);
        let machine = &self.explorer.machine;
        while self.frontier.len() > self.explorer.bounds.live {
            self.frontier.drop_worst(&machine.code, &machine.covered);
            self.tally.cut(Cut::Dropped);
        }
        self.tally.most_live = self.tally.most_live.max(self.frontier.len() as u64);
    }

    /// Makes a value known: one of few candidates for an address, or a path for each value.
    fn value(&mut self, state: State, what: Wanted, kind: Kind) -> Option<State> {
        let wanted = self.explorer.machine.wanted(&state, what);
        let most = match kind {
            Kind::Address => self.explorer.bounds.addresses,
            Kind::Exact => self.explorer.bounds.values,
        };
        let (values, complete) = self.explorer.values(&state, wanted, most);
        if complete && kind == Kind::Address {
            self.explorer.machine.candidates = Some(values);
            return Some(state);
        }
        if !complete {
            self.tally.cut(Cut::Values);
        }
        let alternatives = values.into_iter().map(|value| {
            let value = Term::Constant(wanted.sort(), value);
            let constraint = self.explorer.machine.terms.equal(wanted, value);
            Alternative { constraint, then: Then::Known { what, value } }
        });
        let alternatives: Vec<_> = alternatives.collect();
        if complete { self.choose(state, alternatives) } else { self.fork_all(state, alternatives) }
    }

    /// Follows some values of many: even one alone is an assumption.
    fn fork_all(&mut self, state: State, alternatives: Vec<Alternative>) -> Option<State> {
        for alternative in alternatives {
            let mut constraints = state.constraints.clone();
            constraints.push(alternative.constraint);
            if let Answer::Satisfiable(model) = self.explorer.satisfiable(&constraints, &state.model) {
                let mut fork = state.clone();
                fork.assume(alternative.constraint);
                fork.model = Rc::new(model);
                if let Some(fork) = self.follow(fork, &alternative.then) {
                    self.wait(Entry::new(fork));
                }
            }
        }
        None
    }

    fn path(&mut self, function: &Function, state: State, end: End) -> Path {
        let placed = Rc::clone(&self.placed[state.start as usize]);
        let outputs = call::outputs(&mut self.explorer.machine, &state, &end, function, &placed);
        let point = state.point();
        Path {
            start: self.placed.len() - 1 - state.start as usize,
            assumptions: state.assumptions as usize,
            constraints: state.constraints,
            model: Rc::unwrap_or_clone(state.model),
            id: state.path,
            choices: state.choices,
            steps: state.steps,
            end,
            at: point,
            outputs,
        }
    }

    fn finish(mut self, stop: Stop) -> Exploration {
        self.tally.stop = stop;
        self.tally.left = self.frontier.len() as u64;
        let (now, before) = (self.explorer.counts(), self.before);
        self.tally.queries = now.queries - before.queries;
        self.tally.steps = now.steps - before.steps;
        self.tally.terms = now.terms - before.terms;
        self.tally
    }
}
