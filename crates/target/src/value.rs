//! Single values: what a call takes and gives.

use std::fmt;

use bstr::{BString, ByteSlice};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::seen;

/// One value of a parameter, an output, or an expression.
///
/// Integers are 128 bits wide so that an expression over 64-bit outputs does not wrap.
/// Text is bytes: a faulty function may return text that is not UTF-8, and its bytes must survive.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Value {
    Bool(bool),
    Int(i128),
    Float(#[serde(serialize_with = "float_to_bits", deserialize_with = "float_of_bits")] f64),
    Text(BString),
    Sequence(Sequence),
}

/// A sequence, with its elements in the form of their kind.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Sequence {
    Bool(Vec<bool>),
    Int(Vec<i128>),
    Float(#[serde(serialize_with = "floats_to_bits", deserialize_with = "floats_of_bits")] Vec<f64>),
}

/// The bits of a float, for JSON has no infinity and no NaN.
fn float_to_bits<S: Serializer>(float: &f64, to: S) -> Result<S::Ok, S::Error> {
    float.to_bits().serialize(to)
}

fn float_of_bits<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    u64::deserialize(from).map(f64::from_bits)
}

fn floats_to_bits<S: Serializer>(floats: &[f64], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(floats.iter().map(|float| float.to_bits()))
}

fn floats_of_bits<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    Ok(Vec::<u64>::deserialize(from)?.into_iter().map(f64::from_bits).collect())
}

impl Sequence {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Sequence::Bool(v) => v.len(),
            Sequence::Int(v) => v.len(),
            Sequence::Float(v) => v.len(),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Equality of floats as the relation language has it: NaN equals NaN, and `-0.0 == 0.0`.
pub fn same_float(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

impl PartialEq for Sequence {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Sequence::Bool(a), Sequence::Bool(b)) => a == b,
            (Sequence::Int(a), Sequence::Int(b)) => a == b,
            (Sequence::Float(a), Sequence::Float(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_float(*a, *b))
            }
            _ => self.is_empty() && other.is_empty(),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => same_float(*a, *b),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Sequence(a), Value::Sequence(b)) => a == b,
            _ => false,
        }
    }
}

/// Writes a float so that the relation language reads the same bits back
/// (any NaN as `nan`; `-0.0`, `inf` and `-inf` by name).
pub fn write_float(f: &mut impl fmt::Write, x: f64) -> fmt::Result {
    if x.is_nan() {
        f.write_str("nan")
    } else if x.is_infinite() {
        f.write_str(if x > 0.0 { "inf" } else { "-inf" })
    } else {
        write!(f, "{x:?}")
    }
}

/// Writes text in double quotes with `\n`, `\t`, `\r`, `\0`, `\"`, `\\`, `\u{…}` for characters that [nobody
/// sees](crate::seen) and, for bytes that are not UTF-8, `\xNN`.
pub fn write_text(f: &mut impl fmt::Write, bytes: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    for chunk in bytes.utf8_chunks() {
        for (c, is_seen) in seen(chunk.valid()) {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\0' => f.write_str("\\0")?,
                c if !is_seen => write!(f, "\\u{{{:x}}}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    f.write_char('"')
}

fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut one: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str("[")?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        one(f, item)?;
    }
    f.write_str("]")
}

/// Prints as a literal of the relation language.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Float(x) => write_float(f, *x),
            Value::Text(t) => write_text(f, t.as_bytes()),
            Value::Sequence(s) => write!(f, "{s}"),
        }
    }
}

/// Prints as a literal of the relation language.
impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sequence::Bool(v) => write_list(f, v, |f, b| write!(f, "{b}")),
            Sequence::Int(v) => write_list(f, v, |f, i| write!(f, "{i}")),
            Sequence::Float(v) => write_list(f, v, |f, x| write_float(f, *x)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImportName, Malformed, Outcome, Trap};

    #[test]
    fn values_and_outcomes_read_back_from_json_bit_for_bit() {
        let floats = vec![f64::NAN, f64::from_bits(0xfff0_0000_0000_0001), -0.0, f64::INFINITY, 0.1];
        let values = [
            Value::Bool(true),
            Value::Int(i128::MIN),
            Value::Int(i128::from(u64::MAX)),
            Value::Float(floats[1]),
            Value::Text(BString::from(b"a\0\xff\n".as_slice())),
            Value::Sequence(Sequence::Int(vec![i128::MAX, 0])),
            Value::Sequence(Sequence::Bool(Vec::new())),
        ];
        for value in values {
            let text = serde_json::to_string(&value).expect("written");
            let read: Value = serde_json::from_str(&text).expect("read");
            match (&read, &value) {
                (Value::Float(read), Value::Float(value)) => assert_eq!(read.to_bits(), value.to_bits()),
                _ => assert_eq!(read, value),
            }
        }
        let text = serde_json::to_string(&Sequence::Float(floats.clone())).expect("written");
        let Sequence::Float(read) = serde_json::from_str(&text).expect("read") else { panic!("{text}") };
        let bits = |floats: &[f64]| floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&floats));
        for outcome in [
            Outcome::Returned,
            Outcome::Exited(3),
            Outcome::Malformed(Malformed::Range),
            Outcome::Trapped(Trap::Signal(11)),
            Outcome::Trapped(Trap::UnknownImport(ImportName::new("env", "abort"))),
        ] {
            let text = serde_json::to_string(&outcome).expect("written");
            assert_eq!(serde_json::from_str::<Outcome>(&text).expect("read"), outcome, "{text}");
        }
        assert_eq!(
            serde_json::to_string(&Trap::Raised(ImportName::of("ValueError"))).expect("written"),
            r#"{"Raised":"ValueError"}"#
        );
    }
}
