//: number
/// A number as a float; `None` for any other value.
fn number(a: &Value) -> Option<f64> {
    match a {
        Int(i) => Some(*i as f64),
        Float(x) => Some(*x),
        _ => None,
    }
}

//: integer ABOVE_INTEGERS
/// 2^127, the first float above every `i128`.
const ABOVE_INTEGERS: f64 = 170141183460469231731687303715884105728.0;

/// A number as a 128-bit integer, if it is one.
fn integer(a: &Value) -> Option<i128> {
    match a {
        Int(i) => Some(*i),
        Float(x) if x.trunc() == *x && (-ABOVE_INTEGERS..ABOVE_INTEGERS).contains(x) => Some(*x as i128),
        _ => None,
    }
}

//: or_undefined
fn or_undefined<T: Into<Value>>(value: Option<T>) -> Value {
    value.map_or(Undefined, Into::into)
}

//: numeric
/// Applies an exact operation to two integers; if either is a float, applies the float operation to both as floats.
fn numeric(
    a: &Value,
    b: &Value,
    exact: impl Fn(i128, i128) -> Option<i128>,
    float: impl Fn(f64, f64) -> f64,
) -> Value {
    match (a, b) {
        (Int(a), Int(b)) => or_undefined(exact(*a, *b)),
        _ => or_undefined(number(a).zip(number(b)).map(|(a, b)| float(a, b))),
    }
}

//: elementary
/// Applies the operation to two numbers, or to each element of a sequence and a number.
fn elementary(
    a: Value,
    b: Value,
    exact: impl Fn(i128, i128) -> Option<i128>,
    float: impl Fn(f64, f64) -> f64,
) -> Value {
    match (&a, &b) {
        (Ints(s), Int(c)) => or_undefined(s.iter().map(|x| exact(*x, *c)).collect::<Option<Vec<i128>>>()),
        (Int(c), Ints(s)) => or_undefined(s.iter().map(|x| exact(*c, *x)).collect::<Option<Vec<i128>>>()),
        (Ints(s), Float(c)) => Floats(s.iter().map(|x| float(*x as f64, *c)).collect()),
        (Float(c), Ints(s)) => Floats(s.iter().map(|x| float(*c, *x as f64)).collect()),
        (Floats(s), c) => number(c).map_or(Undefined, |c| Floats(s.iter().map(|x| float(*x, c)).collect())),
        (c, Floats(s)) => number(c).map_or(Undefined, |c| Floats(s.iter().map(|x| float(c, *x)).collect())),
        _ => numeric(&a, &b, exact, float),
    }
}

//: add
pub fn add(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    elementary(a.into(), b.into(), i128::checked_add, |a, b| a + b)
}

//: subtract
pub fn subtract(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    elementary(a.into(), b.into(), i128::checked_sub, |a, b| a - b)
}

//: multiply
pub fn multiply(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    elementary(a.into(), b.into(), i128::checked_mul, |a, b| a * b)
}

//: divide
/// `/`: integers that divide exactly give an integer, all other numbers a float. Undefined for a zero divisor.
pub fn divide(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    let (a, b) = (a.into(), b.into());
    match (&a, &b) {
        (Int(_), Int(0)) => Undefined,
        (Int(a), Int(-1)) => or_undefined(a.checked_neg()),
        (Int(a), Int(b)) if a % b == 0 => Int(a / b),
        _ => or_undefined(number(&a).zip(number(&b)).filter(|(_, b)| *b != 0.0).map(|(a, b)| a / b)),
    }
}

//: div
/// The quotient of integers, truncated toward zero.
pub fn div(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(integer(&a.into()).zip(integer(&b.into())).and_then(|(a, b)| a.checked_div(b)))
}

//: modulo
/// The remainder of integers, with the sign of the dividend.
pub fn modulo(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    let both = integer(&a.into()).zip(integer(&b.into()));
    or_undefined(both.filter(|(_, b)| *b != 0).map(|(a, b)| a.wrapping_rem(b)))
}

//: power
/// An integer to a nonnegative integer power gives an integer; all other numbers give a float.
pub fn power(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    let (a, b) = (a.into(), b.into());
    match (&a, &b) {
        (Int(a @ (0 | 1)), Int(1..)) => Int(*a),
        (Int(-1), Int(b @ 0..)) => Int(if b % 2 == 0 { 1 } else { -1 }),
        (Int(a), Int(b @ 0..)) => or_undefined(u32::try_from(*b).ok().and_then(|b| a.checked_pow(b))),
        _ => {
            let float = |(a, b): (f64, f64)| if b == 2.0 { a * a } else { a.powf(b) };
            or_undefined(number(&a).zip(number(&b)).map(float))
        }
    }
}

//: min_float
/// The smaller float; NaN if either is NaN. -0 is smaller than 0.
fn min_float(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Less) => a,
        Some(std::cmp::Ordering::Equal) if a.is_sign_negative() => a,
        _ => b,
    }
}

//: min
pub fn min(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    numeric(&a.into(), &b.into(), |a, b| Some(a.min(b)), min_float)
}

//: max
pub fn max(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    numeric(&a.into(), &b.into(), |a, b| Some(a.max(b)), |a, b| -min_float(-a, -b))
}

