//! Words, sequences and text of single values.

use dodona_target::{Kind, Sequence, Value, write_float};

use super::values::{compare, equal, float, whole};

/// The elements as values.
pub fn items(s: &Sequence) -> Vec<Value> {
    match s {
        Sequence::Bool(v) => v.iter().map(|b| Value::Bool(*b)).collect(),
        Sequence::Int(v) => v.iter().map(|i| Value::Int(*i)).collect(),
        Sequence::Float(v) => v.iter().map(|x| Value::Float(*x)).collect(),
    }
}

/// A sequence of a kind.
pub fn of_kind(kind: Kind, items: Vec<Value>) -> Sequence {
    match kind {
        Kind::Bool => Sequence::Bool(items.into_iter().map(super::values::truth).collect()),
        Kind::Int => Sequence::Int(items.iter().map(|v| whole(v).unwrap()).collect()),
        Kind::Float => Sequence::Float(items.iter().map(float).collect()),
    }
}

fn kind(s: &Sequence) -> Kind {
    match s {
        Sequence::Bool(_) => Kind::Bool,
        Sequence::Int(_) => Kind::Int,
        Sequence::Float(_) => Kind::Float,
    }
}

/// Elements that are all Booleans, all integers, or else floats.
pub fn literal(items: Vec<Value>) -> Value {
    let kind = match &items[..] {
        [Value::Bool(_), ..] => Kind::Bool,
        all if all.iter().all(|v| matches!(v, Value::Int(_))) => Kind::Int,
        _ => Kind::Float,
    };
    Value::Sequence(of_kind(kind, items))
}

/// The same done to each element, with floats where the other operand is one.
pub fn each(s: &Sequence, other: &Value, f: impl Fn(Value) -> Option<Value>) -> Option<Value> {
    let changed: Option<Vec<Value>> = items(s).into_iter().map(f).collect();
    let kind = if matches!(other, Value::Float(_)) { Kind::Float } else { kind(s) };
    Some(Value::Sequence(of_kind(kind, changed?)))
}

/// The characters of a text, each by its bytes.
fn characters(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut rest = bytes;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let length = (1..=rest.len().min(4)).find(|n| std::str::from_utf8(&rest[..*n]).is_ok());
        let (head, tail) = rest.split_at(length.unwrap_or(1));
        found.push(head.to_vec());
        rest = tail;
    }
    found
}

/// Something with parts: elements or characters.
enum Parts {
    Elements(Kind, Vec<Value>),
    Characters(Vec<Vec<u8>>),
}

fn parts(value: &Value) -> Parts {
    match value {
        Value::Text(t) => Parts::Characters(characters(t)),
        Value::Sequence(s) => Parts::Elements(kind(s), items(s)),
        other => panic!("{other:?} has no parts"),
    }
}

impl Parts {
    fn len(&self) -> usize {
        match self {
            Parts::Elements(_, items) => items.len(),
            Parts::Characters(characters) => characters.len(),
        }
    }

    fn pick(&self, places: impl Iterator<Item = usize>) -> Value {
        match self {
            Parts::Elements(kind, items) => {
                Value::Sequence(of_kind(*kind, places.map(|i| items[i].clone()).collect()))
            }
            Parts::Characters(all) => {
                Value::Text(places.flat_map(|i| all[i].clone()).collect::<Vec<_>>().into())
            }
        }
    }
}

pub fn length(value: &Value) -> usize {
    parts(value).len()
}

pub fn reverse(value: &Value) -> Value {
    let parts = parts(value);
    parts.pick((0..parts.len()).rev())
}

pub fn slice(value: Value, from: i128, to: i128) -> Option<Value> {
    let parts = parts(&value);
    let inside = 0 <= from && from <= to && to <= parts.len() as i128;
    inside.then(|| parts.pick(from as usize..to as usize))
}

pub fn index(value: Value, i: Value) -> Option<Value> {
    let i = whole(&i)?;
    match slice(value, i, i.checked_add(1)?)? {
        Value::Sequence(s) => Some(items(&s)[0].clone()),
        text => Some(text),
    }
}

pub fn is_prefix(a: &Value, b: &Value) -> bool {
    length(a) <= length(b) && slice(b.clone(), 0, length(a) as i128).is_some_and(|start| equal(a, &start))
}

