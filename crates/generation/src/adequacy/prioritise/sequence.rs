//! Orders by the distance of paths as sequences of statements.
//!
//! Definition 1 of Sun et al. (2021) takes a path as the sequence of the statements that an input runs; their path distance (definition 4)
//! looks only at the set of them. For later work they point to more sophisticated measures without naming any (section 7, which refers to
//! Saha and Kanewala 2018). Here are the usual ones for sequences. Their algorithm 1 stays: next comes the input that is farthest from those
//! chosen before. The distance from several inputs is that from the nearest of them, and from none it is that from the empty path.

use dodona_sources::sequences::{common_subsequence_distance, edit_distance, hamming_distance};
use serde::{Deserialize, Serialize};

/// How far two paths are from each other, as sequences of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SequenceDistance {
    /// Statements to be inserted, deleted or replaced.
    Edit,
    /// Places with different statements; places that only the longer path has count as such.
    Hamming,
    /// Statements that are not in the longest common subsequence.
    CommonSubsequence,
}

impl SequenceDistance {
    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            SequenceDistance::Edit => "edit",
            SequenceDistance::Hamming => "hamming",
            SequenceDistance::CommonSubsequence => "common-subsequence",
        }
    }

    /// The distance between two paths.
    pub fn between(self, a: &[u32], b: &[u32]) -> usize {
        match self {
            SequenceDistance::Edit => edit_distance(a, b),
            SequenceDistance::Hamming => hamming_distance(a, b),
            SequenceDistance::CommonSubsequence => common_subsequence_distance(a, b),
        }
    }
}

/// Orders inputs by their paths: next comes the one whose nearest earlier input is farthest, the first one between equals; the first of all
/// is the farthest from the empty path. The distance of each pair is computed once. Before each is, `go_on` is asked; if it returns false,
/// the order so far is returned, without the remaining inputs.
pub fn by_distance(distance: SequenceDistance, paths: &[&[u32]], go_on: &dyn Fn() -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(paths.len());
    let mut rest: Vec<usize> = (0..paths.len()).collect();
    let mut nearest: Vec<usize> = paths.iter().map(|path| distance.between(path, &[])).collect();
    while !rest.is_empty() {
        let farthest = (1..rest.len())
            .fold(0, |best, place| if nearest[rest[place]] > nearest[rest[best]] { place } else { best });
        let chosen = rest.remove(farthest);
        let is_first = order.is_empty();
        order.push(chosen);
        for &input in &rest {
            if !go_on() {
                return order;
            }
            let here = distance.between(paths[input], paths[chosen]);
            nearest[input] = if is_first { here } else { nearest[input].min(here) };
        }
    }
    order
}
