//! Seeds and the random streams derived from them.

use std::fmt;

use dodona_target::{fnv1a, splitmix64};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// The number of rows drawn from one stream. A longer column is drawn in chunks, each from its own stream, so that
/// its values do not depend on how chunks are distributed among threads.
pub const CHUNK_ROWS: usize = 4096;

/// The number that determines everything drawn at random in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Seed {
    /// The generator for one chunk of the stream with this name.
    ///
    /// The same seed, name and chunk give the same numbers on every machine and in every release: the hash is FNV-1a
    /// mixed by SplitMix64, the generator is xoshiro256++.
    ///
    /// ```
    /// use dodona_sources::Seed;
    /// let stream = Seed(7).stream("odd/x", 0);
    /// assert_eq!(stream, Seed(7).stream("odd/x", 0));
    /// assert_ne!(stream, Seed(7).stream("odd/x", 1));
    /// assert_ne!(stream, Seed(7).stream("odd/y", 0));
    /// ```
    pub fn stream(&self, name: &str, chunk: u64) -> Xoshiro256PlusPlus {
        let named = splitmix64(splitmix64(self.0) ^ fnv1a(name.as_bytes()));
        Xoshiro256PlusPlus::seed_from_u64(splitmix64(named ^ splitmix64(chunk)))
    }
}

/// A number in `0..=last`, uniformly distributed (Lemire's multiplication with rejection).
///
/// Implemented here because the numbers that a seed gives must not change with the release of a library.
#[inline]
pub fn up_to(rng: &mut Xoshiro256PlusPlus, last: u64) -> u64 {
    let Some(n) = last.checked_add(1) else { return rng.next_u64() };
    let mut product = u128::from(rng.next_u64()) * u128::from(n);
    if (product as u64) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u64) < threshold {
            product = u128::from(rng.next_u64()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

/// An index less than `n`, uniformly distributed.
///
/// # Panics
/// When `n` is 0.
#[inline]
pub fn index(rng: &mut Xoshiro256PlusPlus, n: usize) -> usize {
    assert!(n > 0, "an index below 0 was asked for");
    up_to(rng, n as u64 - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_keep_their_numbers_from_release_to_release() {
        let mut rng = Seed(42).stream("x", 3);
        // Computed independently, from the published definitions.
        assert_eq!([rng.next_u64(), rng.next_u64()], [13549751878936587334, 8093146793406352943]);
    }

    #[test]
    fn fnv1a_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn up_to_reaches_both_ends_and_nothing_else() {
        let mut rng = Seed(1).stream("up_to", 0);
        let mut seen = [0u32; 5];
        for _ in 0..5000 {
            seen[up_to(&mut rng, 4) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(up_to(&mut rng, 0), 0);
        assert!((0..64).any(|_| up_to(&mut rng, u64::MAX) > u64::MAX / 2));
    }
}
