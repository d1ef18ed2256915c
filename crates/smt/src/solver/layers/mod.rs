//! What stands before a solver: most questions need none.

mod cache;
mod narrow;
mod slices;

use super::{Answer, Solver};
use crate::term::{Assignment, Terms};
use cache::{Cache, Known, Source};
use slices::{Slice, slices};

/// Asks a solver only what constants, independence of constraints and earlier answers leave open. It serves one [`Terms`]:
/// what it remembers is of that one's nodes.
#[derive(Debug)]
pub struct Layered<S> {
    inner: S,
    cache: Cache,
    /// Bits of a slice's variables of which all values are tried.
    widest: u32,
    statistics: LayerStatistics,
}

/// How questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerStatistics {
    /// Lists of constraints that were to be checked.
    pub questions: u64,
    /// Of them, those decided by constants alone.
    pub constant: u64,
    /// Groups of constraints that hang together, in all questions.
    pub slices: u64,
    /// Of them, those that had been asked before.
    pub same: u64,
    /// Those that contain constraints known not to hold together.
    pub subset: u64,
    /// Those that an earlier model satisfies.
    pub model: u64,
    /// Those of so few bits that all values were tried.
    pub narrow: u64,
    /// Those that the solver behind was asked.
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

    /// The same, asking the solver behind also where few values could be tried.
    #[cfg(test)]
    pub(super) fn without_trying(mut self) -> Layered<S> {
        self.widest = 0;
        self
    }

    /// The solver behind.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// The solver behind, to be started or configured.
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// How questions were answered up to now.
    pub fn statistics(&self) -> LayerStatistics {
        self.statistics
    }

    /// What is known of each slice; the solver is asked for the others unless one is known to be unsatisfiable.
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

/// The answer to all slices: one that is unsatisfiable decides, then one that is unknown.
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
