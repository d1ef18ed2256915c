//! `ArithmeticUtils.gcd(int, int)`.

/// The greatest common divisor of the magnitudes of `p` and `q`, never negative; 0 for two zeros.
///
/// # Panics
/// When the divisor is 2^31, which is no `i32`: for `i32::MIN` and 0 or itself.
pub fn gcd(p: i32, q: i32) -> i32 {
    let (mut a, mut b) = (p.unsigned_abs(), q.unsigned_abs());
    if a == 0 || b == 0 {
        return checked(a | b);
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    // Both are odd; their difference is even and is halved until it is odd again.
    while a != b {
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        a -= b;
        a >>= a.trailing_zeros();
    }
    checked(a << shift)
}

fn checked(divisor: u32) -> i32 {
    i32::try_from(divisor).expect("the divisor 2^31 is no i32")
}
