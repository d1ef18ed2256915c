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

/// Numbers of the library, as a vector.
pub(super) fn numbers(numbers: &[Number]) -> String {
    let one = |number: &Number| match number {
        Number::Int(i) => ("Number::Int", i.to_string()),
        Number::Float(x) => ("Number::Float", Rust::float(*x)),
    };
    vector(&numbers.iter().map(one).collect::<Vec<_>>())
}

/// Values of the library, as a vector.
pub(super) fn values(values: &[Value]) -> String {
    let list = |items: Vec<String>| format!("vec![{}]", items.join(", "));
    let one = |value: &Value| match value {
        Value::Bool(b) => ("Value::Bool", b.to_string()),
        Value::Int(i) => ("Value::Int", i.to_string()),
        Value::Float(x) => ("Value::Float", Rust::float(*x)),
        Value::Text(t) => ("Value::Text", format!("{}.into()", text(&String::from_utf8_lossy(t)))),
        Value::Sequence(items) => {
            let items = match items {
                Sequence::Bool(v) => format!("Bool({})", list(v.iter().map(bool::to_string).collect())),
                Sequence::Int(v) => format!("Int({})", list(v.iter().map(i128::to_string).collect())),
                Sequence::Float(v) => format!("Float({})", list(v.iter().map(|x| Rust::float(*x)).collect())),
            };
            ("Value::Sequence", format!("dodona::target::Sequence::{items}"))
        }
    };
    vector(&values.iter().map(one).collect::<Vec<_>>())
}

/// A vector of variants of the library with what is in them.
fn vector(items: &[(&str, String)]) -> String {
    let inside: Vec<&str> = items.iter().map(|(_, inside)| inside.as_str()).collect();
    match items {
        [(first, _), _, ..] if items.iter().all(|(variant, _)| variant == first) => {
            format!("[{}].map(dodona::target::{first}).into()", inside.join(", "))
        }
        _ => {
            let each = items.iter().map(|(variant, inside)| format!("dodona::target::{variant}({inside})"));
            format!("vec![{}]", each.collect::<Vec<_>>().join(", "))
        }
    }
}
