//! How far two sequences are from each other.

use rapidfuzz::distance::{indel, levenshtein};

/// The edit distance (Levenshtein 1966): the fewest elements to be inserted, deleted or replaced to make one sequence the other.
pub fn edit_distance(a: &[u32], b: &[u32]) -> usize {
    levenshtein::distance(a.iter().copied(), b.iter().copied())
}

/// The Hamming distance: the places at which the sequences have different elements. Sequences of different lengths have none; here each
/// place that only the longer one has counts as different.
pub fn hamming_distance(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).filter(|(x, y)| x != y).count() + a.len().abs_diff(b.len())
}

/// The distance by the longest common subsequence: the elements of both sequences that are not in it, which is the edit distance without
/// replacement.
pub fn common_subsequence_distance(a: &[u32], b: &[u32]) -> usize {
    indel::distance(a.iter().copied(), b.iter().copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition by prefixes; `replace` is what a replacement costs.
    fn plain(a: &[u32], b: &[u32], replace: usize) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut next = vec![i + 1];
            for (j, y) in b.iter().enumerate() {
                let kept = row[j] + if x == y { 0 } else { replace };
                next.push(kept.min(row[j + 1] + 1).min(next[j] + 1));
            }
            row = next;
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_definitions(
            a in prop::collection::vec(0u32..5, 0..150),
            b in prop::collection::vec(0u32..5, 0..150),
        ) {
            prop_assert_eq!(edit_distance(&a, &b), plain(&a, &b, 1));
            prop_assert_eq!(common_subsequence_distance(&a, &b), plain(&a, &b, 2));
            prop_assert!(edit_distance(&a, &b) <= hamming_distance(&a, &b));
            prop_assert_eq!(hamming_distance(&a, &[]), a.len());
        }
    }
}
