//! Other criteria for metamorphic testing. They measure what source and follow-up inputs cover, and not how many relations test what is
//! covered (section VII of the study of k-MR coverage).

use std::collections::HashSet;

use fixedbitset::FixedBitSet;

/// The equivalence-class coverage criterion for every metamorphic relation, ECCEM (Chen et al.): the share of the classes that a relation
/// covers by a source or a follow-up input, on average over the relations. 1 where there is nothing to cover.
///
/// `covered` has a set of classes for each relation.
pub fn eccem(covered: &[FixedBitSet], classes: usize) -> f64 {
    share(covered.iter().map(|of| of.count_ones(..)).sum(), covered.len() * classes)
}

/// All-path coverage, APC (Dong et al.): the share of the paths that at least one relation covers.
pub fn apc(covered: &[FixedBitSet], paths: usize) -> f64 {
    let mut all = FixedBitSet::with_capacity(paths);
    covered.iter().for_each(|of| all.union_with(of));
    share(all.count_ones(..), paths)
}

/// All-path coverage for every metamorphic relation, APCEM (Dong et al.): of the paths that each relation can cover, the share that it does
/// cover, over all relations together. `coverable` has the paths that a relation is known to be able to cover, because some input took
/// them.
///
/// # Panics
/// When there is not one set of each kind for each relation.
pub fn apcem(covered: &[FixedBitSet], coverable: &[FixedBitSet]) -> f64 {
    assert_eq!(covered.len(), coverable.len(), "two sets for each relation");
    let all = |sets: &[FixedBitSet]| sets.iter().map(|of| of.count_ones(..)).sum();
    let pairs = covered.iter().zip(coverable);
    share(pairs.map(|(covered, coverable)| covered.intersection_count(coverable)).sum(), all(coverable))
}

/// All-path-pair coverage for every metamorphic relation, APPCEM (Dong et al.): the same for pairs of paths, that of a source input and
/// that of its follow-up input.
///
/// # Panics
/// When there is not one set of each kind for each relation.
pub fn appcem(covered: &[HashSet<(u32, u32)>], coverable: &[HashSet<(u32, u32)>]) -> f64 {
    assert_eq!(covered.len(), coverable.len(), "two sets for each relation");
    let pairs = covered.iter().zip(coverable);
    let both = pairs.map(|(covered, coverable)| covered.intersection(coverable).count()).sum();
    share(both, coverable.iter().map(HashSet::len).sum())
}

fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 1.0 } else { part as f64 / of as f64 }
}
