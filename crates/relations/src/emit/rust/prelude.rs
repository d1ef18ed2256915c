// What the words of relations mean, as they stand at the end of the Rust files that are written. Each item begins with a
// line of its names, by which only what a file needs is taken.
//:
use proptest::prelude::*;
use std::fmt;

//: Value Undefined Bool Int Float Text Bools Ints Floats
/// A value. Where something has no value, as after a division by zero, it is undefined, and so is what is made of it.
#[derive(Clone)]
pub enum Value {
    Undefined,
    Bool(bool),
    /// Exact: where 128 bits do not hold an integer, it is undefined.
    Int(i128),
    Float(f64),
    Text(String),
    Bools(Vec<bool>),
    Ints(Vec<i128>),
    Floats(Vec<f64>),
}
use Value::*;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undefined => f.write_str("undefined"),
            Bool(b) => write!(f, "{b:?}"),
            Int(i) => write!(f, "{i:?}"),
            Float(x) => write!(f, "{x:?}"),
            Text(t) => write!(f, "{t:?}"),
            Bools(v) => write!(f, "{v:?}"),
            Ints(v) => write!(f, "{v:?}"),
            Floats(v) => write!(f, "{v:?}"),
        }
    }
}

macro_rules! converts {
    ($kind:ident, $kinds:ident, $wide:ty: $($t:ty)*) => {$(
        impl From<$t> for Value {
            fn from(x: $t) -> Value {
                $kind(x as $wide)
            }
        }

        impl From<Vec<$t>> for Value {
            fn from(v: Vec<$t>) -> Value {
                $kinds(v.into_iter().map(|x| x as $wide).collect())
            }
        }

        impl From<&[$t]> for Value {
            fn from(v: &[$t]) -> Value {
                v.to_vec().into()
            }
        }

        impl From<&Value> for $t {
            fn from(value: &Value) -> $t {
                match value {
                    $kind(x) => *x as $t,
                    other => unreachable!("{other:?} is no {}", stringify!($t)),
                }
            }
        }

        impl From<&Value> for Vec<$t> {
            fn from(value: &Value) -> Vec<$t> {
                match value {
                    $kinds(v) => v.iter().map(|x| *x as $t).collect(),
                    other => unreachable!("{other:?} is no sequence of {}", stringify!($t)),
                }
            }
        }
    )*};
}
converts!(Int, Ints, i128: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);
converts!(Float, Floats, f64: f32 f64);
converts!(Bool, Bools, bool: bool);

impl From<&Value> for Value {
    fn from(value: &Value) -> Value {
        value.clone()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Text(text)
    }
}

impl From<&Value> for String {
    fn from(value: &Value) -> String {
        match value {
            Text(text) => text.clone(),
            other => unreachable!("{other:?} is no text"),
        }
    }
}

//: Call call
/// A call of a function under test.
pub struct Call {
    text: String,
    /// `None` where an argument has no value and the call was not made.
    ended: Option<Result<Vec<Value>, ()>>,
}

/// Calls a function, where every argument has a value. A panic is a trap.
pub fn call<const N: usize>(
    name: &str,
    arguments: [Value; N],
    run: impl FnOnce([&Value; N]) -> Vec<Value>,
) -> Call {
    let written: Vec<String> = arguments.iter().map(|a| format!("{a:?}")).collect();
    let made = arguments.iter().all(|a| !matches!(a, Undefined));
    let ended = made.then(|| quietly(|| run(arguments.each_ref())));
    Call { text: format!("{name}({})", written.join(", ")), ended }
}

thread_local! {
    static QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs what may panic, without the message that a panic prints.
fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, ()> {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            if !QUIET.get() {
                loud(about);
            }
        }));
    });
    QUIET.set(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    QUIET.set(false);
    result.map_err(|_| ())
}

impl Call {
    /// Whether it was made and came back.
    pub fn returned(&self) -> bool {
        matches!(self.ended, Some(Ok(_)))
    }

    /// Whether it was made and trapped.
    pub fn trapped(&self) -> bool {
        matches!(self.ended, Some(Err(())))
    }

