//! The types of methods' parameters, and how values become arguments of them.

use dodona_target::{Kind, Scalar, Type};

use super::super::write::apply;
use super::Java;

/// An element of a sequence that becomes a list.
const ELEMENT: &str = "mrElement";

/// The smallest type that holds every value: where nothing says what a method takes. A 16-bit number is a `char` to a method that exists,
/// which an `int` parameter takes, too.
pub(super) fn usual(ty: Type, is_of_manifest: bool) -> String {
    match ty {
        Type::Scalar(scalar) => plain(scalar, is_of_manifest).to_owned(),
        Type::Text => "String".to_owned(),
        Type::Sequence(scalar) => format!("{}[]", plain(scalar, is_of_manifest)),
    }
}

fn plain(scalar: Scalar, is_of_manifest: bool) -> &'static str {
    match scalar {
        Scalar::Bool => "boolean",
        Scalar::I8 => "byte",
        Scalar::I16 => "short",
        Scalar::U16 if is_of_manifest => "char",
        Scalar::I32 | Scalar::U8 | Scalar::U16 => "int",
        Scalar::I64 | Scalar::U32 => "long",
        Scalar::U64 => "BigInteger",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// Java code that makes an argument of this type of a value.
///
/// # Errors
/// Why there is none.
pub(super) fn argument(ty: Type, java: &str, value: &str) -> Result<String, String> {
    let word = |word: &str| Ok(apply::<Java>(word, &[value.to_owned()]));
    let converted = match (ty, java) {
        (Type::Scalar(scalar), _) => of_scalar(scalar.kind(), java),
        (Type::Text, "String" | "CharSequence" | "Object") => Some("text_of"),
        (Type::Text, "char" | "Character") => Some("char_of"),
        (Type::Text, "String[]") => Some("lines_of"),
        (Type::Text, _) => None,
        (Type::Sequence(scalar), "List" | "Collection" | "Iterable") => {
            let element = argument(Type::Scalar(scalar), plain(scalar, false), ELEMENT)?;
            return Ok(apply::<Java>("list_of", &[value.to_owned(), format!("{ELEMENT} -> {element}")]));
        }
        (Type::Sequence(scalar), _) => {
            java.strip_suffix("[]").and_then(|element| of_elements(scalar.kind(), element))
        }
    };
    match converted {
        Some(converted) => word(converted),
        None => Err(format!(
            "a value of type `{ty}` is no `{java}` of Java; write a method with another type that calls it, and name its class (--where)"
        )),
    }
}

/// The prelude's word that makes a single value.
fn of_scalar(kind: Kind, java: &str) -> Option<&'static str> {
    Some(match (kind, java) {
        (Kind::Bool, "boolean" | "Boolean") => "boolean_of",
        (Kind::Int, "byte" | "Byte") => "byte_of",
        (Kind::Int, "short" | "Short") => "short_of",
        (Kind::Int, "char" | "Character") => "char_of",
        (Kind::Int, "int" | "Integer") => "int_of",
        (Kind::Int, "long" | "Long") => "long_of",
        (Kind::Int, "BigInteger" | "Number") => "integer",
        (Kind::Int | Kind::Float, "float" | "Float") => "float_of",
        (Kind::Int | Kind::Float, "double" | "Double") | (Kind::Float, "Number") => "double_of",
        (Kind::Int | Kind::Float, "BigDecimal") => "decimal_of",
        _ => return None,
    })
}

/// The prelude's word that makes an array with elements of this type.
fn of_elements(kind: Kind, element: &str) -> Option<&'static str> {
    Some(match (kind, element) {
        (Kind::Bool, "boolean") => "booleans_of",
        (Kind::Int, "byte") => "bytes_of",
        (Kind::Int, "short") => "shorts_of",
        (Kind::Int, "char") => "chars_of",
        (Kind::Int, "int") => "ints_of",
        (Kind::Int, "long") => "longs_of",
        (Kind::Int, "BigInteger") => "wholes_of",
        (Kind::Int | Kind::Float, "float") => "floats_of",
        (Kind::Int | Kind::Float, "double") => "doubles_of",
        _ => return None,
    })
}
