//! Words about the bits of integers. A negative integer has all bits above its own set, as in two's complement of any width, so that results do not
//! depend on how wide the integers of a function are.

use super::arithmetic::{Given, integers};
use super::register::{Data, Lane};
use super::rows::zip_checked;

/// An operation on two integers; undefined where a number is not an integer, or the operation says so.
pub(crate) fn of_two(a: &Data<'_>, b: &Data<'_>, exact: impl Fn(i128, i128) -> Option<i128>) -> Given {
    let ((a, of_a), (b, of_b)) = (integers(a), integers(b));
    let (lane, valid) = zip_checked(&a, &b, 0, exact);
    (Data::Int(lane), valid.and(&of_a).and(&of_b))
}

/// `shl(a, n)`: a times 2 to the power of n. Undefined where n is negative, or 128 bits do not hold the result.
pub(crate) fn shifted_left(a: i128, n: i128) -> Option<i128> {
    if a == 0 && n >= 0 {
        return Some(0);
    }
    let n = u32::try_from(n).ok().filter(|n| *n < 128)?;
    Some(a << n).filter(|shifted| shifted >> n == a)
}

/// `shr(a, n)`: a divided by 2 to the power of n, rounded down. Undefined where n is negative.
pub(crate) fn shifted_right(a: i128, n: i128) -> Option<i128> {
    (n >= 0).then(|| a >> n.min(127))
}

/// `popcount(a)`: how many bits are set. Undefined where `a` is negative, for then there is no end of them.
pub(crate) fn popcount(a: &Data<'_>) -> Given {
    let (a, of_a) = integers(a);
    let (lane, valid) =
        zip_checked(&a, &Lane::One(()), 0, |a, ()| (a >= 0).then(|| i128::from(a.count_ones())));
    (Data::Int(lane), valid.and(&of_a))
}