    /// An output.
    pub fn output(&self, index: usize) -> Value {
        match &self.ended {
            Some(Ok(outputs)) => outputs[index].clone(),
            _ => Undefined,
        }
    }

    /// Whether it trapped; undefined where it was not made.
    pub fn traps(&self) -> Value {
        self.ended.as_ref().map_or(Undefined, |ended| Bool(ended.is_err()))
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.ended {
            None => f.write_str(" is not called"),
            Some(Err(())) => f.write_str(" traps"),
            Some(Ok(outputs)) => match &outputs[..] {
                [output] => write!(f, " gives {output:?}"),
                outputs => write!(f, " gives {outputs:?}"),
            },
        }
    }
}

//: judge Standing
/// What a call's failing means.
#[derive(Clone, Copy, PartialEq)]
pub enum Standing {
    /// Other calls may fail where this one does.
    Source,
    /// The relation is violated, where the source calls returned.
    FollowUp,
    /// Nothing by itself: the relation speaks of it.
    Observed,
}

/// The verdict: what is expected is true, and no follow-up call failed.
pub fn judge(calls: &[(Standing, &Call)], expected: Value) -> Result<(), TestCaseError> {
    let failed = |standing| calls.iter().any(|(s, call)| *s == standing && call.trapped());
    let crashed = failed(Standing::FollowUp) && !failed(Standing::Source);
    if !crashed && is_true(&expected) {
        return Ok(());
    }
    let told: String = calls.iter().map(|(_, call)| format!("\n    {call:?}")).collect();
    let why = match (crashed, expected) {
        (true, _) => "a follow-up call traps where the source calls return",
        (false, Undefined) => "what is expected has no value",
        (false, _) => "what is expected is false",
    };
    Err(TestCaseError::fail(format!("{why}:{told}")))
}

//: is_true
/// Whether a value is true: neither false nor undefined.
pub fn is_true(a: impl Into<Value>) -> bool {
    matches!(a.into(), Bool(true))
}

//: made
/// Whether all arguments of a call have a value.
pub fn made(arguments: &[Value]) -> bool {
    arguments.iter().all(|a| !matches!(a, Undefined))
}

//: number
/// A number as a float.
fn number(a: &Value) -> Option<f64> {
    match a {
        Int(i) => Some(*i as f64),
        Float(x) => Some(*x),
        _ => None,
    }
}

//: integer
/// 2^127, the first float above every `i128`.
const ABOVE_INTEGERS: f64 = 170141183460469231731687303715884105728.0;

/// The integer that a number is, if it is one of 128 bits.
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
/// Integers stay exact; with a float both are floats.
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
/// Numbers, or each element of a sequence and a number.
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
/// `/`: integers that divide exactly give an integer, everything else a float. Undefined for a zero divisor.
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
/// The quotient of integers, toward zero.
pub fn div(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or_undefined(integer(&a.into()).zip(integer(&b.into())).and_then(|(a, b)| a.checked_div(b)))
}

//: modulo
/// The remainder of integers, with the sign of the first.
pub fn modulo(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    let both = integer(&a.into()).zip(integer(&b.into()));
    or_undefined(both.filter(|(_, b)| *b != 0).map(|(a, b)| a.wrapping_rem(b)))
}

//: power
/// An integer to a power that is an integer and not negative stays one.
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
/// The lesser; NaN where either is, and -0 before 0.
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
/// An integer where 128 bits hold it.
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

//: is_nan
pub fn is_nan(a: impl Into<Value>) -> Value {
    or_undefined(number(&a.into()).map(f64::is_nan))
}

//: to_int
/// Numbers as integers; undefined where one is none.
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
/// Numbers as floats, rounded to single precision.
pub fn to_single(a: impl Into<Value>) -> Value {
    match to_float(a) {
        Floats(s) => Floats(s.into_iter().map(|x| f64::from(x as f32)).collect()),
        Float(x) => Float(f64::from(x as f32)),
        a => a,
    }
}