pub fn contains(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(_), Value::Text(_)) | (Value::Sequence(_), Value::Sequence(_)) => {
            (0..=length(a)).any(|i| is_prefix(b, &slice(a.clone(), i as i128, length(a) as i128).unwrap()))
        }
        (Value::Sequence(s), element) => items(s).iter().any(|x| equal(x, element)),
        other => panic!("{other:?} do not contain"),
    }
}

/// A word written like a call.
pub fn word(name: &str, values: &[Value]) -> Option<Value> {
    let a = &values[0];
    Some(match name {
        "abs" => match a {
            Value::Int(i) => Value::Int(i.checked_abs()?),
            a => Value::Float(float(a).abs()),
        },
        "min" | "max" => extreme(name == "min", a, &values[1]),
        "floor" | "ceil" => rounded(a, if name == "floor" { f64::floor } else { f64::ceil }),
        "sqrt" => Value::Float(float(a).sqrt()),
        "exp" => Value::Float(float(a).exp()),
        "ln" => Value::Float(float(a).ln()),
        "sin" => Value::Float(float(a).sin()),
        "cos" => Value::Float(float(a).cos()),
        "is_nan" => Value::Bool(matches!(a, Value::Float(x) if x.is_nan())),
        "len" => Value::Int(length(a) as i128),
        "reverse" => reverse(a),
        "sum" => sum(a)?,
        "sorted" => sorted(a),
        "remove" => {
            let (parts, i) = (parts(a), whole(&values[1])?);
            let i = if i < 0 { i + parts.len() as i128 } else { i };
            parts.pick((0..parts.len()).filter(|place| *place as i128 != i))
        }
        "truncate" => {
            let (parts, n) = (parts(a), whole(&values[1])?);
            parts.pick((0..parts.len()).filter(|place| (*place as i128) < n))
        }
        "concat" => concat(a, &values[1]),
        "trim" => trimmed(a),
        "distinct" => distinct(a),
        "union" => distinct(&concat(a, &values[1])),
        "sorted_by" => sorted_by(a, &values[1])?,
        "count" => Value::Int(count(a, &values[1])),
        "text" => Value::Text(written(a).into()),
        "upper" | "lower" => {
            let Value::Text(t) = a else { panic!("no text") };
            let changed = characters(t).into_iter().flat_map(|c| match std::str::from_utf8(&c) {
                Ok(c) if name == "upper" => c.to_uppercase().into_bytes(),
                Ok(c) => c.to_lowercase().into_bytes(),
                Err(_) => c,
            });
            Value::Text(changed.collect::<Vec<_>>().into())
        }
        other => panic!("{other} is no word"),
    })
}

fn trimmed(a: &Value) -> Value {
    let is_space = |i: usize| matches!(&slice(a.clone(), i as i128, i as i128 + 1), Some(Value::Text(c)) if [" ", "\t", "\n", "\r", "\x0b", "\x0c"].iter().any(|s| c == s));
    let mut range = 0..length(a);
    while !range.is_empty() && is_space(range.start) {
        range.start += 1;
    }
    while !range.is_empty() && is_space(range.end - 1) {
        range.end -= 1;
    }
    parts(a).pick(range)
}

/// The parts of a text that begin with another are counted and skipped.
fn count(a: &Value, x: &Value) -> i128 {
    let Value::Text(part) = x else {
        let Value::Sequence(s) = a else { panic!("{a:?} has no elements") };
        return items(s).iter().filter(|item| equal(item, x)).count() as i128;
    };
    if part.is_empty() {
        return length(a) as i128 + 1;
    }
    let Value::Text(text) = a else { panic!("{a:?} is no text") };
    let mut rest = &text[..];
    let mut found = 0;
    while let Some((_, tail)) = rest.split_first() {
        let here = rest.starts_with(part);
        found += i128::from(here);
        rest = if here { &rest[part.len()..] } else { tail };
    }
    found
}

fn rounded(a: &Value, round: fn(f64) -> f64) -> Value {
    match a {
        Value::Int(i) => Value::Int(*i),
        a => {
            let x = Value::Float(round(float(a)));
            whole(&x).map_or(x, Value::Int)
        }
    }
}