//: signed
fn signed(a: Value, exact: impl Fn(i128) -> Option<i128>, float: impl Fn(f64) -> f64) -> Value {
    match a {
        Int(i) => or_undefined(exact(i)),
        Float(x) => Float(float(x)),
        Ints(s) => or_undefined(s.into_iter().map(exact).collect::<Option<Vec<i128>>>()),
        Floats(s) => Floats(s.into_iter().map(float).collect()),
        _ => Undefined,
    }
}

//: negate
pub fn negate(a: impl Into<Value>) -> Value {
    signed(a.into(), i128::checked_neg, |x| -x)
}

//: abs
pub fn abs(a: impl Into<Value>) -> Value {
    signed(a.into(), i128::checked_abs, f64::abs)
}

//: rounded
/// A float that was rounded, as an integer if it fits into 128 bits.
fn rounded(a: Value, round: impl Fn(f64) -> f64) -> Value {
    match a {
        Float(x) => integer(&Float(round(x))).map_or(Float(round(x)), Int),
        a => a,
    }
}

//: floor
pub fn floor(a: impl Into<Value>) -> Value {
    rounded(a.into(), f64::floor)
}

//: ceil
pub fn ceil(a: impl Into<Value>) -> Value {
    rounded(a.into(), f64::ceil)
}

//: sqrt
pub fn sqrt(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::sqrt))
}

//: exp
pub fn exp(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::exp))
}

//: ln
pub fn ln(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::ln))
}

//: sin
pub fn sin(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::sin))
}

//: cos
pub fn cos(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::cos))
}

//: asin
pub fn asin(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::asin))
}

//: acos
pub fn acos(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::acos))
}

//: atan
pub fn atan(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::atan))
}

//: atan2
pub fn atan2(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).zip(number(&b.into())).map(|(a, b)| a.atan2(b)))
}

//: fmod
/// The remainder of floats, with the sign of the dividend.
pub fn fmod(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).zip(number(&b.into())).map(|(a, b)| a % b))
}

//: integers
fn integers(a: impl Into<Value>, b: impl Into<Value>) -> Option<(i128, i128)> {
    integer(&a.into()).zip(integer(&b.into()))
}

//: bitand
pub fn bitand(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(integers(a, b).map(|(a, b)| a & b))
}

//: bitor
pub fn bitor(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(integers(a, b).map(|(a, b)| a | b))
}

//: bitxor
pub fn bitxor(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(integers(a, b).map(|(a, b)| a ^ b))
}

//: shl
/// An integer times a power of two; undefined if 128 bits do not hold the result.
pub fn shl(a: impl Into<Value>, n: impl Into<Value>) -> Value {
    let shifted = |(a, n): (i128, i128)| match u32::try_from(n) {
        Ok(_) if a == 0 => Some(0),
        Ok(n) if n < 128 => Some(a << n).filter(|shifted| shifted >> n == a),
        _ => None,
    };
    or_undefined(integers(a, n).filter(|(_, n)| *n >= 0).and_then(|(a, n)| shifted((a, n.min(1 << 20)))))
}

//: shr
/// An integer divided by a power of two, rounded down.
pub fn shr(a: impl Into<Value>, n: impl Into<Value>) -> Value {
    or_undefined(integers(a, n).filter(|(_, n)| *n >= 0).map(|(a, n)| a >> n.min(127)))
}

//: popcount
/// How many bits of an integer that is not negative are set.
pub fn popcount(a: impl Into<Value>) -> Value {
    or_undefined(integer(&a.into()).filter(|a| *a >= 0).map(|a| i128::from(a.count_ones())))
}

//: is_nan
pub fn is_nan(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::is_nan))
}

//: to_int
/// Numbers as integers; undefined if a number is not an integer.
pub fn to_int(a: impl Into<Value>) -> Value {
    match a.into() {
        Floats(s) => or_undefined(s.into_iter().map(|x| integer(&Float(x))).collect::<Option<Vec<i128>>>()),
        Ints(s) => Ints(s),
        a => or_undefined(integer(&a)),
    }
}

//: to_float
/// Numbers as floats.
pub fn to_float(a: impl Into<Value>) -> Value {
    match a.into() {
        Floats(s) => Floats(s),
        Ints(s) => Floats(s.into_iter().map(|i| i as f64).collect()),
        a => or_undefined(number(&a)),
    }
}

//: to_single
/// Numbers as floats rounded to single precision.
pub fn to_single(a: impl Into<Value>) -> Value {
    match to_float(a) {
        Floats(s) => Floats(s.into_iter().map(|x| f64::from(x as f32)).collect()),
        Float(x) => Float(f64::from(x as f32)),
        a => a,
    }
}

//: to_bools
/// Integers as Booleans; needed only for the empty sequence.
pub fn to_bools(a: impl Into<Value>) -> Value {
    match a.into() {
        Ints(s) => Bools(s.into_iter().map(|i| i != 0).collect()),
        a => a,
    }
}

//: of-the-agreement-tests
by_name! { of_numbers;
    negate abs floor ceil sqrt exp ln sin cos is_nan to_int to_float to_single asin acos atan popcount;
    add subtract multiply divide div modulo power min max atan2 fmod bitand bitor bitxor shl shr;
}
