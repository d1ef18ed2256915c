//! Single values: what a call takes and gives.

use std::fmt;

use bstr::{BString, ByteSlice};

use crate::seen;

/// One value of a parameter, an output, or an expression.
///
/// Integers are 128 bits wide so that an expression over 64-bit outputs does not wrap.
/// Text is bytes: a faulty function may return text that is not UTF-8, and its bytes must survive.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Value {
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(BString),
    Sequence(Sequence),
}

/// A sequence, with its elements in the form of their kind.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Sequence {
    Bool(Vec<bool>),
    Int(Vec<i128>),
    Float(Vec<f64>),
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