fn extreme(least: bool, a: &Value, b: &Value) -> Value {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Value::Int(if least { *a.min(b) } else { *a.max(b) });
    }
    let (a, b) = (float(a), float(b));
    let first = if a == b { a.is_sign_negative() == least } else { (a < b) == least };
    Value::Float(if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if first {
        a
    } else {
        b
    })
}

fn sum(a: &Value) -> Option<Value> {
    match a {
        Value::Sequence(Sequence::Int(v)) => {
            v.iter().try_fold(0i128, |sum, x| sum.checked_add(*x)).map(Value::Int)
        }
        Value::Sequence(Sequence::Float(v)) => Some(Value::Float(v.iter().fold(0.0, |sum, x| sum + x))),
        other => panic!("{other:?} has no sum"),
    }
}

fn distinct(a: &Value) -> Value {
    let parts = parts(a);
    let one = |i: usize| parts.pick(i..i + 1);
    parts.pick((0..parts.len()).filter(|i| !(0..*i).any(|before| equal(&one(before), &one(*i)))))
}

/// Again and again the first of those elements that are left whose key is before no other.
fn sorted_by(a: &Value, keys: &Value) -> Option<Value> {
    let (parts, keys) = (parts(a), elements(keys));
    let is_nan = |key: &Value| matches!(key, Value::Float(x) if x.is_nan());
    let is_before = |a: usize, b: usize| match (&keys[a], &keys[b]) {
        (Value::Bool(a), Value::Bool(b)) => !a && *b,
        (Value::Text(a), Value::Text(b)) => a < b,
        (a, b) => compare(a, b).map_or(!is_nan(a) && is_nan(b), |order| order.is_lt()),
    };
    let mut left: Vec<usize> = (0..keys.len()).collect();
    let mut places = Vec::new();
    while let Some(at) = (0..left.len()).find(|i| !left.iter().any(|other| is_before(*other, left[*i]))) {
        places.push(left.remove(at));
    }
    (parts.len() == keys.len()).then(|| parts.pick(places.into_iter()))
}

fn sorted(a: &Value) -> Value {
    match a {
        Value::Text(t) => {
            let mut all = characters(t);
            all.sort();
            Value::Text(all.concat().into())
        }
        Value::Sequence(s) => {
            let mut all = items(s);
            let rank = |v: &Value| matches!(v, Value::Float(x) if x.is_nan());
            all.sort_by(|a, b| match (a, b) {
                (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
                _ => rank(a).cmp(&rank(b)).then_with(|| compare(a, b).unwrap_or(std::cmp::Ordering::Equal)),
            });
            Value::Sequence(of_kind(kind(s), all))
        }
        other => panic!("{other:?} cannot be sorted"),
    }
}

fn concat(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => Value::Text([&a[..], &b[..]].concat().into()),
        (Value::Sequence(a), Value::Sequence(b)) => {
            let kind = if kind(a) == kind(b) { kind(a) } else { Kind::Float };
            Value::Sequence(of_kind(kind, items(a).into_iter().chain(items(b)).collect()))
        }
        other => panic!("{other:?} cannot be joined"),
    }
}

fn written(a: &Value) -> String {
    match a {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(x) => {
            let mut text = String::new();
            write_float(&mut text, *x).unwrap();
            text
        }
        other => panic!("{other:?} is no number"),
    }
}

/// Whether each element of the first is one of the second.
pub fn is_subset(a: &Value, b: &Value) -> bool {
    elements(a).iter().all(|x| elements(b).iter().any(|y| equal(x, y)))
}

/// Whether no element of the first is one of the second.
pub fn is_disjoint(a: &Value, b: &Value) -> bool {
    !elements(a).iter().any(|x| elements(b).iter().any(|y| equal(x, y)))
}

/// Whether the second has the elements of the first, each as often.
pub fn is_permutation(a: &Value, b: &Value) -> bool {
    let mut rest = elements(b);
    let all = elements(a).iter().all(|x| match rest.iter().position(|y| equal(x, y)) {
        Some(at) => {
            rest.remove(at);
            true
        }
        None => false,
    });
    all && rest.is_empty()
}

/// Elements of a sequence, or characters of a text.
fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Sequence(s) => items(s),
        Value::Text(text) => characters(text).into_iter().map(|c| Value::Text(c.into())).collect(),
        _ => Vec::new(),
    }
}
