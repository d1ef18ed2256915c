//! `Primes.isPrime(int)`.

/// Small divisors are tried first: they settle most numbers.
const SMALL: [i32; 11] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31];

/// Whether `n` is a prime; nothing below 2 is.
pub fn is_prime(n: i32) -> bool {
    if n < 2 {
        return false;
    }
    for p in SMALL {
        if n % p == 0 {
            return n == p;
        }
    }
    // These bases decide every odd number below 3,215,031,751 (Jaeschke 1993).
    [2, 3, 5, 7].iter().all(|&base| is_probable_prime(n as u64, base))
}

/// The Miller-Rabin test of an odd number to one base.
fn is_probable_prime(n: u64, base: u64) -> bool {
    let twos = (n - 1).trailing_zeros();
    let mut x = power_modulo(base, (n - 1) >> twos, n);
    if x == 1 || x == n - 1 {
        return true;
    }
    for _ in 1..twos {
        x = x * x % n;
        if x == n - 1 {
            return true;
        }
    }
    false
}

/// `base` to the `exponent` modulo `n`, for `n` below 2^32.
fn power_modulo(base: u64, exponent: u64, n: u64) -> u64 {
    let (mut result, mut square, mut rest) = (1, base % n, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % n;
        }
        square = square * square % n;
        rest >>= 1;
    }
    result
}
