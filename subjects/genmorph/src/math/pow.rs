//! `ArithmeticUtils.pow(int, int)`.

/// `k` to the power of `e`; 1 where `e` is 0.
///
/// # Panics
/// When `e` is negative, or the power is no `i32`.
pub fn pow(k: i32, e: i32) -> i32 {
    assert!(e >= 0, "the exponent {e} is negative");
    let (mut result, mut square, mut rest) = (1, k, e);
    loop {
        if rest & 1 == 1 {
            result = product(result, square);
        }
        rest >>= 1;
        if rest == 0 {
            return result;
        }
        square = product(square, square);
    }
}

fn product(a: i32, b: i32) -> i32 {
    a.checked_mul(b).expect("the power is no i32")
}
