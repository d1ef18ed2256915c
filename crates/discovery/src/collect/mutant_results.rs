//! The outputs of mutants, as far as they are kept.

use std::collections::{HashMap, HashSet};

use dodona_target::{Calls, Column};

use super::plan::{Link, is_short};
use crate::deterministic::{append as append_to, append_columns};

/// The calls of a mutant, by input.
#[derive(Clone, Debug, Default)]
pub(super) struct MutantCalls {
    /// The row in `calls` of each input.
    places: HashMap<u32, u32>,
    calls: Option<Calls>,
    /// The inputs on which its outputs were too long to be kept.
    long: HashSet<u32>,
}

/// An incorrect execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IncorrectExecution {
    pub(super) link: Link,
    /// The row in [`MutantFollowUps`], if the mutant made another follow-up input than the original.
    pub(super) fed: Option<u32>,
}

/// Follow-up inputs that only a mutant made, from its own outputs.
#[derive(Clone, Debug, Default)]
pub(super) struct MutantFollowUps {
    pub(super) arguments: Vec<Column>,
    pub(super) calls: Option<Calls>,
}

/// The incorrect executions of a mutant under one transformation.
#[derive(Clone, Debug, Default)]
pub(super) struct IncorrectExecutions {
    pub(super) incorrect: Vec<IncorrectExecution>,
    pub(super) fed: MutantFollowUps,
    /// Whether a follow-up call crashed where the original's returns.
    pub(super) crashed: bool,
}

/// The results of running a mutant.
#[derive(Clone, Debug, Default)]
pub(super) struct MutantResults {
    pub(super) answers: MutantCalls,
    /// One for each transformation.
    pub(super) shown: Vec<IncorrectExecutions>,
}

impl MutantCalls {
    /// The calls, with the row of an input; `None` if the mutant was not run on the input.
    pub(super) fn at(&self, input: u32) -> Option<(&Calls, usize)> {
        Some((self.calls.as_ref()?, *self.places.get(&input)? as usize))
    }

    /// Whether its outputs on an input were too long to be kept.
    pub(super) fn is_long(&self, input: u32) -> bool {
        self.long.contains(&input)
    }

    /// Its calls on these inputs, in their order; `None` if it was not run on all of them.
    pub(super) fn select(&self, inputs: &[u32]) -> Option<Calls> {
        let places: Option<Vec<u32>> = inputs.iter().map(|input| self.places.get(input).copied()).collect();
        Some(self.calls.as_ref()?.select(&places?))
    }

    /// Adds calls; returns how many had no outputs, or outputs that were too long.
    pub(super) fn add(&mut self, inputs: &[u32], calls: &Calls) -> usize {
        let short: Vec<u32> =
            (0..inputs.len() as u32).filter(|&i| is_short(&calls.outputs, i as usize)).collect();
        let known = self.places.len() as u32;
        self.places.extend(short.iter().enumerate().map(|(i, &at)| (inputs[at as usize], known + i as u32)));
        let long = (0..inputs.len()).filter(|&i| !is_short(&calls.outputs, i));
        self.long.extend(long.map(|i| inputs[i]));
        append(&mut self.calls, calls.select(&short));
        stops(calls) + inputs.len() - short.len()
    }
}

impl IncorrectExecutions {
    /// Adds pairs whose follow-up input the mutant made; returns how many of the calls had no outputs, or outputs that were too long.
    pub(super) fn add_fed(&mut self, links: &[Link], arguments: &[Column], calls: &Calls) -> usize {
        let known = self.fed.calls.as_ref().map_or(0, |calls| calls.outcomes.len());
        let gave = |i: &u32| calls.outcomes[*i as usize].has_outputs();
        let short = |i: &u32| is_short(&calls.outputs, *i as usize);
        let kept: Vec<u32> = (0..links.len() as u32).filter(|i| gave(i) && short(i)).collect();
        let incorrect = |(row, &i): (usize, &u32)| IncorrectExecution {
            link: links[i as usize],
            fed: Some((known + row) as u32),
        };
        self.incorrect.extend(kept.iter().enumerate().map(incorrect));
        self.crashed |= stops(calls) > 0;
        self.fed.add(arguments.iter().map(|column| column.select(&kept)).collect(), calls.select(&kept));
        links.len() - kept.len()
    }
}

impl MutantFollowUps {
    fn add(&mut self, arguments: Vec<Column>, calls: Calls) {
        match self.calls {
            Some(_) => append_columns(&mut self.arguments, &arguments),
            None => self.arguments = arguments,
        }
        append(&mut self.calls, calls);
    }
}

/// How many calls had no outputs.
fn stops(calls: &Calls) -> usize {
    calls.outcomes.iter().filter(|outcome| !outcome.has_outputs()).count()
}

/// Appends calls to others.
fn append(to: &mut Option<Calls>, more: Calls) {
    match to {
        Some(to) => append_to(to, &more),
        None => *to = Some(more),
    }
}
