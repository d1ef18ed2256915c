//! Which changes are copies of each other: changes of code that was inlined from one expression of the source.

use std::collections::HashMap;

use crate::{Change, MutationOperator};

/// What copies of a change have in common: the operator, the place in the source, and the description. If a copy of the
/// source's code has two changes with all these in common (two equal instructions for one place), their order tells them apart.
type Key = (MutationOperator, String, u32, u32, String, String, u32);

/// A copy of the source's code: a function of the module, and the inlined call in it.
type Copy = (usize, u32);

/// The changes seen so far.
#[derive(Default)]
pub(crate) struct Copies {
    /// The mutant of each change.
    mutants: HashMap<Key, usize>,
    /// The number of equal changes in a copy.
    seen: HashMap<(Copy, Key), u32>,
}

impl Copies {
    /// The mutant that a change is a copy of. If there is none, the change becomes the mutant `next`.
    pub(crate) fn place(&mut self, change: &Change, next: usize) -> usize {
        let description = &change.description;
        // Without a column nothing shows that two instructions belong to the same expression.
        let Some(place) = description.place.as_ref().filter(|place| place.column > 0) else { return next };
        let mut key = (
            change.candidate.operator,
            place.file.clone(),
            place.line,
            place.column,
            description.before.clone(),
            description.after.clone(),
            0,
        );
        let count = self.seen.entry(((change.function, description.copy), key.clone())).or_default();
        key.6 = *count;
        *count += 1;
        *self.mutants.entry(key).or_insert(next)
    }
}