//: to_bools
/// The empty sequence as one of Booleans.
pub fn to_bools(a: impl Into<Value>) -> Value {
    match a.into() {
        Ints(s) => Bools(s.into_iter().map(|i| i != 0).collect()),
        a => a,
    }
}

//: compare
/// The exact order of numbers, also between integers and floats. `None` where either is NaN.
fn compare(a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
    match (a, b) {
        (Int(a), Int(b)) => Some(a.cmp(b)),
        (Float(a), Float(b)) => a.partial_cmp(b),
        (Int(a), Float(b)) if b.is_finite() && (-ABOVE_INTEGERS..ABOVE_INTEGERS).contains(b) => {
            Some(a.cmp(&(b.trunc() as i128)).then_with(|| b.trunc().total_cmp(b)))
        }
        (Int(_), Float(b)) => 0.0.partial_cmp(b),
        (Float(_), Int(_)) => compare(b, a).map(std::cmp::Ordering::reverse),
        _ => None,
    }
}

//: less
pub fn less(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    let (a, b) = (a.into(), b.into());
    let less = compare(&a, &b) == Some(std::cmp::Ordering::Less);
    or_undefined(number(&a).zip(number(&b)).map(|_| less))
}

//: at_most
pub fn at_most(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    let (a, b) = (a.into(), b.into());
    let order = compare(&a, &b);
    or_undefined(number(&a).zip(number(&b)).map(|_| order.is_some_and(|o| o != std::cmp::Ordering::Greater)))
}

//: items like
/// The elements of a sequence, or the characters of a text; `None` where it is undefined.
fn items(s: &Value) -> Option<Vec<Value>> {
    match s {
        Text(t) => Some(t.chars().map(|c| Text(c.to_string())).collect()),
        Bools(v) => Some(v.iter().map(|b| Bool(*b)).collect()),
        Ints(v) => Some(v.iter().map(|i| Int(*i)).collect()),
        Floats(v) => Some(v.iter().map(|x| Float(*x)).collect()),
        _ => None,
    }
}

/// Elements as a sequence of the kind of another.
fn like(s: &Value, items: Vec<Value>) -> Value {
    match s {
        Text(_) => Text(items.iter().map(String::from).collect()),
        Bools(_) => Bools(items.iter().map(bool::from).collect()),
        Ints(_) => Ints(items.iter().map(i128::from).collect()),
        Floats(_) => Floats(items.iter().map(f64::from).collect()),
        _ => Undefined,
    }
}

//: same
/// Exact equality; NaN equals NaN.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Bool(a), Bool(b)) => a == b,
        (Text(a), Text(b)) => a == b,
        (Float(a), Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Int(_) | Float(_), Int(_) | Float(_)) => compare(a, b) == Some(std::cmp::Ordering::Equal),
        _ => items(a).zip(items(b)).is_some_and(|(a, b)| all_same(&a, &b)),
    }
}

fn all_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

//: both
/// A truth about two values, where both have one.
fn both(a: Value, b: Value, truth: impl FnOnce(&Value, &Value) -> bool) -> Value {
    match (&a, &b) {
        (Undefined, _) | (_, Undefined) => Undefined,
        _ => Bool(truth(&a, &b)),
    }
}

//: equal
pub fn equal(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    both(a.into(), b.into(), same)
}

//: differs
pub fn differs(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    both(a.into(), b.into(), |a, b| !same(a, b))
}

//: approximate
/// Numbers, or numbers of sequences one by one, by a test of floats; everything else by equality.
fn approximate(a: &Value, b: &Value, near: &dyn Fn(f64, f64) -> bool) -> bool {
    match (a, b) {
        (Int(_) | Float(_), _) => number(a).zip(number(b)).is_some_and(|(a, b)| near(a, b)),
        (Ints(_) | Floats(_), _) => items(a).zip(items(b)).is_some_and(|(a, b)| {
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| approximate(a, b, near))
        }),
        _ => same(a, b),
    }
}

