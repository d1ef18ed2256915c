//! Paths that are left: those that were the first to take an edge are followed by their values alone, without asking anybody.
//!
//! A state that was the first to take an edge is followed by its concrete values to its end, without questions. So a search that ends at
//! its budget has inputs for all edges that it reached. The other sides of these paths count as left, and an edge that nobody took is
//! called infeasible only if nothing was left.
//!
//! A path that does not end within a bound on instructions or frames has an input nevertheless, without a prediction of its end. The run
//! shows the end, and an endless loop runs out of fuel.

use dodona_smt::term::Term;
use dodona_subject::Function;

use super::exploration_run::{Advanced, Run};
use super::{Explorer, Forking, Path, Stop, Unfinished};
use crate::end::Cut;
use crate::state::State;
use crate::step::{Alternative, Then, Wanted};

/// How many times the instructions of one state may be stepped for all that are followed at the end.
const STATES: u64 = 4;

impl Run<'_, '_> {
    /// Whether a state that meets a bound is a path all the same: it went on without a choice for as long as a state may, as in
    /// an endless loop, or its memory grew as far as it may, and its values are an input that leads there.
    pub(super) fn is_given_out(&self, cut: &Cut) -> bool {
        let went_on = matches!(cut, Cut::Steps | Cut::CallDepth | Cut::Memory);
        went_on && self.explorer.unfinished == Unfinished::Followed
    }

    /// Leaves a state at a bound. One that is to be followed beyond comes back.
    pub(super) fn cut(&mut self, mut state: State, cut: Cut) -> Option<State> {
        let of_turns = matches!(cut, Cut::LoopBound | Cut::RecursionBound);
        self.tally.cut(cut);
        let wanted = self.explorer.unfinished == Unfinished::Followed
            && (self.explorer.forking == Forking::Later || self.is_first(&state));
        if of_turns && wanted {
            state.following = true;
            return Some(state);
        }
        if state.following {
            self.given_up.extend(state.fresh.iter().map(|edge| *edge as usize));
        }
        None
    }

    /// Whether a state took an edge that no path that ended has taken.
    fn is_first(&self, state: &State) -> bool {
        let covered = &self.explorer.machine.covered;
        let is_open = |edge: usize| !covered.contains(edge) && !self.given_up.contains(edge);
        state.fresh.iter().any(|edge| is_open(*edge as usize))
    }

    /// Follows states that wait when the budget is spent, as long as `go_on` says so; how many waited.
    pub(super) fn follow_rest(
        &mut self,
        function: &Function,
        stop: Stop,
        go_on: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(&mut Explorer<'_>, Path) -> bool,
    ) -> u64 {
        let left = self.frontier.len() as u64;
        let is_budget =
            matches!(stop, Stop::Queries(_) | Stop::Steps(_) | Stop::Terms(_) | Stop::Interrupted);
        if !is_budget || self.explorer.unfinished == Unfinished::Dropped {
            return left;
        }
        let last_step = STATES
            .saturating_mul(self.explorer.bounds.step.steps)
            .saturating_add(self.explorer.machine.steps);
        for mut state in self.frontier.take_ready() {
            let is_spent =
                self.explorer.machine.steps >= last_step || self.tally.given() >= self.explorer.bounds.paths;
            if is_spent || !go_on() {
                break;
            }
            if !self.is_first(&state) {
                continue;
            }
            state.following = true;
            if let Advanced::Ended(state, end) = self.advance(state, go_on)
                && !self.visit(function, *state, end, visit)
            {
                break;
            }
        }
        left
    }

    /// Takes the side of a decision on which a state's values are.
    pub(super) fn go_along(&mut self, mut state: State, alternatives: Vec<Alternative>) -> Option<State> {
        let held = alternatives.into_iter().find(|side| self.holds(&state, side.constraint))?;
        state.assume(&self.explorer.machine.terms, held.constraint);
        self.follow(state, &held.then)
    }

    /// Makes a value known: the one that a state's values give it.
    pub(super) fn take_value(&mut self, mut state: State, what: Wanted) -> Option<State> {
        let machine = &mut self.explorer.machine;
        let wanted = machine.wanted(&state, what);
        let value = Term::Constant(wanted.sort(), machine.terms.evaluate(wanted, &state.model));
        let is_value = machine.terms.equal(wanted, value);
        state.assume(&machine.terms, is_value);
        self.follow(state, &Then::Known { what, value })
    }
}
