//! The types of parameters and outputs.

use std::fmt;
use std::str::FromStr;

/// A scalar type as a signature writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the types")]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

/// What the relation language sees of a scalar: Booleans, exact integers, or floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the kinds")]
pub enum Kind {
    Bool,
    Int,
    Float,
}

impl Scalar {
    /// Every scalar type, in the order of their names in the documentation.
    pub const ALL: [Scalar; 11] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The name in a signature: `i32`, `f64`, …
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The kind that the relation language computes with.
    pub fn kind(self) -> Kind {
        match self {
            Scalar::Bool => Kind::Bool,
            Scalar::F32 | Scalar::F64 => Kind::Float,
            _ => Kind::Int,
        }
    }

    /// Bytes that one element takes in linear memory.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// The least and greatest value of an integer type (both inside), `None` for the others.
    pub fn integer_range(self) -> Option<(i128, i128)> {
        Some(match self {
            Scalar::I8 => (i8::MIN.into(), i8::MAX.into()),
            Scalar::I16 => (i16::MIN.into(), i16::MAX.into()),
            Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
            Scalar::I64 => (i64::MIN.into(), i64::MAX.into()),
            Scalar::U8 => (0, u8::MAX.into()),
            Scalar::U16 => (0, u16::MAX.into()),
            Scalar::U32 => (0, u32::MAX.into()),
            Scalar::U64 => (0, u64::MAX.into()),
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        })
    }
}

/// The type of a parameter or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One number or Boolean.
    Scalar(Scalar),
    /// UTF-8 text.
    Text,
    /// A sequence of scalars, written `[i32]`.
    Sequence(Scalar),
}

impl Type {
    /// The scalar of a scalar or of a sequence's elements.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) | Type::Sequence(s) => Some(s),
            Type::Text => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(s) => write!(f, "{s}"),
            Type::Text => f.write_str("text"),
            Type::Sequence(s) => write!(f, "[{s}]"),
        }
    }
}

/// The name is none of the types.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a type: write bool, i8 … i64, u8 … u64, usize, isize, f32, f64, text, or a sequence such as [i32]"
)]
pub struct UnknownType(pub String);

/// Reads the name of a type. `usize` and `isize` are those of the WebAssembly module, `u32` and `i32`.
///
/// ```
/// use dodona_target::{Scalar, Type};
/// assert_eq!("usize".parse(), Ok(Type::Scalar(Scalar::U32)));
/// assert_eq!("[isize]".parse(), Ok(Type::Sequence(Scalar::I32)));
/// ```
impl FromStr for Type {
    type Err = UnknownType;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownType(s.to_owned());
        let scalar = |name: &str| match name.trim() {
            // A module's addresses have 32 bits, and so have numbers of their size.
            "usize" => Some(Scalar::U32),
            "isize" => Some(Scalar::I32),
            name => Scalar::ALL.into_iter().find(|t| t.name() == name),
        };
        let s = s.trim();
        if s == "text" {
            return Ok(Type::Text);
        }
        match s.strip_prefix('[').and_then(|s| s.strip_suffix(']')) {
            Some(element) => scalar(element).map(Type::Sequence).ok_or_else(unknown),
            None => scalar(s).map(Type::Scalar).ok_or_else(unknown),
        }
    }
}
