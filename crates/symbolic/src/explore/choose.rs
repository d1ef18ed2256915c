//! Decisions: a state is replaced by one state for each side that is possible.

use std::rc::Rc;

use dodona_smt::solver::Answer;
use dodona_smt::term::{Assignment, Term};

use super::Forking;
use super::exploration_run::Run;
use super::frontier::{Entry, Frontier};
use crate::end::Cut;
use crate::state::State;
use crate::step::{Alternative, Kind, Then, Wanted};

impl Run<'_, '_> {
    /// Splits a state at a decision. Returns the state if only one side is possible.
    pub(super) fn choose(&mut self, state: State, alternatives: Vec<Alternative>) -> Option<State> {
        let mut held = None;
        let mut others = Vec::new();
        for alternative in alternatives {
            if alternative.constraint.is(false) {
                continue;
            }
            if held.is_none() && self.holds(&state, alternative.constraint) {
                held = Some(alternative);
            } else if state.fixes(&self.explorer.machine.terms, alternative.constraint) {
                // The variables of the constraint can only have the values of the model, and the constraint is false for these.
                self.tally.infeasible += 1;
            } else {
                others.push(alternative);
            }
        }
        match self.explorer.forking {
            Forking::AtOnce => self.fork(state, held, others),
            Forking::Later => self.put_off(state, held, others),
        }
    }

    pub(super) fn holds(&self, state: &State, constraint: Term) -> bool {
        self.explorer.machine.terms.evaluate(constraint, &state.model) == 1
    }

    /// For each other side the solver decides now whether it is possible.
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
            fork.assume(&self.explorer.machine.terms, other.constraint);
            fork.model = Rc::new(model);
            if let Some(fork) = self.follow(fork, &other.then) {
                self.wait(Entry::new(fork));
            }
        }
        let held = held?;
        let mut state = state;
        state.assume(&self.explorer.machine.terms, held.constraint);
        let state = self.follow(state, &held.then)?;
        self.wait(Entry::new(state));
        None
    }

    /// The state follows its model; the other sides wait until they are chosen.
    fn put_off(
        &mut self,
        mut state: State,
        held: Option<Alternative>,
        others: Vec<Alternative>,
    ) -> Option<State> {
        for other in &others {
            let mut fork = state.clone();
            fork.assume(&self.explorer.machine.terms, other.constraint);
            self.wait(Entry::pending(fork, other.then.clone()));
        }
        let held = held?;
        if !others.is_empty() {
            state.assume(&self.explorer.machine.terms, held.constraint);
        }
        self.follow(state, &held.then)
    }

    fn wait(&mut self, entry: Entry) {
        self.frontier.push(entry);
        let machine = &self.explorer.machine;
        let bounds = self.explorer.bounds;
        // One state goes on, however much it holds.
        let is_too_heavy = |waiting: &Frontier| waiting.weight() > bounds.held && waiting.len() > 1;
        while self.frontier.len() > bounds.live || is_too_heavy(&self.frontier) {
            self.frontier.drop_worst(&machine.code, &machine.covered);
            self.tally.cut(Cut::Dropped);
        }
        self.tally.most_live = self.tally.most_live.max(self.frontier.len() as u64);
    }

    /// Makes a value concrete: an address gets one term for few candidates, any other value a path for each of its values.
    pub(super) fn value(&mut self, mut state: State, what: Wanted, kind: Kind) -> Option<State> {
        let wanted = self.explorer.machine.wanted(&state, what);
        let most = match kind {
            Kind::Address => self.explorer.bounds.addresses,
            Kind::Exact => self.explorer.bounds.values,
        };
        let (values, complete) = self.explorer.values(&state, wanted, most, self.questions_left());
        if complete && kind == Kind::Address {
            state.candidates = Some(values.into_iter().map(|(value, _)| value).collect());
            return Some(state);
        }
        if !complete {
            self.tally.cut(Cut::Values);
        }
        let terms = &mut self.explorer.machine.terms;
        let alternatives = values.into_iter().map(|(value, model)| {
            let value = Term::Constant(wanted.sort(), value);
            let constraint = terms.equal(wanted, value);
            (Alternative { constraint, then: Then::Known { what, value } }, model)
        });
        let alternatives: Vec<_> = alternatives.collect();
        match complete {
            true => {
                self.choose(state, alternatives.into_iter().map(|(alternative, _)| alternative).collect())
            }
            false => self.fork_all(&state, alternatives),
        }
    }

    /// Follows some values of many, each from a model that has it. Following even a single one is an assumption.
    fn fork_all(&mut self, state: &State, alternatives: Vec<(Alternative, Rc<Assignment>)>) -> Option<State> {
        for (alternative, model) in alternatives {
            let mut fork = state.clone();
            fork.assume(&self.explorer.machine.terms, alternative.constraint);
            fork.model = model;
            if let Some(fork) = self.follow(fork, &alternative.then) {
                self.wait(Entry::new(fork));
            }
        }
        None
    }
}