//: near
/// `~=`: |a - b| <= 1e-12 + relative * max(|a|, |b|). NaN is near NaN; an infinity only itself.
pub fn near(a: impl Into<Value>, b: impl Into<Value>, relative: f64) -> Value {
    both(a.into(), b.into(), |a, b| {
        approximate(a, b, &|a, b| {
            let (difference, larger) = ((a - b).abs(), a.abs().max(b.abs()));
            let within = difference <= 1e-12 + relative * larger && difference < f64::INFINITY;
            within || a == b || (a.is_nan() && b.is_nan())
        })
    })
}

//: near_ulps
/// `~=` in units in the last place.
pub fn near_ulps(a: impl Into<Value>, b: impl Into<Value>, ulps: u64) -> Value {
    let place = |x: f64| {
        let magnitude = i128::from(x.abs().to_bits());
        if x < 0.0 { -magnitude } else { magnitude }
    };
    both(a.into(), b.into(), |a, b| {
        approximate(a, b, &|a, b| {
            let close = || place(a).abs_diff(place(b)) <= u128::from(ulps);
            a == b || (a.is_nan() && b.is_nan()) || (a.is_finite() && b.is_finite() && close())
        })
    })
}

//: near_single_ulps
/// `~=` in units in the last place of single precision.
pub fn near_single_ulps(a: impl Into<Value>, b: impl Into<Value>, ulps: u64) -> Value {
    let place = |x: f32| {
        let magnitude = i64::from(x.abs().to_bits());
        if x < 0.0 { -magnitude } else { magnitude }
    };
    both(a.into(), b.into(), |a, b| {
        approximate(a, b, &|a, b| {
            let (x, y) = (a as f32, b as f32);
            let close = || place(x).abs_diff(place(y)) <= ulps;
            a == b || (a.is_nan() && b.is_nan()) || (x.is_finite() && y.is_finite() && close())
        })
    })
}

//: truth
fn truth(a: impl Into<Value>) -> Option<bool> {
    match a.into() {
        Bool(b) => Some(b),
        _ => None,
    }
}

//: not
pub fn not(a: impl Into<Value>) -> Value {
    or_undefined(truth(a).map(|a| !a))
}

//: and
/// False where either side is false, whatever the other.
pub fn and(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    match (truth(a), truth(b)) {
        (Some(false), _) | (_, Some(false)) => Bool(false),
        (a, b) => or_undefined(a.and(b)),
    }
}

//: or
/// True where either side is true, whatever the other.
pub fn or(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    match (truth(a), truth(b)) {
        (Some(true), _) | (_, Some(true)) => Bool(true),
        (a, b) => or_undefined(a.and(b)),
    }
}

//: implies
pub fn implies(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    or(not(a), b)
}

//: defined
pub fn defined(a: impl Into<Value>) -> Value {
    Bool(!matches!(a.into(), Undefined))
}

//: len
pub fn len(s: impl Into<Value>) -> Value {
    or_undefined(items(&s.into()).map(|items| items.len()))
}

//: sum
pub fn sum(s: impl Into<Value>) -> Value {
    match s.into() {
        Ints(s) => or_undefined(s.iter().try_fold(0i128, |sum, x| sum.checked_add(*x))),
        _ => Undefined,
    }
}

//: sum_floats
/// From left to right.
pub fn sum_floats(s: impl Into<Value>) -> Value {
    match s.into() {
        Floats(s) => Float(s.iter().fold(0.0, |sum, x| sum + x)),
        _ => Undefined,
    }
}

//: pick
/// The elements at some places of a sequence; undefined where there are no such places.
fn pick(s: Value, places: impl FnOnce(usize) -> Option<Vec<usize>>) -> Value {
    let Some(all) = items(&s) else { return Undefined };
    let picked = places(all.len());
    picked.map_or(Undefined, |places| like(&s, places.into_iter().map(|i| all[i].clone()).collect()))
}

//: reverse
pub fn reverse(s: impl Into<Value>) -> Value {
    pick(s.into(), |n| Some((0..n).rev().collect()))
}

