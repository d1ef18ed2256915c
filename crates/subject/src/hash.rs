//! A hash for names of files and streams.

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
