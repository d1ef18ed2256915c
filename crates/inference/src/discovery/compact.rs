//! Dropping terms that are no longer in use: a generation later most of the terms that a search made are useless.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Node, TermId, Terms};

/// The wanted terms and all their subterms as new terms in the same order, and the new id of each old one.
pub(super) fn compact(
    terms: &Terms,
    wanted: impl Iterator<Item = TermId>,
) -> (Terms, FxHashMap<TermId, TermId>) {
    let (mut new, mut ids) = (Terms::new(terms.types().to_vec()), FxHashMap::default());
    for old in living(terms, wanted) {
        let id = match terms.node(old) {
            Node::Leaf(leaf) => new.leaf(*leaf),
            Node::Apply(operator, operands) => {
                let operands: Vec<TermId> = operands.iter().map(|o| ids[o]).collect();
                new.apply(*operator, &operands).expect("the types are those of before")
            }
        };
        ids.insert(old, id);
    }
    (new, ids)
}

fn living(terms: &Terms, wanted: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut open: Vec<TermId> = wanted.collect();
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend_from_slice(terms.operands(term));
        }
    }
    let mut living: Vec<TermId> = seen.into_iter().collect();
    living.sort();
    living
}

#[cfg(test)]
mod tests {
    use dodona_relations::ast::Expression;
    use proptest::prelude::*;

    use super::super::grow::tests::{TYPES, grower, pairs_of};
    use super::*;
    use crate::random::Random;

    proptest! {
        #[test]
        fn what_is_kept_stays_the_same_and_the_rest_goes(seed: u64) {
            let (grower, mut terms) = grower(&TYPES[..5]);
            let names: Vec<Expression> =
                pairs_of(&TYPES[..5]).variables.into_iter().map(|v| v.expression).collect();
            let mut random = Random::new(seed);
            let all: Vec<TermId> =
                (0..20).map(|_| grower.expectation(&mut terms, &mut random, 16)).collect();
            let wanted = &all[..5];
            let (new, ids) = compact(&terms, wanted.iter().copied());
            for old in wanted {
                let kept = ids[old];
                prop_assert_eq!(terms.write(*old, &names).to_string(), new.write(kept, &names).to_string());
            }
            prop_assert_eq!(new.len(), ids.len());
            let most: usize = wanted.iter().map(|&t| terms.size(t)).sum();
            prop_assert!(new.len() <= most);
        }
    }
}
