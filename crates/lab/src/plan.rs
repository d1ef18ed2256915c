//! What a check is to run, cut into batches that threads take one by one.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dodona_sources::Seed;

/// The rows of one random batch, each batch drawn from a stream of its own, so that the source inputs do
/// not depend on the number of threads. Small enough that a column of floats stays in the first-level cache.
pub(crate) const BATCH_ROWS: usize = 1024;

/// What a check runs.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Random source inputs a relation.
    pub sources: u64,
    /// Files of source inputs, run before the random ones.
    pub files: Vec<PathBuf>,
    /// The names of the relations to check; empty means all.
    pub relations: Vec<String>,
    /// Where the random source inputs start.
    pub seed: Seed,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Whether violations are kept and tried again.
    pub regressions: Regressions,
}

/// Whether violations are kept beside the manifest, and those kept before are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regressions {
    /// They are.
    Keep,
    /// They are neither read nor written.
    Ignore,
}

/// Source inputs that one thread runs through one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// The relation, as an index into the relations checked.
    pub(crate) relation: usize,
    /// Where the source inputs come from.
    pub(crate) origin: Origin,
    /// How many there are.
    pub(crate) rows: usize,
}

/// Where the source inputs of a batch come from. The order of the variants is the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// Those kept from earlier violations.
    Regressions,
    /// Those read from files, from this row on.
    Files {
        /// The first row.
        start: usize,
    },
    /// A random chunk.
    Random {
        /// Its number.
        chunk: u64,
    },
}

/// The batches of all relations: for each the kept ones, then those of files, then random ones.
pub(crate) fn batches(kept: &[usize], from_files: &[usize], random: u64) -> Vec<Batch> {
    let mut batches = Vec::new();
    for (relation, (&kept, &read)) in kept.iter().zip(from_files).enumerate() {
        if kept > 0 {
            batches.push(Batch { relation, origin: Origin::Regressions, rows: kept });
        }
        for start in (0..read).step_by(BATCH_ROWS) {
            let rows = BATCH_ROWS.min(read - start);
            batches.push(Batch { relation, origin: Origin::Files { start }, rows });
        }
        for chunk in 0..random.div_ceil(BATCH_ROWS as u64) {
            let rows = (random - chunk * BATCH_ROWS as u64).min(BATCH_ROWS as u64) as usize;
            batches.push(Batch { relation, origin: Origin::Random { chunk }, rows });
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_in_exactly_one_batch() {
        let batches = batches(&[2, 0], &[1500, 0], 2500);
        let rows =
            |relation| batches.iter().filter(|b| b.relation == relation).map(|b| b.rows).sum::<usize>();
        assert_eq!(rows(0), 2 + 1500 + 2500);
        assert_eq!(rows(1), 2500);
        assert!(
            batches.iter().all(|b| b.rows > 0 && (b.rows <= BATCH_ROWS || b.origin == Origin::Regressions))
        );
        let first: Vec<_> = batches.iter().take(3).map(|b| b.origin).collect();
        assert_eq!(first, [Origin::Regressions, Origin::Files { start: 0 }, Origin::Files { start: 1024 }]);
    }

    #[test]
    fn no_sources_are_no_batches() {
        assert_eq!(batches(&[0], &[0], 0), []);
    }
}
