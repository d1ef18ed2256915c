//! How well an output relation distinguishes correct from incorrect executions (Definitions 2 and 3 of GenMorph).

use dodona_target::splitmix64;

/// The false positives and false negatives of an output relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score {
    /// Correct rows on which the relation is false or undefined.
    pub false_positives: u32,
    /// Incorrect rows on which the relation holds.
    pub false_negatives: u32,
    /// A hash of the set of incorrect rows on which the relation holds: relations that miss the same rows have the same hash.
    pub missed: u64,
}

impl Score {
    /// The share of `correct` rows that are false positives; 0 where `correct` is 0.
    pub fn false_positive_rate(&self, correct: usize) -> f64 {
        share(self.false_positives, correct)
    }

    /// The share of `incorrect` rows that are false negatives; 0 where `incorrect` is 0.
    pub fn false_negative_rate(&self, incorrect: usize) -> f64 {
        share(self.false_negatives, incorrect)
    }
}

fn share(part: u32, all: usize) -> f64 {
    if all == 0 { 0.0 } else { f64::from(part) / all as f64 }
}

/// The hash of a set of rows, given by its words.
pub(super) fn hash_of_rows(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |hash, word| splitmix64(hash ^ word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_no_rows_are_zero() {
        let score = Score { false_positives: 3, false_negatives: 0, missed: 0 };
        assert_eq!(score.false_positive_rate(6), 0.5);
        assert_eq!(score.false_negative_rate(0), 0.0);
    }

    #[test]
    fn the_hash_depends_on_where_the_rows_stand() {
        assert_ne!(hash_of_rows([1, 2].into_iter()), hash_of_rows([2, 1].into_iter()));
    }
}
