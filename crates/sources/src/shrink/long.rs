//! Shrinks a long row by a walk over its possible changes: each change is tried once, and after a successful change
//! the walk continues from there.
//!
//! Short rows are tried from the beginning again after each successful change. For a long row, that would try most
//! changes as often as there are elements that matter. The walk is delta debugging (Zeller and Hildebrandt, 2002),
//! followed by simplification of the values.

use super::rows::{Edit, Elements, Row};

/// The bound on the total number of elements in the candidates of one walk.
///
/// It trades a smaller counterexample for time. For a row of 60,000 elements of which a few matter, the walk finds
/// these elements with a hundredth of the budget; if a third of all elements matter, the walk ends at the budget.
/// Copying, checking and passing an element takes about 20 ns, so a walk takes seconds at most.
pub(super) const BUDGET: u64 = 1 << 27;

/// The current position of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    stage: Stage,
    /// The number of elements that a change affects.
    size: usize,
    /// The index of the first element of the next change.
    at: usize,
    /// When single elements are simplified: the index of the next candidate of the element.
    nth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Removes everything that the least length allows at once.
    Least,
    /// Removes blocks of elements: halves, quarters, and so on.
    Remove,
    /// Replaces blocks of elements by the simplest element: the whole row, halves, and so on.
    Simplify,
    /// Sorts the row, simplest element first.
    Sort,
    /// Simplifies one element after the other.
    Elements,
    Done,
}

/// A change, and the place at which the walk continues if the change is taken or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) edit: Edit,
    pub(super) taken: Place,
    pub(super) left: Place,
}

impl Place {
    /// The place at which every walk begins.
    pub(super) fn first() -> Place {
        Place { stage: Stage::Least, size: 0, at: 0, nth: 0 }
    }

    fn of(stage: Stage, size: usize) -> Place {
        Place { stage, size, at: 0, nth: 0 }
    }

    /// Whether the budget ends the stage of this place before it is complete.
    pub(super) fn is_cut(self, (spent, most): (u64, u64)) -> bool {
        match self.stage {
            Stage::Remove => spent >= most / 2,
            Stage::Simplify => spent >= most / 4 * 3,
            Stage::Elements => spent >= most,
            Stage::Least | Stage::Sort | Stage::Done => false,
        }
    }

    /// The next change of a row that must not become shorter than `least`. `(spent, most)` is how many elements were
    /// copied so far and how many may be; each stage leaves a part of the budget to the stages after it.
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
        // If the block is removed, the elements after it move to its place, so the walk stays there.
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