//: sorted
/// Ascending; NaN last.
pub fn sorted(s: impl Into<Value>) -> Value {
    match s.into() {
        Bools(mut v) => {
            v.sort();
            Bools(v)
        }
        Ints(mut v) => {
            v.sort();
            Ints(v)
        }
        Floats(mut v) => {
            v.sort_by(|a, b| a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())));
            Floats(v)
        }
        Text(t) => {
            let mut characters: Vec<char> = t.chars().collect();
            characters.sort();
            Text(characters.into_iter().collect())
        }
        _ => Undefined,
    }
}

//: remove
/// Counts from the end below zero; changes nothing where there is no such place.
pub fn remove(s: impl Into<Value>, i: impl Into<Value>) -> Value {
    let Some(i) = integer(&i.into()) else { return Undefined };
    pick(s.into(), |n| {
        let hole = if i < 0 { i + n as i128 } else { i };
        Some((0..n).filter(|place| *place as i128 != hole).collect())
    })
}

//: truncate
/// The first n, or all where there are fewer.
pub fn truncate(s: impl Into<Value>, n: impl Into<Value>) -> Value {
    let Some(kept) = integer(&n.into()) else { return Undefined };
    pick(s.into(), |n| Some((0..n).take_while(|place| (*place as i128) < kept).collect()))
}

//: slice
/// `s[from..to]`: undefined where it reaches out of the sequence.
pub fn slice(s: impl Into<Value>, from: impl Into<Value>, to: impl Into<Value>) -> Value {
    let bound = |i: Value| integer(&i).and_then(|i| usize::try_from(i).ok());
    let (from, to) = (bound(from.into()), bound(to.into()));
    pick(s.into(), |n| {
        let (from, to) = from.zip(to)?;
        (from <= to && to <= n).then(|| (from..to).collect())
    })
}

//: drop_first
/// `s[from..]`: undefined where it reaches out of the sequence.
pub fn drop_first(s: impl Into<Value>, from: impl Into<Value>) -> Value {
    let s = s.into();
    let all = len(&s);
    slice(s, from, all)
}

//: index
/// `s[i]`: an element, or a text of one character. Undefined out of range.
pub fn index(s: impl Into<Value>, i: impl Into<Value>) -> Value {
    let place = integer(&i.into()).and_then(|i| usize::try_from(i).ok());
    or_undefined(items(&s.into()).and_then(|items| items.get(place?).cloned()))
}

//: concat
pub fn concat(s: impl Into<Value>, t: impl Into<Value>) -> Value {
    let (s, t) = (s.into(), t.into());
    let Some((mut all, more)) = items(&s).zip(items(&t)) else { return Undefined };
    all.extend(more);
    like(&s, all)
}

//: parts
/// A truth about the elements of two sequences.
fn parts(s: Value, t: Value, truth: impl FnOnce(&[Value], &[Value]) -> bool) -> Value {
    or_undefined(items(&s).zip(items(&t)).map(|(s, t)| truth(&s, &t)))
}

//: contains
/// Whether a sequence has another inside, unbroken.
pub fn contains(s: impl Into<Value>, part: impl Into<Value>) -> Value {
    parts(s.into(), part.into(), |s, part| {
        (0..=s.len()).any(|i| s.len() >= i + part.len() && all_same(&s[i..i + part.len()], part))
    })
}

//: has_element
pub fn has_element(s: impl Into<Value>, x: impl Into<Value>) -> Value {
    both(s.into(), x.into(), |s, x| items(s).is_some_and(|items| items.iter().any(|item| same(item, x))))
}

//: is_prefix_of
pub fn is_prefix_of(part: impl Into<Value>, s: impl Into<Value>) -> Value {
    parts(part.into(), s.into(), |part, s| part.len() <= s.len() && all_same(part, &s[..part.len()]))
}

//: is_suffix_of
pub fn is_suffix_of(part: impl Into<Value>, s: impl Into<Value>) -> Value {
    parts(part.into(), s.into(), |part, s| part.len() <= s.len() && all_same(part, &s[s.len() - part.len()..]))
}

