//! A hash for names of files and streams, and numbers that are drawn from a seed.

/// FNV-1a, 64 bits: the same in every release and on every machine. It tells things apart; it guards against nobody.
///
/// ```
/// assert_eq!(dodona_subject::fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What SplitMix64 adds to its state before each number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that SplitMix64 gives from a state: every bit of the state reaches every bit of it.
///
/// ```
/// // The first number of the generator seeded with 0, as published.
/// assert_eq!(dodona_subject::splitmix64(0), 0xe220_a839_7b1d_cdaf);
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
