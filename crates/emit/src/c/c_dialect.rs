//! How C writes values.

use std::fmt::Write as _;

use dodona_relations::plan::Element;
use dodona_target::{Sequence, Value};

use super::super::script::AgainName;
use super::super::write::{Dialect, apply, finite};

/// C99 with the 128-bit integers of GCC and clang.
pub(in super::super) struct C;

impl Dialect for C {
    const WORDS: &'static str = "mr_";

    fn local(name: &str) -> String {
        name.to_owned()
    }

    fn constant(value: Option<&Value>) -> Result<String, String> {
        Ok(match value {
            None => "mr_undefined()".to_owned(),
            Some(Value::Bool(b)) => format!("mr_truth({b})"),
            Some(Value::Int(i)) => format!("mr_whole({})", integer(*i)),
            Some(Value::Float(x)) => format!("mr_real({})", C::float(*x)),
            Some(Value::Text(t)) => characters(t),
            Some(Value::Sequence(s)) => match s {
                Sequence::Bool(v) => list(v.iter().map(|b| format!("mr_truth({b})"))),
                Sequence::Int(v) => list(v.iter().map(|i| format!("mr_whole({})", integer(*i)))),
                Sequence::Float(v) => list(v.iter().map(|x| format!("mr_real({})", C::float(*x)))),
            },
        })
    }

    fn output(call: &str, output: usize) -> String {
        format!("mr_output(&{call}, {output})")
    }

    fn about(call: &str, what: &str) -> String {
        match what {
            "returned" => format!("mr_truth(mr_returned(&{call}))"),
            _ => format!("mr_{what}(&{call})"),
        }
    }

    fn sequence(element: Element, items: &[String]) -> String {
        let list = list(items.iter().cloned());
        if element == Element::Float { apply::<C>("to_float", &[list]) } else { list }
    }

    fn float(x: f64) -> String {
        match x {
            x if x.is_nan() => "__builtin_nan(\"\")".to_owned(),
            f64::INFINITY => "__builtin_inf()".to_owned(),
            f64::NEG_INFINITY => "-__builtin_inf()".to_owned(),
            x => finite(x),
        }
    }

    fn rounded(near: String, relative: String, again: &AgainName) -> String {
        let variables = match again.variables[..] {
            [] => "NULL".to_owned(),
            _ => format!("(const mr_value[]){{{}}}", again.variables.join(", ")),
        };
        apply::<C>(
            "within_rounding",
            &[near, relative, again.made.to_string(), again.name.clone(), variables],
        )
    }
}

/// An integer as a C expression of type `mr_int` or of a type that converts to it.
pub(super) fn integer(i: i128) -> String {
    match i64::try_from(i) {
        Ok(i64::MIN) => "(-9223372036854775807 - 1)".to_owned(),
        Ok(i) => i.to_string(),
        Err(_) => {
            let bits = i as u128;
            format!("mr_wide({:#x}u, {:#x}u)", bits >> 64, bits as u64)
        }
    }
}

/// The call `mr_characters(literal, length)` for a text of any bytes.
pub(super) fn characters(bytes: &[u8]) -> String {
    format!("mr_characters({}, {})", literal(bytes), bytes.len())
}

/// Bytes as a string literal. Octal escapes always have three digits, so that a digit after an escape is not read as
/// part of it.
pub(super) fn literal(bytes: &[u8]) -> String {
    let mut literal = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' => literal.push_str("\\\""),
            b'\\' => literal.push_str("\\\\"),
            // Two question marks in a row may begin a trigraph.
            b'?' => literal.push_str("\\?"),
            b' '..=b'~' => literal.push(byte.into()),
            _ => {
                let _ = write!(literal, "\\{byte:03o}");
            }
        }
    }
    literal.push('"');
    literal
}

/// Values as an array, preceded by their number.
pub(super) fn array(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items[..] {
        [] => "0, NULL".to_owned(),
        _ => format!("{}, (const mr_value[]){{{}}}", items.len(), items.join(", ")),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    apply::<C>("list", &[array(items)])
}