//: cased
fn cased(s: Value, change: impl Fn(char) -> String) -> Value {
    match s {
        Text(t) => Text(t.chars().map(change).collect()),
        _ => Undefined,
    }
}

//: upper
pub fn upper(s: impl Into<Value>) -> Value {
    cased(s.into(), |c| c.to_uppercase().collect())
}

//: lower
pub fn lower(s: impl Into<Value>) -> Value {
    cased(s.into(), |c| c.to_lowercase().collect())
}

//: text
/// As the relation language writes a number.
pub fn text(a: impl Into<Value>) -> Value {
    match a.into() {
        Bool(b) => Text(b.to_string()),
        Int(i) => Text(i.to_string()),
        Float(x) if x.is_nan() => Text("nan".to_owned()),
        Float(x) => Text(format!("{x:?}")),
        _ => Undefined,
    }
}

//: bools
pub fn bools(items: &[Value]) -> Value {
    if made(items) { like(&Bools(Vec::new()), items.to_vec()) } else { Undefined }
}

//: ints
pub fn ints(items: &[Value]) -> Value {
    if made(items) { like(&Ints(Vec::new()), items.to_vec()) } else { Undefined }
}

//: floats
pub fn floats(items: &[Value]) -> Value {
    or_undefined(items.iter().map(number).collect::<Option<Vec<f64>>>())
}

//: each
/// Whether something is true of a value itself, or of every element of a sequence. Undefined is anything.
fn each(a: &Value, truth: impl Fn(&Value) -> bool) -> bool {
    match a {
        Undefined => true,
        Bool(_) | Int(_) | Float(_) => truth(a),
        a => items(a).is_some_and(|items| items.iter().all(truth)),
    }
}

//: whole
/// Whether numbers are integers of a range.
fn whole(a: &Value, low: i128, high: i128) -> bool {
    each(a, |x| integer(x).is_some_and(|i| low <= i && i <= high))
}

//: is_i8 are_i8 is_i16 are_i16 is_i32 are_i32 is_i64 are_i64 is_u8 are_u8 is_u16 are_u16 is_u32 are_u32 is_u64 are_u64
macro_rules! integer_types {
    ($($is:ident $are:ident $t:ty;)*) => {$(
        /// Whether it is a value of the type; undefined is.
        pub fn $is(a: &Value) -> bool {
            whole(a, <$t>::MIN.into(), <$t>::MAX.into())
        }

        /// Whether it is a sequence of the type; undefined is.
        pub fn $are(a: &Value) -> bool {
            whole(a, <$t>::MIN.into(), <$t>::MAX.into())
        }
    )*};
}
integer_types! {
    is_i8 are_i8 i8;
    is_i16 are_i16 i16;
    is_i32 are_i32 i32;
    is_i64 are_i64 i64;
    is_u8 are_u8 u8;
    is_u16 are_u16 u16;
    is_u32 are_u32 u32;
    is_u64 are_u64 u64;
}

//: is_f64 are_f64 is_bool are_bool is_text
/// Whether it is a value of the type, as every value here is.
pub fn is_f64(_: &Value) -> bool {
    true
}
pub use is_f64 as are_f64;
pub use is_f64 as is_bool;
pub use is_f64 as are_bool;
pub use is_f64 as is_text;

//: is_f32 are_f32
/// Whether floats have a value of single precision.
pub fn is_f32(a: &Value) -> bool {
    each(a, |x| number(x).is_some_and(|x| !x.is_finite() || (x as f32).is_finite()))
}
pub use is_f32 as are_f32;

//: Bound
/// A bound of a range: exact beside integers.
#[derive(Clone, Copy)]
pub enum Bound {
    I(i128),
    F(f64),
}

impl Bound {
    fn value(self) -> Value {
        match self {
            Bound::I(i) => Int(i),
            Bound::F(x) => Float(x),
        }
    }
}

