//! One cheap test a function: unit tests for cargo-mutants, exports called `test_…` for wasmut.

use crate::{gcd, insertion_sort, triangle};

#[cfg_attr(test, test)]
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn test_triangle() {
    assert_eq!(triangle(3, 4, 5), 1);
    assert_eq!([triangle(3, 3, 2), triangle(3, 2, 3), triangle(2, 3, 3)], [2; 3]);
    assert_eq!(triangle(4, 4, 4), 3);
    assert_eq!([triangle(0, 1, 1), triangle(1, -1, 1), triangle(1, 1, 0), triangle(1, 2, 3)], [0; 4]);
}

#[cfg_attr(test, test)]
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn test_gcd() {
    assert_eq!([gcd(12, 18), gcd(-12, 18), gcd(0, 5), gcd(5, 0), gcd(7, 13)], [6, 6, 5, 5, 1]);
}

#[cfg_attr(test, test)]
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn test_insertion_sort() {
    let mut xs = [3, -1, 2, 2, 0];
    insertion_sort(&mut xs);
    assert_eq!(xs, [-1, 0, 2, 2, 3]);
}
