//! Which changes are copies of each other: changes of code that was inlined from one expression of the source.
//!
//! Copies are one mutant and are changed together, as an edit of the source would change them. Without debug information each copy is a
//! mutant of its own.

use std::collections::HashMap;

use crate::{Change, MutationOperator};

/// What copies of a change have in common: the operator, the place in the source, and the description.
type Common = (MutationOperator, String, u32, u32, String, String);

/// A copy of the source's code: a function of the module, and the inlined call in it.
type Copy = (usize, u32);

/// The changes seen so far.
#[derive(Default)]
pub(crate) struct Copies {
    /// A number for all that have one thing in common.
    numbers: HashMap<Common, usize>,
    /// How many changes of a number a copy of the source's code has. Where it has two (two equal instructions for one place), their
    /// order tells them apart.
    seen: HashMap<(Copy, usize), u32>,
    /// The mutant of each change, by its number and its order in its copy.
    mutants: HashMap<(usize, u32), usize>,
}

impl Copies {
    /// The mutant that a change is a copy of. If there is none, the change becomes the mutant `next`.
    pub(crate) fn place(&mut self, change: &Change, next: usize) -> usize {
        let description = &change.description;
        // Without a column nothing shows that two instructions belong to the same expression.
        let Some(place) = description.place.as_ref().filter(|place| place.column > 0) else { return next };
        let common = (
            change.candidate.operator,
            place.file.clone(),
            place.line,
            place.column,
            description.before.clone(),
            description.after.clone(),
        );
        let count = self.numbers.len();
        let number = *self.numbers.entry(common).or_insert(count);
        let seen = self.seen.entry(((change.function, description.copy), number)).or_default();
        let order = *seen;
        *seen += 1;
        *self.mutants.entry((number, order)).or_insert(next)
    }
}