/// The order of a number and a bound: exact between integers, else that of floats.
fn order(a: &Value, bound: Bound) -> Option<std::cmp::Ordering> {
    match (a, bound.value()) {
        (Bool(a), Int(b)) => Some(i128::from(*a).cmp(&b)),
        (Int(a), Int(b)) => Some(a.cmp(&b)),
        (a, b) => number(a)?.partial_cmp(&number(&b)?),
    }
}

//: in_ranges
/// Whether each number is in one of some closed ranges.
pub fn in_ranges(a: &Value, ranges: &[(Bound, Bound)]) -> bool {
    each(a, |x| {
        ranges.iter().any(|(low, high)| {
            order(x, *low).is_some_and(|o| o.is_ge()) && order(x, *high).is_some_and(|o| o.is_le())
        })
    })
}

//: is_none_of
/// Whether no number is one of some.
pub fn is_none_of(a: &Value, except: &[Bound]) -> bool {
    each(a, |x| except.iter().all(|e| order(x, *e) != Some(std::cmp::Ordering::Equal)))
}

//: has_no_nan
pub fn has_no_nan(a: &Value) -> bool {
    each(a, |x| !matches!(x, Float(x) if x.is_nan()))
}

//: has_length
/// Whether its length is in a range.
pub fn has_length(s: &Value, least: usize, most: usize) -> bool {
    items(s).is_none_or(|items| least <= items.len() && items.len() <= most)
}

//: has_alphabet
/// Whether all characters are of an alphabet.
pub fn has_alphabet(s: &Value, alphabet: &str) -> bool {
    !matches!(s, Text(t) if t.chars().any(|c| !alphabet.contains(c)))
}

//: is_one_of
pub fn is_one_of(s: &Value, texts: &[&str]) -> bool {
    !matches!(s, Text(t) if !texts.contains(&t.as_str()))
}

//: is_sorted
/// Whether each element is at least the one before it.
pub fn is_sorted(s: &Value) -> bool {
    match s {
        Text(t) => t.chars().is_sorted(),
        Bools(v) => v.is_sorted(),
        Ints(v) => v.is_sorted(),
        Floats(v) => v.is_sorted(),
        _ => true,
    }
}

//: is_distinct
/// Whether no two elements are equal.
pub fn is_distinct(s: &Value) -> bool {
    let items = items(s).unwrap_or_default();
    items.iter().enumerate().all(|(i, a)| items[..i].iter().all(|b| !same(a, b)))
}

//: has_no_nul
/// Whether it has no NUL character, or no integer 0.
pub fn has_no_nul(s: &Value) -> bool {
    match s {
        Text(t) => !t.contains('\0'),
        Ints(v) => !v.contains(&0),
        _ => true,
    }
}

//: one_of_ranges
/// Draws from one of some strategies.
fn one_of_ranges<T: fmt::Debug + 'static>(strategies: Vec<BoxedStrategy<T>>) -> BoxedStrategy<T> {
    proptest::strategy::Union::new(strategies).boxed()
}

//: Spread
/// How numbers spread over a range.
#[derive(Clone, Copy, PartialEq)]
pub enum Spread {
    Mixed,
    Uniform,
    Logarithmic,
}

//: draw_ints
/// Integers of closed ranges; unless they spread evenly, small ones come up as often as large ones.
pub fn draw_ints(ranges: &[(i128, i128)], spread: Spread) -> BoxedStrategy<i128> {
    let of_range = |&(low, high): &(i128, i128)| {
        let middle = 0.clamp(low, high);
        let around = (2u32..64).step_by(6).map(|bits| 1i128 << bits).filter(|r| *r < high - low);
        let near = around.map(|r| (low.max(middle - r)..=high.min(middle + r)).boxed());
        let near: Vec<_> = if spread == Spread::Uniform { Vec::new() } else { near.collect() };
        let whole = (low..=high).boxed();
        if near.is_empty() {
            return whole;
        }
        let even = if spread == Spread::Mixed { whole.clone() } else { one_of_ranges(near.clone()) };
        one_of_ranges(vec![even, one_of_ranges(near.into_iter().chain([whole]).collect())])
    };
    one_of_ranges(ranges.iter().map(of_range).collect())
}

