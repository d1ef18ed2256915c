//:
use proptest::prelude::*;
use std::fmt;

//: Value Undefined Bool Int Float Text Bools Ints Floats
/// A value. An operation without a result, such as a division by zero, gives `Undefined`, and so do operations on it.
#[derive(Clone)]
pub enum Value {
    Undefined,
    Bool(bool),
    /// An exact integer; a result that does not fit into 128 bits is undefined.
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

/// A float as an argument; every NaN gets the same bits.
fn double_argument(x: f64) -> f64 {
    if x.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { x }
}

/// A float as an argument in single precision; every NaN gets the same bits.
fn single_argument(x: f64) -> f32 {
    if x.is_nan() { f32::from_bits(0x7fc0_0000) } else { x as f32 }
}

macro_rules! converts {
    ($kind:ident, $kinds:ident, $wide:ty, $argument:expr => $($t:ty)*) => {$(
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
                    $kind(x) => $argument(*x) as $t,
                    other => unreachable!("{other:?} is no {}", stringify!($t)),
                }
            }
        }

        impl From<&Value> for Vec<$t> {
            fn from(value: &Value) -> Vec<$t> {
                match value {
                    $kinds(v) => v.iter().map(|x| $argument(*x) as $t).collect(),
                    other => unreachable!("{other:?} is no sequence of {}", stringify!($t)),
                }
            }
        }
    )*};
}
converts!(Int, Ints, i128, std::convert::identity => i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);
converts!(Float, Floats, f64, single_argument => f32);
converts!(Float, Floats, f64, double_argument => f64);
converts!(Bool, Bools, bool, std::convert::identity => bool);

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
