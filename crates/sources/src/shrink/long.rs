//! A walk over the changes of a long row: each is tried once, and the walk goes on where one was taken.
//!
//! Starting again after each change, as is done with short rows, would try most changes as often as there are elements that
//! matter. This is delta debugging (Zeller and Hildebrandt, 2002), with the simplification of values behind it.

use super::rows::{Edit, Elements, Row};

/// How many elements the candidates of one walk hold together.
///
/// It trades a smaller counterexample for time. A row of 60,000 elements of which a few matter comes down to these in
/// a hundredth of it; where a third of all elements matter, it is what the walk ends with. Copying, checking and passing an
/// element takes about 20 ns, so that it is a matter of seconds.
pub(super) const BUDGET: u64 = 1 << 27;

/// Where a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    stage: Stage,
    /// How many elements a change takes.
    size: usize,
    /// The element that the next change begins at.
    at: usize,
    /// Of one element the candidate that is next.
    nth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// All that may go, goes.
    Least,
    /// Blocks of elements go: halves, quarters, and so on.
    Remove,
    /// Blocks of elements become the simplest element, by halves.
    Simplify,
    /// The simplest element first.
    Sort,
    /// One element after the other becomes simpler.
    Elements,
    Done,
}

/// A change, and where the walk goes on when it is taken and when it is not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) edit: Edit,
    pub(super) taken: Place,
    pub(super) left: Place,
}

impl Place {
    /// Where every walk begins.
    pub(super) fn first() -> Place {
        Place { stage: Stage::Least, size: 0, at: 0, nth: 0 }
    }

    fn of(stage: Stage, size: usize) -> Place {
        Place { stage, size, at: 0, nth: 0 }
    }

    /// The next change of a row that may not be shorter than `least`. So many elements of so many that may be were copied until now;
    /// each stage leaves some to those behind it.
    pub(super) fn step(
        mut self,
        row: &Row,
        least: usize,
        elements: &Elements,
        (spent, most): (u64, u64),
    ) -> Option<Step> {
        let len = row.len();
        loop {
            let step = match self.stage {
                Stage::Least => self.least(len, least),
                Stage::Remove if spent < most / 2 => self.remove(len, least),
                Stage::Simplify if spent < most / 4 * 3 => self.simplify(len),
                Stage::Sort => {
                    let next = Place::of(Stage::Elements, 1);
                    Ok(Step { edit: Edit::Sort, taken: next, left: next })
                }
                Stage::Elements if spent < most => self.element(row, elements),
                Stage::Remove => Err(Place::of(Stage::Simplify, len)),
                Stage::Simplify => Err(Place::of(Stage::Sort, 0)),
                Stage::Elements | Stage::Done => return None,
            };
            match step {
                Ok(step) => return Some(step),
                Err(next) => self = next,
            }
        }
    }

    fn least(self, len: usize, least: usize) -> Result<Step, Place> {
        let next = Place::of(Stage::Remove, len.saturating_sub(least) / 2);
        match len > least {
            true => Ok(Step { edit: Edit::Keep(least), taken: next, left: next }),
            false => Err(Place::of(Stage::Simplify, len)),
        }
    }

    fn remove(self, len: usize, least: usize) -> Result<Step, Place> {
        let size = self.size.min(len.saturating_sub(least));
        if size == 0 {
            return Err(Place::of(Stage::Simplify, len));
        }
        if self.at >= len {
            return Err(Place::of(Stage::Remove, size / 2));
        }
        let end = (self.at + size).min(len);
        // What stood behind a block that went is at its place now.
        Ok(Step { edit: Edit::Remove(self.at, end), taken: self, left: Place { at: end, ..self } })
    }

    fn simplify(self, len: usize) -> Result<Step, Place> {
        if self.size == 0 {
            return Err(Place::of(Stage::Sort, 0));
        }
        if self.at >= len {
            return Err(Place::of(Stage::Simplify, self.size / 2));
        }
        let end = (self.at + self.size).min(len);
        let next = Place { at: end, ..self };
        Ok(Step { edit: Edit::Simplest(self.at, end), taken: next, left: next })
    }

    fn element(mut self, row: &Row, elements: &Elements) -> Result<Step, Place> {
        while self.at < row.len() && self.nth >= row.choices(self.at, elements) {
            (self.at, self.nth) = (self.at + 1, 0);
        }
        if self.at >= row.len() {
            return Err(Place::of(Stage::Done, 0));
        }
        let Place { at, nth, .. } = self;
        let edit = Edit::Element { at, nth };
        Ok(Step { edit, taken: Place { nth: 0, ..self }, left: Place { nth: nth + 1, ..self } })
    }
}
