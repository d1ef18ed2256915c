//! Merges candidates that are parts of one statement.

use crate::identification::{Candidate, Expectation};

/// Merges candidates that differ only in the constant of their change, such as `age + 1` and `age + 5`.
pub(super) fn joined(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut joined: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let like = joined.iter_mut().find(|other| {
            // A joint change has several constants. All merged candidates differ in the same one, because a relation has only one variable
            // constant.
            let place = other.changes[0].differs_in_constant(&candidate.changes[0]);
            let varying = other.changes.get(1).map(|next| other.changes[0].differs_in_constant(next));
            place.is_some()
                && varying.is_none_or(|varying| varying == place)
                && other.aspect == candidate.aspect
                && other.expectation == candidate.expectation
                && other.cubes == candidate.cubes
        });
        match like {
            Some(other) => {
                other.changes.extend(candidate.changes);
                other.support += candidate.support;
            }
            None => joined.push(candidate),
        }
    }
    joined
}

/// Merges candidates that say of neighbouring elements that they stay the same: `out[0]` and `out[1]` become `out[0..2]`.
pub(super) fn sliced(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut sliced: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let longer = sliced.iter_mut().find_map(|other| {
            let is_like = other.expectation == Expectation::Equal
                && candidate.expectation == Expectation::Equal
                && other.changes == candidate.changes
                && other.cubes == candidate.cubes;
            let aspect = is_like.then(|| other.aspect.with_next(candidate.aspect))??;
            Some((other, aspect))
        });
        match longer {
            Some((other, aspect)) => {
                other.aspect = aspect;
                other.support = other.support.min(candidate.support);
            }
            None => sliced.push(candidate),
        }
    }
    sliced
}

/// Leaves out relations that only say another one backwards. Example: if more weight never costs less, then "less weight never costs more"
/// is left out.
pub(super) fn without_mirrored(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let is_general = |candidate: &Candidate| candidate.cubes.iter().all(|cube| cube.literals.is_empty());
    let mirrored = |a: &Candidate, b: &Candidate| {
        let (Some(one), Some(other)) = (a.changes[0].single(), b.changes[0].single()) else { return false };
        one.parameter == other.parameter
            && a.aspect == b.aspect
            && (one.word, other.word) == ("plus", "minus")
            && a.expectation.backwards() == Some(b.expectation)
            && is_general(a)
            && is_general(b)
    };
    let is_said = |b: &Candidate| candidates.iter().any(|a| mirrored(a, b));
    candidates.iter().filter(|candidate| !is_said(candidate)).cloned().collect()
}
