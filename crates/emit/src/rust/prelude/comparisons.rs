//: compare
/// The exact order of two numbers, also of an integer and a float. `None` if either is NaN.
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
/// The elements of a sequence, or the characters of a text; `None` for any other value.
fn items(s: &Value) -> Option<Vec<Value>> {
    match s {
        Text(t) => Some(t.chars().map(|c| Text(c.to_string())).collect()),
        Bools(v) => Some(v.iter().map(|b| Bool(*b)).collect()),
        Ints(v) => Some(v.iter().map(|i| Int(*i)).collect()),
        Floats(v) => Some(v.iter().map(|x| Float(*x)).collect()),
        _ => None,
    }
}

/// Elements as a sequence of the same kind as `s`.
fn like(s: &Value, items: Vec<Value>) -> Value {
    match s {
        Text(_) => Text(items.iter().map(String::from).collect()),
        Bools(_) => Bools(items.iter().map(bool::from).collect()),
        Ints(_) => Ints(items.iter().map(i128::from).collect()),
        Floats(_) => Floats(items.iter().map(f64::from).collect()),
        _ => Undefined,
    }
}

//: same all_same
/// Exact equality of two values; NaN equals NaN.
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
/// Applies a Boolean function to two values; undefined if either value is undefined.
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
/// Compares numbers, and sequences of numbers element by element, with a test on floats; compares other values for
/// equality.
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
/// `~=`: |a - b| <= relative * max(|a|, |b|). NaN is near NaN; an infinity is near only itself.
pub fn near(a: impl Into<Value>, b: impl Into<Value>, relative: f64) -> Value {
    both(a.into(), b.into(), |a, b| approximate(a, b, &|a, b| is_within(a, b, relative)))
}

//: is_within
fn is_within(a: f64, b: f64, relative: f64) -> bool {
    let (difference, larger) = ((a - b).abs(), a.abs().max(b.abs()));
    let within = difference <= relative * larger && difference < f64::INFINITY;
    within || a == b || (a.is_nan() && b.is_nan())
}

//: near_either
/// `~=` with an absolute tolerance beside the relative one.
pub fn near_either(a: impl Into<Value>, b: impl Into<Value>, relative: f64, absolute: f64) -> Value {
    let near = |a: f64, b: f64| is_within(a, b, relative) || (a - b).abs() <= absolute;
    both(a.into(), b.into(), |a, b| approximate(a, b, &near))
}

//: moved
/// A value whose floats are moved by less than eight units in the last place, in a way that depends on the repetition. Without one it
/// stays as it is.
pub fn moved(repetition: Option<u32>, place: u64, single: bool, x: impl Into<Value>) -> Value {
    moved_by(8.0, repetition, (place, single), x.into())
}

//: moved_made
/// As [`moved`], for a value that the relation made without rounding: the repetitions from 8 on move it a thousand times as far, and
/// those from 16 on leave it.
pub fn moved_made(repetition: Option<u32>, place: u64, single: bool, x: impl Into<Value>) -> Value {
    let units = if repetition < Some(8) { 8.0 } else { 8192.0 };
    moved_by(units, repetition.filter(|repetition| *repetition < 16), (place, single), x.into())
}

//: moved_by
/// A value whose floats are moved by less than so many units in the last place.
fn moved_by(units: f64, repetition: Option<u32>, (place, single): (u64, bool), x: Value) -> Value {
    let Some(repetition) = repetition else { return x };
    let units = units * if single { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let factor = |element: usize| {
        let seed = (place << 32) | ((element as u64 & 0xfff_ffff) << 3) | u64::from(repetition % 8 / 2);
        let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ (z >> 31);
        let size = 0.5 + (z >> 12) as f64 / (1_u64 << 53) as f64;
        1.0 + units * if (z ^ u64::from(repetition)) & 1 == 0 { size } else { -size }
    };
    let moved = match x {
        Float(x) => Float(x * factor(0)),
        Floats(s) => Floats(s.iter().enumerate().map(|(i, x)| x * factor(i)).collect()),
        exact => return exact,
    };
    if single { to_single(moved) } else { moved }
}

//: within_rounding
/// Whether sides are near, or no farther apart than rounding explains: the largest change of their difference when they are computed
/// again with moved numbers. If exact numbers were moved, wider moves have to change much more: else the function has a step there, and
/// what was rounded has to explain the difference alone.
pub fn within_rounding(near: Value, relative: f64, made: bool, again: &dyn Fn(Option<u32>) -> Option<(Value, Value)>) -> Value {
    if !matches!(near, Bool(false)) {
        return near;
    }
    let elements = |x: &Value| items(x).unwrap_or_else(|| vec![x.clone()]).iter().filter_map(number).collect();
    let sides = |repetition| -> Option<(Vec<f64>, Vec<f64>)> {
        again(repetition).map(|(a, b)| (elements(&a), elements(&b)))
    };
    let Some((a, b)) = sides(None) else { return near };
    let gaps: Vec<(usize, f64)> = (0..a.len().min(b.len()))
        .filter(|&i| !is_within(a[i], b[i], relative))
        .map(|i| (i, a[i] - b[i]))
        .collect();
    if a.len() != b.len() || gaps.iter().any(|(_, gap)| !gap.is_finite()) {
        return near;
    }
    let changes = |repetitions: std::ops::Range<u32>, times: f64| {
        let mut changes = vec![0.0_f64; gaps.len()];
        for repetition in repetitions {
            let (a, b) = sides(Some(repetition)).unwrap_or_default();
            for ((i, gap), change) in gaps.iter().zip(&mut changes) {
                let now = a.get(*i).zip(b.get(*i)).map_or(0.0, |(a, b)| ((a - b) - gap).abs());
                *change = change.max(if now.is_finite() { now } else { 0.0 });
            }
        }
        gaps.iter().zip(&changes).all(|((_, gap), change)| *change >= times * gap.abs())
    };
    Bool(changes(0..8, 1.0) && (!made || changes(8..16, 16.0) || changes(16..24, 1.0)))
}

//: near_ulps
/// `~=` with a tolerance in units in the last place.
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
/// `~=` with a tolerance in units in the last place of single precision.
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
/// False if either side is false, even if the other side is undefined.
pub fn and(a: impl Into<Value>, b: impl Into<Value>) -> Value {
    match (truth(a), truth(b)) {
        (Some(false), _) | (_, Some(false)) => Bool(false),
        (a, b) => or_undefined(a.and(b)),
    }
}

//: or
/// True if either side is true, even if the other side is undefined.
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

//: either
pub fn either(condition: impl Into<Value>, then: impl Into<Value>, otherwise: impl Into<Value>) -> Value {
    match condition.into() {
        Bool(true) => then.into(),
        Bool(false) => otherwise.into(),
        _ => Undefined,
    }
}

//: given
pub fn given(condition: impl Into<Value>, value: impl Into<Value>) -> Value {
    either(condition, value, Undefined)
}

//: defined
pub fn defined(a: impl Into<Value>) -> Value {
    Bool(!matches!(a.into(), Undefined))
}

//: of-the-agreement-tests
by_name! { of_comparisons;
    not defined;
    equal differs less at_most and or implies given;
}
