//! One exploration: from state to state, until nothing is left or a bound is met.

use std::rc::Rc;

use dodona_smt::solver::Answer;
use dodona_subject::Function;
use fixedbitset::FixedBitSet;

use super::frontier::{Entry, Frontier};
use super::{Exploration, Explorer, Path, Start, Stop};
use crate::call::{self, Placed, SymbolicCallError};
use crate::end::{Cut, End};
use crate::state::State;
use crate::step::{Pause, Then};

/// One exploration under way.
pub(super) struct Run<'e, 's> {
    pub explorer: &'e mut Explorer<'s>,
    pub frontier: Frontier,
    pub tally: Exploration,
    placed: Vec<Rc<Placed>>,
    before: Counts,
    /// Edges taken by states that were followed and came to no end: others would fare no better.
    pub given_up: FixedBitSet,
}

/// What had been counted before a run.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub queries: u64,
    pub steps: u64,
    pub terms: u64,
}

/// What follows when a state was advanced.
pub(super) enum Advanced {
    /// It is waiting in the frontier, or gone.
    Elsewhere,
    Ended(Box<State>, End),
    /// It is waiting in the frontier, for the exploration is to stop.
    Stopped(Stop),
}

impl<'e, 's> Run<'e, 's> {
    pub(super) fn new(explorer: &'e mut Explorer<'s>) -> Run<'e, 's> {
        Run {
            frontier: Frontier::new(explorer.order, explorer.seed),
            tally: Exploration::default(),
            placed: Vec::new(),
            before: explorer.counts(),
            given_up: FixedBitSet::with_capacity(explorer.machine.covered.len()),
            explorer,
        }
    }

    pub(super) fn prepare(
        &mut self,
        function: &Function,
        starts: Vec<Start>,
    ) -> Result<(), SymbolicCallError> {
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

    pub(super) fn explore(
        &mut self,
        function: &Function,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(&mut Explorer<'_>, Path) -> bool,
    ) -> Stop {
        loop {
            if let Some(stop) = self.stop(go_on) {
                return stop;
            }
            let machine = &self.explorer.machine;
            let Some(entry) = self.frontier.pop(&machine.code, &machine.covered) else {
                return Stop::Exhausted;
            };
            let Some(state) = self.resolve(entry) else { continue };
            match self.advance(state, go_on) {
                Advanced::Elsewhere => {}
                Advanced::Stopped(stop) => return stop,
                Advanced::Ended(state, end) => {
                    if !self.visit(function, *state, end, visit) {
                        return Stop::Visitor;
                    }
                }
            }
        }
    }

    /// Gives out a path that ended; whether more are wanted.
    pub(super) fn visit(
        &mut self,
        function: &Function,
        state: State,
        end: End,
        visit: &mut dyn FnMut(&mut Explorer<'_>, Path) -> bool,
    ) -> bool {
        self.tally.give(&end);
        self.explorer.machine.covered.extend(state.fresh.iter().map(|edge| *edge as usize));
        let path = self.path(function, state, end);
        visit(self.explorer, path)
    }

    /// Why to stop, if there is a reason to.
    fn stop(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Stop> {
        self.spent().or_else(|| (!go_on()).then_some(Stop::Interrupted))
    }

    /// How many questions may still be asked.
    pub(super) fn questions_left(&self) -> u64 {
        self.explorer.bounds.queries.saturating_sub(self.explorer.queries - self.before.queries)
    }

    /// The bound that is spent, if one is.
    fn spent(&self) -> Option<Stop> {
        let bounds = &self.explorer.bounds;
        let (now, before) = (self.explorer.counts(), self.before);
        if self.tally.given() >= bounds.paths {
            Some(Stop::Paths(bounds.paths))
        } else if self.questions_left() == 0 {
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
        let Entry { state, pending, .. } = entry;
        let mut state = *state;
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
    pub(super) fn follow(&mut self, mut state: State, then: &Then) -> Option<State> {
        match self.explorer.machine.follow(&mut state, then) {
            None => Some(state),
            Some(Pause::Ended(end)) => {
                state.ended = Some(end);
                Some(state)
            }
            Some(Pause::Cut(cut)) => self.cut(state, cut),
            Some(_) => Some(state),
        }
    }

    /// Steps a state to its next choice, or to its end.
    pub(super) fn advance(&mut self, mut state: State, go_on: &mut dyn FnMut() -> bool) -> Advanced {
        loop {
            let pause = match state.ended.take() {
                Some(end) => Pause::Ended(end),
                None => self.explorer.machine.run(&mut state),
            };
            let next = match pause {
                Pause::Ended(end) => return Advanced::Ended(Box::new(state), end),
                Pause::Cut(cut) if self.is_given_out(&cut) => {
                    return Advanced::Ended(Box::new(state), End::Left(cut));
                }
                Pause::Cut(cut) => self.cut(state, cut),
                Pause::Choose(alternatives) if state.following => self.go_along(state, alternatives),
                Pause::Value { what, .. } if state.following => self.take_value(state, what),
                Pause::Choose(alternatives) => self.choose(state, alternatives),
                Pause::Value { what, kind } => self.value(state, what, kind),
            };
            match next {
                None => return Advanced::Elsewhere,
                Some(next) => state = next,
            }
            // A state on a way without other sides may go on for long. One that is followed has a budget of its own.
            let stop = match state.following {
                true => (!go_on()).then_some(Stop::Interrupted),
                false => self.stop(go_on),
            };
            if state.ended.is_none()
                && let Some(stop) = stop
            {
                self.frontier.push(Entry::new(state));
                return Advanced::Stopped(stop);
            }
        }
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

    pub(super) fn finish(mut self, stop: Stop, left: u64) -> Exploration {
        self.tally.stop = stop;
        self.tally.left = left;
        let (now, before) = (self.explorer.counts(), self.before);
        self.tally.queries = now.queries - before.queries;
        self.tally.steps = now.steps - before.steps;
        self.tally.terms = now.terms - before.terms;
        self.tally
    }
}