//: draw_floats
/// Finite floats of closed ranges; unless they spread evenly, small ones come up as often as large ones.
pub fn draw_floats(ranges: &[(f64, f64)], spread: Spread) -> BoxedStrategy<f64> {
    let of_range = |&(low, high): &(f64, f64)| {
        if low == high {
            return Just(low).boxed();
        }
        let middle = 0f64.clamp(low, high);
        // In halves, so that the width of the range is finite.
        let whole = (low / 2.0..=high / 2.0).prop_map(move |x| (2.0 * x).clamp(low, high)).boxed();
        let around = (-9..=24).step_by(3).map(|places| 10f64.powi(places)).filter(|r| *r < high / 2.0 - low / 2.0);
        let near = around.map(|r| (low.max(middle - r)..=high.min(middle + r)).boxed());
        let near: Vec<_> = if spread == Spread::Uniform { Vec::new() } else { near.collect() };
        if near.is_empty() {
            return whole;
        }
        let even = if spread == Spread::Mixed { whole.clone() } else { one_of_ranges(near.clone()) };
        one_of_ranges(vec![even, one_of_ranges(near.into_iter().chain([whole]).collect())])
    };
    one_of_ranges(ranges.iter().map(of_range).collect())
}

//: draw_singles
/// [`draw_floats`] in single precision.
pub fn draw_singles(ranges: &[(f64, f64)], spread: Spread) -> BoxedStrategy<f64> {
    draw_floats(ranges, spread).prop_map(|x| f64::from(x as f32)).boxed()
}

//: draw_bools
pub fn draw_bools(values: &[bool]) -> BoxedStrategy<bool> {
    proptest::sample::select(values.to_vec()).boxed()
}

//: draw_value
/// One number or Boolean.
pub fn draw_value<T: Into<Value> + fmt::Debug + 'static>(numbers: BoxedStrategy<T>) -> BoxedStrategy<Value> {
    numbers.prop_map(Into::into).boxed()
}

//: draw_sequence
/// A sequence of a length in a range.
pub fn draw_sequence<T>(elements: BoxedStrategy<T>, least: usize, most: usize) -> BoxedStrategy<Value>
where
    T: fmt::Debug + 'static,
    Value: From<Vec<T>>,
{
    proptest::collection::vec(elements, least..=most).prop_map(Value::from).boxed()
}

//: draw_text
/// A text of a length in a range, of an alphabet; of printable ASCII and some Unicode where there is none.
pub fn draw_text(alphabet: Option<&str>, least: usize, most: usize) -> BoxedStrategy<Value> {
    let characters = match alphabet {
        Some(alphabet) => proptest::sample::select(alphabet.chars().collect::<Vec<char>>()).boxed(),
        None => prop_oneof![7 => proptest::char::range(' ', '~'), 1 => any::<char>()].boxed(),
    };
    let text = |characters: Vec<char>| Text(characters.into_iter().collect());
    proptest::collection::vec(characters, least..=most).prop_map(text).boxed()
}

//: draw_one_of
pub fn draw_one_of(texts: &[&str]) -> BoxedStrategy<Value> {
    let texts: Vec<Value> = texts.iter().map(|t| Value::from(*t)).collect();
    proptest::sample::select(texts).boxed()
}

//: distinct
/// Without the elements that stand before already.
fn distinct(s: Value) -> Value {
    let mut kept: Vec<Value> = Vec::new();
    for item in items(&s).unwrap_or_default() {
        if kept.iter().all(|k| !same(k, &item)) {
            kept.push(item);
        }
    }
    like(&s, kept)
}

//: draw_distinct
pub fn draw_distinct(sequences: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    sequences.prop_map(distinct).boxed()
}

//: draw_sorted
pub fn draw_sorted(sequences: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    sequences.prop_map(sorted).boxed()
}

//: favouring
/// Favoured values `share` times in a thousand.
pub fn favouring(share: u32, favoured: &[Value], others: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![share => proptest::sample::select(favoured.to_vec()), 1000 - share => others].boxed()
}
