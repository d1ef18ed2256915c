//! `Primes.nextPrime(int)`.

use super::is_prime;

/// The smallest prime that is at least `n`.
///
/// # Panics
/// When `n` is negative.
pub fn next_prime(n: i32) -> i32 {
    assert!(n >= 0, "{n} is negative");
    match n {
        0..=2 => 2,
        3 => 3,
        _ => next_on_wheel(n),
    }
}

/// Every prime above 3 is one less or one more than a multiple of 6. The search ends: `i32::MAX` is prime.
fn next_on_wheel(n: i32) -> i32 {
    let mut candidate = match n % 6 {
        0 => n + 1,
        1 => n,
        residue => n + 5 - residue,
    };
    while !is_prime(candidate) {
        let below = candidate % 6 == 5;
        // Seeded fault: the residue 1 is never visited again once the residue 5 was.
        candidate += match (below, cfg!(feature = "faulty")) {
            (true, true) => 6,
            (true, false) => 2,
            (false, _) => 4,
        };
    }
    candidate
}
