//! Hashes for names of files and streams and for sets of large values, and numbers that are drawn from a seed.

use std::hash::{DefaultHasher, Hash, Hasher};

/// FNV-1a, 64 bits: the same in every release and on every machine. It tells things apart; it guards against nobody.
///
/// ```
/// assert_eq!(dodona_target::fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A value in 128 bits, for sets of values that take more memory than there is. A million different values have two equal digests
/// once in 10^26 runs. Digests are the same within one build of Dodona only, and are not written to files.
///
/// ```
/// assert_eq!(dodona_target::digest("code"), dodona_target::digest("code"));
/// assert_ne!(dodona_target::digest("code"), dodona_target::digest("mode"));
/// ```
pub fn digest<T: Hash + ?Sized>(value: &T) -> [u64; 2] {
    [0_u8, 1].map(|salt| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        value.hash(&mut hasher);
        hasher.finish()
    })
}

/// What SplitMix64 adds to its state before each number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that SplitMix64 gives from a state: every bit of the state reaches every bit of it.
///
/// ```
/// // The first number of the generator seeded with 0, as published.
/// assert_eq!(dodona_target::splitmix64(0), 0xe220_a839_7b1d_cdaf);
/// ```
pub fn splitmix64(state: u64) -> u64 {
    let x = state.wrapping_add(GAMMA);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The next number of a SplitMix64 generator, whose state goes on.
pub fn next_splitmix64(state: &mut u64) -> u64 {
    let number = splitmix64(*state);
    *state = state.wrapping_add(GAMMA);
    number
}
