//! Random orders that the seed determines, each use with its own.

use dodona_sources::Seed;
use dodona_target::{fnv1a, splitmix64};

/// The numbers below `count` in a random order.
pub(crate) fn shuffled(count: usize, seed: Seed, of: &str) -> Vec<usize> {
    let ranks = ranks(count, seed, of);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| ranks[i]);
    order
}

/// A random rank for each row; `of` names the use, so that each use has its own order.
pub(crate) fn ranks(rows: usize, seed: Seed, of: &str) -> Vec<u64> {
    let stream = splitmix64(splitmix64(seed.0) ^ fnv1a(of.as_bytes()));
    (0..rows as u64).map(|row| splitmix64(stream ^ splitmix64(row))).collect()
}
