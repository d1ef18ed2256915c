/// Whether x + y > z, for positive sides.
fn exceed(x: i32, y: i32, z: i32) -> bool {
    x > z - y
}

/// The kind of triangle that three sides make: 0 none, 1 scalene, 2 isosceles, 3 equilateral.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn triangle(a: i32, b: i32, c: i32) -> i32 {
    if a <= 0 || b <= 0 || c <= 0 {
        return 0;
    }
    let mut pairs = 0;
    if a == b {
        pairs += 1;
    }
    if a == c {
        pairs += 2;
    }
    if b == c {
        pairs += 3;
    }
    match pairs {
        0 if exceed(a, b, c) && exceed(b, c, a) && exceed(a, c, b) => 1,
        1 if exceed(a, b, c) => 2,
        2 if exceed(a, c, b) => 2,
        3 if exceed(b, c, a) => 2,
        6 => 3,
        _ => 0,
    }
}

/// The greatest common divisor by the binary method; traps where an i32 cannot hold it.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn gcd(p: i32, q: i32) -> i32 {
    let (mut a, mut b) = (p.unsigned_abs(), q.unsigned_abs());
    if a == 0 || b == 0 {
        return i32::try_from(a | b).unwrap();
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    while a != b {
        if a > b {
            a -= b;
            a >>= a.trailing_zeros();
        } else {
            b -= a;
            b >>= b.trailing_zeros();
        }
    }
    i32::try_from(a << shift).unwrap()
}

/// Sorts in place.
#[unsafe(no_mangle)]
#[inline(never)]
pub fn insertion_sort(xs: &mut [i32]) {
    for i in 1..xs.len() {
        let x = xs[i];
        let mut j = i;
        while j > 0 && xs[j - 1] > x {
            xs[j] = xs[j - 1];
            j -= 1;
        }
        xs[j] = x;
    }
}
