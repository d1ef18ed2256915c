//! Numbers, texts and values as Rust writes them.

use dodona_target::{Kind, Number, Scalar, Sequence, Value};

use super::super::rust::Rust;
use super::super::write::Dialect as _;

/// A text: raw where it has quotes or backslashes.
pub(super) fn text(text: &str) -> String {
    if !text.contains(['"', '\\']) || text.contains(['\n', '\r', '\0']) {
        return format!("{text:?}");
    }
    let mut hashes = "#".to_owned();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// A number where the type tells which one is meant: behind `in`.
pub(super) fn number(number: Number, scalar: Scalar) -> String {
    match (number, scalar.kind()) {
        (Number::Int(i), Kind::Bool) => (i != 0).to_string(),
        (Number::Int(i), Kind::Int) => integer(i, scalar),
        (number, _) => Rust::float(number.as_f64()),
    }
}

/// An integer; what has no type is an `i32` to Rust.
fn integer(i: i128, scalar: Scalar) -> String {
    match scalar.integer_range() {
        _ if i32::try_from(i).is_ok() => i.to_string(),
        Some((low, _)) if low == i => format!("{scalar}::MIN"),
        Some((_, high)) if high == i => format!("{scalar}::MAX"),
        _ => format!("{i}_{scalar}"),
    }
}

/// A number of the library.
pub(super) fn library_number(number: Number) -> String {
    match number {
        Number::Int(i) => format!("dodona::target::Number::Int({i})"),
        Number::Float(x) => format!("dodona::target::Number::Float({})", Rust::float(x)),
    }
}

/// A value of the library.
pub(super) fn value(value: &Value) -> String {
    let list = |items: Vec<String>| format!("vec![{}]", items.join(", "));
    let written = match value {
        Value::Bool(b) => format!("Bool({b})"),
        Value::Int(i) => format!("Int({i})"),
        Value::Float(x) => format!("Float({})", Rust::float(*x)),
        Value::Text(t) => format!("Text({:?}.into())", String::from_utf8_lossy(t)),
        Value::Sequence(items) => {
            let items = match items {
                Sequence::Bool(v) => format!("Bool({})", list(v.iter().map(bool::to_string).collect())),
                Sequence::Int(v) => format!("Int({})", list(v.iter().map(i128::to_string).collect())),
                Sequence::Float(v) => format!("Float({})", list(v.iter().map(|x| Rust::float(*x)).collect())),
            };
            format!("Sequence(dodona::target::Sequence::{items})")
        }
    };
    format!("dodona::target::Value::{written}")
}
