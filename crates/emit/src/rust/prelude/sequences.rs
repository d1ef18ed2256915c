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
/// The elements are added from left to right.
pub fn sum_floats(s: impl Into<Value>) -> Value {
    match s.into() {
        Floats(s) => Float(s.iter().fold(0.0, |sum, x| sum + x)),
        _ => Undefined,
    }
}

//: pick
/// The elements at some positions of a sequence; undefined if `places` gives no positions.
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
/// In ascending order, NaN last.
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

//: sorted_by
/// In ascending order of the keys, NaN last; undefined unless there is one key for each element.
pub fn sorted_by(s: impl Into<Value>, keys: impl Into<Value>) -> Value {
    use std::cmp::Ordering;
    fn order(a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Bool(a), Bool(b)) => a.cmp(b),
            (Int(a), Int(b)) => a.cmp(b),
            (Float(a), Float(b)) => a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())),
            (Text(a), Text(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
    let Some(keys) = items(&keys.into()) else { return Undefined };
    pick(s.into(), |n| {
        let mut places: Vec<usize> = (0..keys.len()).collect();
        places.sort_by(|a, b| order(&keys[*a], &keys[*b]));
        (n == keys.len()).then_some(places)
    })
}

//: distinct
/// The sequence without elements that occur earlier in it.
pub fn distinct(s: impl Into<Value>) -> Value {
    let s = s.into();
    let Some(all) = items(&s) else { return Undefined };
    let mut kept: Vec<Value> = Vec::new();
    for item in all {
        if kept.iter().all(|k| !same(k, &item)) {
            kept.push(item);
        }
    }
    like(&s, kept)
}

//: remove
/// Without the element at position `i`; a negative `i` counts from the end. Unchanged if there is no such position.
pub fn remove(s: impl Into<Value>, i: impl Into<Value>) -> Value {
    let Some(i) = integer(&i.into()) else { return Undefined };
    pick(s.into(), |n| {
        let hole = if i < 0 { i + n as i128 } else { i };
        Some((0..n).filter(|place| *place as i128 != hole).collect())
    })
}

//: truncate
/// The first `n` elements, or all if there are fewer.
pub fn truncate(s: impl Into<Value>, n: impl Into<Value>) -> Value {
    let Some(kept) = integer(&n.into()) else { return Undefined };
    pick(s.into(), |n| Some((0..n).take_while(|place| (*place as i128) < kept).collect()))
}

//: slice
/// `s[from..to]`: undefined if the range reaches beyond the sequence.
pub fn slice(s: impl Into<Value>, from: impl Into<Value>, to: impl Into<Value>) -> Value {
    let bound = |i: Value| integer(&i).and_then(|i| usize::try_from(i).ok());
    let (from, to) = (bound(from.into()), bound(to.into()));
    pick(s.into(), |n| {
        let (from, to) = from.zip(to)?;
        (from <= to && to <= n).then(|| (from..to).collect())
    })
}

//: drop_first
/// `s[from..]`: undefined if `from` lies beyond the sequence.
pub fn drop_first(s: impl Into<Value>, from: impl Into<Value>) -> Value {
    let s = s.into();
    let all = len(&s);
    slice(s, from, all)
}

//: index
/// `s[i]`: an element, or a text of one character. Undefined if `i` is out of range.
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
/// Applies a Boolean function to the elements of two sequences; undefined if either is undefined.
fn parts(s: Value, t: Value, truth: impl FnOnce(&[Value], &[Value]) -> bool) -> Value {
    or_undefined(items(&s).zip(items(&t)).map(|(s, t)| truth(&s, &t)))
}

//: contains
/// Whether the elements of `part` occur in `s` consecutively.
pub fn contains(s: impl Into<Value>, part: impl Into<Value>) -> Value {
    parts(s.into(), part.into(), |s, part| {
        (0..=s.len()).any(|i| s.len() >= i + part.len() && all_same(&s[i..i + part.len()], part))
    })
}

//: has_element
pub fn has_element(s: impl Into<Value>, x: impl Into<Value>) -> Value {
    both(s.into(), x.into(), |s, x| items(s).is_some_and(|items| items.iter().any(|item| same(item, x))))
}

//: count
/// How many elements equal `x`; in a text, how often the text `x` occurs without overlap.
pub fn count(s: impl Into<Value>, x: impl Into<Value>) -> Value {
    match (s.into(), x.into()) {
        (Undefined, _) | (_, Undefined) => Undefined,
        (Text(t), Text(part)) => t.matches(part.as_str()).count().into(),
        (s, x) => or_undefined(items(&s).map(|items| items.iter().filter(|item| same(item, &x)).count())),
    }
}

//: is_prefix_of
pub fn is_prefix_of(part: impl Into<Value>, s: impl Into<Value>) -> Value {
    parts(part.into(), s.into(), |part, s| part.len() <= s.len() && all_same(part, &s[..part.len()]))
}

//: is_suffix_of
pub fn is_suffix_of(part: impl Into<Value>, s: impl Into<Value>) -> Value {
    parts(part.into(), s.into(), |part, s| {
        part.len() <= s.len() && all_same(part, &s[s.len() - part.len()..])
    })
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

//: trim
/// Without white space of ASCII at both ends.
pub fn trim(s: impl Into<Value>) -> Value {
    match s.into() {
        Text(t) => Text(t.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']).to_owned()),
        _ => Undefined,
    }
}

//: to_number
/// The number that a text is the decimal of.
pub fn to_number(a: impl Into<Value>) -> Value {
    let Text(text) = a.into() else { return Undefined };
    let unsigned = text.strip_prefix('-').unwrap_or(&text);
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match text.as_str() {
        "nan" => return Float(f64::NAN),
        "inf" => return Float(f64::INFINITY),
        "-inf" => return Float(f64::NEG_INFINITY),
        _ if is_digits(unsigned) => return or_undefined(text.parse::<i128>().ok()),
        _ => {}
    }
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    match [whole, fraction, exponent].into_iter().all(is_digits) {
        true => or_undefined(text.parse::<f64>().ok()),
        false => Undefined,
    }
}

//: lines
/// A number for each line.
pub fn lines(s: impl Into<Value>) -> Value {
    let Text(text) = s.into() else { return Undefined };
    let step = |hash: u64, c: char| (hash ^ u64::from(u32::from(c))).wrapping_mul(0x100_0000_01b3);
    let number = |line: &str| i128::from(line.chars().fold(0xcbf2_9ce4_8422_2325, step) >> 1);
    Ints(text.split_terminator('\n').map(number).collect())
}

//: text
/// A number or Boolean as the relation language writes it.
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

//: of-the-agreement-tests
by_name! { of_sequences;
    len sum sum_floats reverse sorted distinct text upper lower trim to_number lines;
    sorted_by remove truncate index drop_first concat contains has_element count is_prefix_of is_suffix_of;
    slice
}
