//! Converts values to JSON, and back to typed values without any loss.
//!
//! | value | JSON |
//! | --- | --- |
//! | Boolean | `true`, `false` |
//! | integer | a number; a string of decimal digits if it does not fit into 64 bits |
//! | float | a number; `"nan"`, `"inf"`, `"-inf"` as strings |
//! | text | a string; `{"bytes": "hex digits"}` if it is not UTF-8 |
//! | sequence | an array |

use bstr::BString;
use dodona_target::{Kind, Scalar, Sequence, Type, Value};
use serde_json::{Map, Value as Json};

/// An error: JSON that is not a value of the wanted type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{found} is not {}{}", place(*.element), article(*.ty), hint(*.ty))]
pub struct NotOfType {
    /// The wanted type; the type of the element, if a single element is at fault.
    pub ty: Type,
    /// The JSON that was found instead, shortened.
    pub found: String,
    /// The index of the element at fault, if the value is a sequence.
    pub element: Option<usize>,
}

fn place(element: Option<usize>) -> String {
    element.map(|i| format!("element {i}: ")).unwrap_or_default()
}

fn article(ty: Type) -> String {
    match ty {
        Type::Text => "text".to_owned(),
        Type::Sequence(s) => format!("a sequence [{s}]"),
        Type::Scalar(s @ (Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)) => format!("an {s}"),
        Type::Scalar(s @ (Scalar::F32 | Scalar::F64)) => format!("an {s}"),
        Type::Scalar(s) => format!("a {s}"),
    }
}

fn hint(ty: Type) -> String {
    match ty {
        Type::Text => " (write a string)".to_owned(),
        Type::Sequence(_) => " (write a list such as [1, 2])".to_owned(),
        Type::Scalar(s) => match (s.kind(), s.integer_range()) {
            (_, Some((low, high))) => format!(" (write an integer in {low} to {high})"),
            (Kind::Bool, _) => " (write true or false)".to_owned(),
            _ => " (write a number, nan, inf or -inf)".to_owned(),
        },
    }
}

/// A value as JSON.
///
/// ```
/// use dodona_sources::json::{from_json, to_json};
/// use dodona_target::{Scalar, Type, Value};
/// let json = to_json(&Value::Float(f64::INFINITY));
/// assert_eq!(json, serde_json::json!("inf"));
/// assert_eq!(from_json(Type::Scalar(Scalar::F64), &json)?, Value::Float(f64::INFINITY));
/// # Ok::<(), dodona_sources::json::NotOfType>(())
/// ```
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Bool(b) => Json::from(*b),
        Value::Int(i) => integer(*i),
        Value::Float(x) => float(*x),
        Value::Text(t) => text(t),
        Value::Sequence(Sequence::Bool(v)) => v.iter().copied().map(Json::from).collect(),
        Value::Sequence(Sequence::Int(v)) => v.iter().copied().map(integer).collect(),
        Value::Sequence(Sequence::Float(v)) => v.iter().copied().map(float).collect(),
    }
}

fn integer(i: i128) -> Json {
    match (i64::try_from(i), u64::try_from(i)) {
        (Ok(i), _) => Json::from(i),
        (_, Ok(i)) => Json::from(i),
        _ => Json::from(i.to_string()),
    }
}

fn float(x: f64) -> Json {
    // A JSON number cannot be infinite or NaN.
    match serde_json::Number::from_f64(x) {
        Some(number) => Json::Number(number),
        None if x.is_nan() => Json::from("nan"),
        None if x > 0.0 => Json::from("inf"),
        None => Json::from("-inf"),
    }
}

fn text(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) => Json::from(text),
        Err(_) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            Json::Object(Map::from_iter([("bytes".to_owned(), Json::from(hex))]))
        }
    }
}

/// Converts JSON to a value of a type.
///
/// Integers must lie in the type. A float is accepted as an `f32` if it rounds to a finite `f32`. Domains are not
/// tested.
///
/// # Errors
/// [`NotOfType`] when the JSON has another kind, or is a number outside the type.
pub fn from_json(ty: Type, json: &Json) -> Result<Value, NotOfType> {
    let found = || NotOfType { ty, found: shortened(json), element: None };
    match ty {
        Type::Text => read_text(json).map(Value::Text).ok_or_else(found),
        Type::Scalar(s) => match s.kind() {
            Kind::Bool => json.as_bool().map(Value::Bool).ok_or_else(found),
            Kind::Int => read_integer(s, json).map(Value::Int).ok_or_else(found),
            Kind::Float => read_float(s, json).map(Value::Float).ok_or_else(found),
        },
        Type::Sequence(s) => {
            let items = json.as_array().ok_or_else(found)?;
            Ok(Value::Sequence(match s.kind() {
                Kind::Bool => Sequence::Bool(elements(s, items, Json::as_bool)?),
                Kind::Int => Sequence::Int(elements(s, items, |item| read_integer(s, item))?),
                Kind::Float => Sequence::Float(elements(s, items, |item| read_float(s, item))?),
            }))
        }
    }
}

fn elements<T>(s: Scalar, items: &[Json], one: impl Fn(&Json) -> Option<T>) -> Result<Vec<T>, NotOfType> {
    let element = |(index, item): (usize, &Json)| {
        one(item).ok_or_else(|| NotOfType {
            ty: Type::Scalar(s),
            found: shortened(item),
            element: Some(index),
        })
    };
    items.iter().enumerate().map(element).collect()
}

fn read_integer(s: Scalar, json: &Json) -> Option<i128> {
    let i = match json {
        Json::Number(n) => n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from))?,
        Json::String(digits) => digits.parse().ok()?,
        _ => return None,
    };
    s.integer_range().filter(|&(low, high)| low <= i && i <= high).map(|_| i)
}

fn read_float(s: Scalar, json: &Json) -> Option<f64> {
    let x = match json {
        Json::Number(n) => n.as_f64()?,
        Json::String(name) => match name.as_str() {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => return None,
        },
        _ => return None,
    };
    of_type(s, x)
}

/// The value of a float type nearest to `x`, which a call would get; `None` if `x` is too large for the type. All
/// NaNs become the same NaN.
pub(crate) fn of_type(s: Scalar, x: f64) -> Option<f64> {
    let held = if s == Scalar::F32 { f64::from(x as f32) } else { x };
    match x.is_nan() {
        true => Some(f64::NAN),
        false => (held.is_finite() || !x.is_finite()).then_some(held),
    }
}

fn read_text(json: &Json) -> Option<BString> {
    match json {
        Json::String(text) => Some(text.as_str().into()),
        Json::Object(map) if map.len() == 1 => read_hex(map.get("bytes")?.as_str()?),
        _ => None,
    }
}

fn read_hex(hex: &str) -> Option<BString> {
    let digits = hex.chars().map(|c| c.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let byte = |pair: &[u32]| (pair[0] * 16 + pair[1]) as u8;
    digits.len().is_multiple_of(2).then(|| digits.chunks_exact(2).map(byte).collect::<Vec<u8>>().into())
}

fn shortened(json: &Json) -> String {
    const MOST: usize = 60;
    let whole = json.to_string();
    match whole.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole,
    }
}
