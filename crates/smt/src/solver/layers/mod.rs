//! The layers before a solver, which answer most questions.
//!
//! They are constants, constraints without common variables one by one, earlier answers, sets that are known to contradict each other,
//! earlier models, and all values of a few bits.

mod cache;
mod narrow;
mod slices;

use super::{Answer, Solver};
use crate::term::{Assignment, Terms};
use cache::{Cache, Known, Source};
use slices::{Slice, slices};

/// Asks a solver only what constants, the independence of constraints and earlier answers leave open. It serves one [`Terms`],
/// because it remembers answers by the nodes of that.
#[derive(Debug)]
pub struct Layered<S> {
    inner: S,
    cache: Cache,
    /// If the variables of a slice have at most this many bits, all their values are tried.
    widest: u32,
    statistics: LayerStatistics,
}

/// How questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStatistics {
    /// Lists of constraints that were to be checked.
    pub questions: u64,
    /// How many of them constants alone decided.
    pub constant: u64,
    /// Slices: groups of constraints that share variables, in all questions.
    pub slices: u64,
    /// How many slices had been asked about before.
    pub same: u64,
    /// How many contain constraints that are known to contradict each other.
    pub subset: u64,
    /// How many an earlier model satisfies.
    pub model: u64,
    /// How many have so few bits that all values were tried.
    pub narrow: u64,
    /// How many the solver was asked about.
    pub asked: u64,
}

impl<S: Solver> Layered<S> {
    /// Layers before a solver.
    pub fn new(inner: S) -> Layered<S> {
        Layered {
            inner,
            cache: Cache::default(),
            widest: narrow::WIDEST,
            statistics: LayerStatistics::default(),
        }
    }

    /// The same, but the solver is also asked where all values could be tried.
    #[cfg(test)]
    pub(super) fn without_trying(mut self) -> Layered<S> {
        self.widest = 0;
        self
    }

    /// The solver after the layers.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// The solver after the layers, to be started or configured.
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// How questions were answered up to now.
    pub fn statistics(&self) -> LayerStatistics {
        self.statistics
    }

    /// The answer for each slice. The solver is asked about slices without a known answer, unless one slice is known to be
    /// unsatisfiable.
    fn answers(&mut self, terms: &Terms, slices: &[Slice]) -> Vec<Known> {
        self.statistics.slices += slices.len() as u64;
        let remembered: Vec<Option<Known>> =
            slices.iter().map(|slice| self.remembered(terms, slice)).collect();
        if remembered.contains(&Some(Known::Unsatisfiable)) {
            return vec![Known::Unsatisfiable];
        }
        let mut answers = Vec::new();
        for (slice, known) in slices.iter().zip(remembered) {
            let known = known.unwrap_or_else(|| self.asked(terms, slice));
            if known == Known::Unsatisfiable {
                return vec![known];
            }
            answers.push(known);
        }
        answers
    }

    fn remembered(&mut self, terms: &Terms, slice: &Slice) -> Option<Known> {
        let (known, source) = self.cache.answer(terms, slice)?;
        let count = match source {
            Source::Same => &mut self.statistics.same,
            Source::Subset => &mut self.statistics.subset,
            Source::Model => &mut self.statistics.model,
        };
        *count += 1;
        if source == Source::Model {
            self.cache.note(slice, &known);
        }
        Some(known)
    }

    fn asked(&mut self, terms: &Terms, slice: &Slice) -> Known {
        let answer = match narrow::decide(terms, slice, self.widest) {
            Some(answer) => {
                self.statistics.narrow += 1;
                answer
            }
            None => {
                self.statistics.asked += 1;
                self.inner.check(terms, &slice.constraints)
            }
        };
        let known = match answer {
            Answer::Unsatisfiable => Known::Unsatisfiable,
            Answer::Unknown(why) => Known::Unknown(why),
            Answer::Satisfiable(model) => {
                self.cache.note_model(&model);
                Known::of_model(slice, &model)
            }
        };
        self.cache.note(slice, &known);
        known
    }
}

impl<S: Solver> Solver for Layered<S> {
    fn check(&mut self, terms: &Terms, constraints: &[crate::term::Term]) -> Answer {
        self.statistics.questions += 1;
        let slices = slices(terms, constraints);
        if slices.as_ref().is_none_or(Vec::is_empty) {
            self.statistics.constant += 1;
        }
        match slices {
            None => Answer::Unsatisfiable,
            Some(slices) => together(self.answers(terms, &slices)),
        }
    }
}

/// The answer to all slices together: an unsatisfiable slice decides, then an unknown one.
fn together(answers: Vec<Known>) -> Answer {
    let mut model = Assignment::default();
    let mut unknown = None;
    for known in answers {
        match known {
            Known::Unsatisfiable => return Answer::Unsatisfiable,
            Known::Unknown(why) => unknown = unknown.or(Some(why)),
            Known::Satisfiable(values) => {
                values.into_iter().for_each(|(variable, value)| model.set(variable, value))
            }
        }
    }
    unknown.map_or(Answer::Satisfiable(model), Answer::Unknown)
}
